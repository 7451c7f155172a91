#pragma once
// [[parameters]]: what applies to the parameters whose names match, one line a rule; the last match counts.
#include <QPushButton>
#include <QTableWidget>

#include "core/base/json.h"
#include "ui/context.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class ParameterGroups : public Card {
  Q_OBJECT
 public:
  explicit ParameterGroups(Context& context, QWidget* parent = nullptr);
  void retranslate();
  bool reveal(const QString& key);  // "parameters[1].match"
  QTableWidget* table() const { return table_; }
  QPushButton* addButton() const { return add_; }

 private:
  enum Column { Match, Factor, Decay, Frozen, Count };
  void refresh();
  void add();
  void removeCurrent();
  void replace(const Json& rules);
  void store(int row, int column);
  Json rules() const;

  Context& context_;
  QTableWidget* table_;
  QPushButton *add_, *remove_;
  QLabel *note_, *problem_;
  bool filling_ = false;
};

}  // namespace trainyard::ui
