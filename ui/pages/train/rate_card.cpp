#include "ui/pages/train/rate_card.h"

#include <algorithm>

#include "core/schedule/schedule.h"
#include "ui/forms/number_text.h"
#include "ui/pages/train/rate_finder.h"
#include "ui/pages/train/step_count.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/plots/line_chart.h"
#include "ui/recipe_document.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

constexpr int kChartHeight = 168;
constexpr uint64_t kPoints = 600;

}  // namespace

RateCard::RateCard(Context& context, QWidget* parent) : Card(parent), context_(context) {
  chart_ = new LineChart(this);
  chart_->setFixedHeight(kChartHeight);
  chart_->setTokens(context_.theme->tokens());
  chart_->setUnits(AxisUnit::Epochs, AxisUnit::Number);
  chart_->setHalfLife(0);
  chart_->setLabelsAtEnds(false);
  note_ = makeLabel("secondary", this, true);
  body()->addWidget(chart_);
  body()->addWidget(note_);
  finder_ = new RateFinder(context_, this);
  body()->addWidget(makeLine(this));
  body()->addWidget(finder_);
  connect(context_.theme, &Theme::changed, this, [this] {
    chart_->setTokens(context_.theme->tokens());
    draw();
  });
  connect(context_.recipe, &RecipeDocument::changed, this, &RateCard::draw);
  connect(context_.dataset, &DatasetScan::changed, this, &RateCard::draw);
}

void RateCard::draw() {
  const auto whole = context_.recipe->part({"optimizer", "schedule"});
  const StepCount count = countSteps(context_);
  // Without the data, as if an epoch had a hundred updates: the shape is the same.
  const uint64_t per_epoch = count.per_epoch > 0 ? count.per_epoch : 100;
  const uint64_t epochs_wanted = count.epochs;
  QVector<double> epochs, rates;
  QString note;
  if (whole && epochs_wanted > 0) {
    const uint64_t total = per_epoch * epochs_wanted;
    const auto schedule = schedule::make(*whole, per_epoch, total);
    if (schedule) {
      const uint64_t stride = std::max<uint64_t>(1, total / kPoints);
      for (uint64_t step = 0; step < total; step += stride) {
        epochs << double(step) / double(per_epoch);
        rates << (*schedule)->at(step, {}).lr;
      }
      epochs << double(total) / double(per_epoch);
      rates << (*schedule)->at(total - 1, {}).lr;
      const auto [low, high] = std::minmax_element(rates.begin(), rates.end());
      note = *low == *high ? tr("%1 throughout").arg(numberText(*high)) : tr("highest %1, at the end %2").arg(numberText(*high), numberText(rates.back()));
      chart_->setFixedRange(0, *high * 1.05);
    } else {
      note = QString::fromStdString(schedule.error().what);
    }
  } else {
    note = tr("Drawn once every value is fine.");
  }
  note_->setText(note);
  if (epochs.isEmpty()) return;  // the last curve stays
  chart_->setSeries(tr("Learning rate"), epochs, rates, SeriesKind::Line, 0);
  chart_->fit();
  chart_->refresh();
}

void RateCard::retranslate() {
  setTitle(tr("Learning rate over the run"));
  chart_->clear();
  draw();
  finder_->retranslate();
}

}  // namespace trainyard::ui
