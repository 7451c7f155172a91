#pragma once
// Where a pipeline's network is cut: the plan's blocks as a bar, and a line for each stage. Moving a cut writes parallel.cuts.
#include <QGridLayout>

#include "ui/context.h"
#include "ui/pages/train/strategy_plan.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class StageBar;

class StageEditor : public QWidget {
  Q_OBJECT
 public:
  StageEditor(Context& context, const StrategyPlan& plan, QWidget* parent = nullptr);
  void retranslate();
  bool reveal(const QString& key);  // "parallel.cuts", where the bar shows
  StageBar* bar() const { return bar_; }
  QPushButton* resetButton() const { return reset_; }
  QString stageText(int stage) const;  // its line, cells joined by " | "

 private:
  static constexpr int kColumns = 6;
  void refresh();
  void fillLines();
  void store();
  QVector<int> cutsOfRecipe() const;  // empty: it has none, or they do not fit the blocks
  QVector<int> cutsOfPlan() const;

  Context& context_;
  const StrategyPlan& plan_;
  StageBar* bar_;
  QLabel *title_, *note_, *idle_, *problem_;
  QPushButton* reset_;
  QGridLayout* lines_;
  std::vector<std::array<QLabel*, kColumns>> rows_;
};

}  // namespace trainyard::ui
