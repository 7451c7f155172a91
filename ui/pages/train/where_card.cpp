#include "ui/pages/train/where_card.h"

#include "ui/pages/train/device_list.h"
#include "ui/pages/train/stage_editor.h"
#include "ui/pages/train/strategy_cards.h"
#include "ui/pages/train/strategy_plan.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {

WhereCard::WhereCard(Context& context, QWidget* parent) : Card(parent), plan_(new StrategyPlan(context, this)) {
  devices_ = new DeviceList(context, this);
  share_title_ = makeLabel("strong", this);
  strategies_ = new StrategyCards(context, *plan_, this);
  chosen_ = new ParamForm(context.recipe, this);
  chosen_->addChosenParams("parallel");
  chosen_->setHidden("parallel.cuts", true);  // the bar below shows them
  connect(chosen_, &ParamForm::built, this, [this] { chosen_->setVisible(!chosen_->empty()); });
  chosen_->build();
  stages_ = new StageEditor(context, *plan_, this);
  rest_ = new ParamForm(context.recipe, this);
  for (const auto* key : {"train.threads", "train.activation_checkpointing", "train.deterministic", "parallel.timeout"}) rest_->addKey(key);
  rest_->build();
  for (QWidget* part : std::initializer_list<QWidget*>{devices_, makeLine(this), share_title_, strategies_, chosen_, stages_, makeLine(this), rest_}) {
    body()->addWidget(part);
  }
  retranslate();
}

bool WhereCard::reveal(const QString& key) {
  if (key.startsWith(QLatin1String("parallel.devices"))) {
    devices_->focusFirst();
    return true;
  }
  if (key == QLatin1String("parallel.strategy")) {
    strategies_->setFocus(Qt::OtherFocusReason);
    return true;
  }
  return stages_->reveal(key) || chosen_->reveal(key) || rest_->reveal(key);
}

bool WhereCard::settled() const { return !plan_->busy(); }

void WhereCard::showEvent(QShowEvent* event) {
  Card::showEvent(event);
  plan_->setActive(true);
}

void WhereCard::hideEvent(QHideEvent* event) {
  plan_->setActive(false);
  Card::hideEvent(event);
}

void WhereCard::retranslate() {
  setTitle(tr("On which devices"));
  share_title_->setText(tr("How they share the work"));
  devices_->retranslate();
  strategies_->retranslate();
  chosen_->retranslate();
  stages_->retranslate();
  rest_->retranslate();
}

}  // namespace trainyard::ui
