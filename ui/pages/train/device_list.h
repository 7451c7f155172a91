#pragma once
// Where to train: automatic, the processor (as one rank or several), or any of the GPUs, each with its memory as it is now. Choosing a second
// device chooses a strategy for several too, and going back to one device goes back to "single": one step of undo.
#include <QCheckBox>
#include <QGridLayout>
#include <QProgressBar>
#include <QTimer>
#include <map>

#include "core/hardware/hardware.h"
#include "ui/context.h"
#include "ui/forms/field.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class Inspection;

class DeviceList : public QWidget {
  Q_OBJECT
 public:
  explicit DeviceList(Context& context, QWidget* parent = nullptr);
  void retranslate();
  QStringList shown() const;                     // ids of the rows: "auto", "cuda:0", "cpu"
  QCheckBox* box(const QString& device) const;   // nullptr: no such row
  QString figures(const QString& device) const;  // what its row says at the right
  Field* ranksField() const { return ranks_; }
  void focusFirst();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  struct Row {
    QCheckBox* box;
    PathLabel* name;
    QProgressBar* bar;
    QLabel* figures;
  };
  QStringList chosen() const;
  void addRow(const QString& device);
  void buildRanks();
  void place();    // rows for what there is and what the recipe names
  void refresh();  // values
  void fillRow(const QString& device, Row& row);
  void toggle(const QString& device, bool on);
  void put(const QStringList& devices);

  Context& context_;
  Inspection* inspection_;
  QTimer timer_;
  QStringList order_;
  std::map<QString, Row> rows_;
  QGridLayout* grid_;
  QWidget* ranks_row_;
  QLabel *ranks_title_, *ranks_note_, *problem_;
  Field* ranks_;
};

}  // namespace trainyard::ui
