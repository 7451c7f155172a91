#pragma once
// What now: runs that are going, recipes with their runs, a place for a folder, practice, and one line about the computer.
#include "ui/pages/computer/inspection.h"
#include "ui/pages/home/recipe_list.h"
#include "ui/pages/page.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class Columns;
class DropZone;

class HomePage : public Page {
  Q_OBJECT
 public:
  explicit HomePage(Context& context, QWidget* parent = nullptr);
  QString id() const override { return "home"; }
  void shown() override;
  bool settled() const override;

 protected:
  void retranslate() override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void refresh();
  void refreshLive();
  void refreshRecipes();
  void refreshComputer();
  QWidget* liveRow(const runs::RunSummary& run);
  QWidget* recipeRow(const RecipeEntry& entry);
  QWidget* runRow(const runs::RunSummary& run);
  QString describe(const RecipeEntry& entry) const;
  void openRecipe(const QString& file);
  void practise();
  void showRecipeMenu(const QString& file, const QPoint& where);
  void duplicate(const QString& file);
  void remove(const QString& file);

  Inspection* inspection_;
  Columns* columns_;
  QLabel* title_;
  Card *live_, *recipes_, *practice_, *computer_;
  QVBoxLayout *live_rows_, *recipe_rows_;
  DropZone* drop_;
  QLabel *practice_text_, *computer_text_;
  QPushButton *practice_start_, *computer_more_;
  QByteArray shown_state_;  // what the lists were built from
  bool watching_ = false;
};

}  // namespace trainyard::ui
