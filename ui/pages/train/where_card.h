#pragma once
// On which devices, and how they share the work: devices, strategies, the chosen strategy's own settings, a pipeline's stages.
#include "ui/context.h"
#include "ui/forms/param_form.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class DeviceList;
class StageEditor;
class StrategyCards;
class StrategyPlan;

class WhereCard : public Card {
  Q_OBJECT
 public:
  explicit WhereCard(Context& context, QWidget* parent = nullptr);
  void retranslate();
  bool reveal(const QString& key);
  bool settled() const;  // no question is on its way

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  StrategyPlan* plan_;
  DeviceList* devices_;
  StrategyCards* strategies_;
  ParamForm *chosen_, *rest_;
  StageEditor* stages_;
  QLabel* share_title_;
};

}  // namespace trainyard::ui
