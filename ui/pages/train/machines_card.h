#pragma once
// Training on several machines: what to type on each of them. Nothing here is part of the recipe; the numbers go into the commands.
#include <QGridLayout>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "ui/context.h"
#include "ui/forms/field.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class MachinesCard : public Card {
  Q_OBJECT
 public:
  explicit MachinesCard(Context& context, QWidget* parent = nullptr);
  void retranslate();
  void unfold(bool open);
  bool unfolded() const;
  void setMachines(int count);
  void setMeeting(const QString& host, int port);
  QStringList commands() const;  // one a machine
  QPushButton* copyButton(int machine) const { return rows_[size_t(machine)].copy; }
  QPushButton* foldButton() const { return fold_; }

 private:
  struct Row {
    QLabel* name;
    QPlainTextEdit* command;
    QPushButton* copy;
  };
  void refresh();

  Context& context_;
  int machines_ = 2, port_;
  QString host_;
  QWidget* inside_;
  QPushButton* fold_;
  QLabel *intro_, *single_, *private_, *machines_title_, *host_title_, *port_title_;
  Field *machines_field_, *port_field_;
  QLineEdit* host_field_;
  QGridLayout* grid_;
  std::vector<Row> rows_;
};

}  // namespace trainyard::ui
