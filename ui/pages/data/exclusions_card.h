#pragma once
// What the recipe leaves out, and the way back.
#include <QListView>
#include <QStringListModel>

#include "ui/pages/data/exclusions.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class ExclusionsCard : public Card {
  Q_OBJECT
 public:
  explicit ExclusionsCard(RecipeDocument* recipe, QWidget* parent = nullptr);
  void refresh();  // hides itself when nothing is left out
  QListView* list() const { return list_; }
  QPushButton* putBackButton() const { return back_; }
  QPushButton* putAllBackButton() const { return all_; }
  void retranslate();

 private:
  void putSelectedBack();

  RecipeDocument* recipe_;
  Exclusions shown_;
  QLabel* count_;
  QListView* list_;
  QStringListModel* names_;
  QPushButton *back_, *all_;
};

}  // namespace trainyard::ui
