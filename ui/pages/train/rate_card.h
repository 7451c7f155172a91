#pragma once
// The learning rate of every update, drawn before anything runs, and a search for a good one.
#include "ui/context.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class LineChart;
class RateFinder;

class RateCard : public Card {
  Q_OBJECT
 public:
  explicit RateCard(Context& context, QWidget* parent = nullptr);
  void retranslate();
  RateFinder* finder() const { return finder_; }

 private:
  void draw();

  Context& context_;
  LineChart* chart_;
  QLabel* note_;
  RateFinder* finder_;
};

}  // namespace trainyard::ui
