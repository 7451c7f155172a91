#pragma once
// A chain as a list of steps that can be ordered (by dragging, or Alt and the arrow keys), switched, added and taken out.
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>
#include <map>

#include "ui/pages/input/step_row.h"

namespace trainyard::ui {

class StepList : public QWidget {
  Q_OBJECT
 public:
  explicit StepList(RecipeDocument* recipe, QWidget* parent = nullptr);
  // Shows the recipe's "augment" or "eval_augment".
  void setChain(const QString& chain);
  // Shows steps that cannot be edited, instead.
  void setFixed(const Json& steps);
  void setNewSize(int size) { new_size_ = size; }            // of steps that want one
  void setFaults(const std::map<QString, QString>& faults);  // step → what is wrong
  void refresh();                                            // from the recipe
  QString selected() const { return selected_; }             // "" none
  void select(const QString& path);
  const std::vector<StepRow*>& rows() const { return rows_; }
  QMenu* addMenu() const { return menu_; }  // filled when it opens
  void retranslate();

 Q_SIGNALS:
  void selectionChanged(const QString& path);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  StepRow* makeRow();
  void rebuild(const std::vector<Step>& steps);
  void fillMenu();
  void drag(const QString& path, int y, bool ended);
  void moveSelection(int by);
  void put(const QString& path);  // selects and focuses what an edit has moved
  StepRow* rowOf(const QString& path) const;

  RecipeDocument* recipe_;
  QString chain_ = "augment", selected_;
  Json fixed_;  // null: the recipe's chain
  int new_size_ = 224;
  std::map<QString, QString> faults_;
  QVBoxLayout* rows_layout_;
  std::vector<StepRow*> rows_;
  QPushButton* add_;
  QMenu* menu_;
  int drop_y_ = -1;  // where a line shows the place of what is dragged
};

}  // namespace trainyard::ui
