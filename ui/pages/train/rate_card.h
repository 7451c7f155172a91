#pragma once
// The learning rate of every update, drawn before anything runs.
#include "ui/context.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class LineChart;

class RateCard : public Card {
  Q_OBJECT
 public:
  explicit RateCard(Context& context, QWidget* parent = nullptr);
  void retranslate();

 private:
  void draw();

  Context& context_;
  LineChart* chart_;
  QLabel* note_;
};

}  // namespace trainyard::ui
