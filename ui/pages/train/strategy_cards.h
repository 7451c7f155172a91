#pragma once
// How several devices share the work: a card for each strategy with what it is, what it takes on each device and how much faster it makes
// the training; below them what else the plan has to say.
#include <QMap>

#include "ui/context.h"
#include "ui/pages/train/strategy_plan.h"
#include "ui/widgets/choice_card.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class StrategyCards : public QWidget {
  Q_OBJECT
 public:
  StrategyCards(Context& context, const StrategyPlan& plan, QWidget* parent = nullptr);
  void retranslate();
  ChoiceCard* card(const QString& strategy) const { return cards_.value(strategy); }
  QString notesText() const { return notes_->text(); }

 private:
  void refresh();
  QString asideOf(const StrategyFigures& figures) const;
  QString noteText(const PlanNote& note) const;

  Context& context_;
  const StrategyPlan& plan_;
  QMap<QString, ChoiceCard*> cards_;
  QLabel *state_, *problem_, *notes_;
};

}  // namespace trainyard::ui
