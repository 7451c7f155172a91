#include "ui/pages/train/rate_finder.h"

#include <QHBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/forms/number_text.h"
#include "ui/plots/line_chart.h"
#include "ui/recipe_document.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

constexpr int kChartHeight = 150;

QVector<double> numbers(const Json& document, const char* key) {
  QVector<double> values;
  if (!document.is_object() || !document.contains(key) || !document.at(key).is_array()) return values;
  for (const Json& value : document.at(key)) values.push_back(numberFrom(value));
  return values;
}

// Two digits are more than a range test can tell.
double rounded(double rate) {
  if (!(rate > 0) || !std::isfinite(rate)) return qQNaN();
  const double unit = std::pow(10.0, std::floor(std::log10(rate)) - 1);
  return QString::number(std::round(rate / unit) * unit, 'g', 2).toDouble();
}

}  // namespace

RateFinder::RateFinder(Context& context, QWidget* parent) : QWidget(parent), context_(context), suggestion_(qQNaN()) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(8);
  find_ = makeButton(this);
  find_->setObjectName("findRate");
  use_ = makeButton(this);
  use_->setObjectName("useRate");
  setLook(use_, "primary", true);
  close_ = makeLink(this);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  note_ = makeLabel("secondary", this, true);
  chart_ = new LineChart(this);
  chart_->setFixedHeight(kChartHeight);
  chart_->setTokens(context_.theme->tokens());
  chart_->setUnits(AxisUnit::Decades, AxisUnit::Number);
  chart_->setHalfLife(0);
  chart_->setLabelsAtEnds(false);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(find_);
  row->addWidget(use_);
  row->addWidget(progress_, 1);
  row->addStretch(1);
  row->addWidget(close_);
  all->addWidget(chart_);
  all->addWidget(note_);
  all->addLayout(row);
  connect(find_, &QPushButton::clicked, this, &RateFinder::find);
  connect(use_, &QPushButton::clicked, this, &RateFinder::use);
  connect(close_, &QPushButton::clicked, this, [this] {
    answer_ = {};
    problem_.clear();
    place();
  });
  connect(&call_, &EngineCall::progressed, this, [this](double share) {
    progress_->setRange(0, 1000);
    progress_->setValue(int(1000 * share));
  });
  connect(&call_, &EngineCall::finished, this, &RateFinder::show);
  connect(&call_, &EngineCall::failed, this, [this](const Error& error) {
    problem_ = QString::fromStdString(error.what);
    if (!error.hint.empty()) problem_ += QStringLiteral(" – ") + QString::fromStdString(error.hint);
    place();
  });
  connect(context_.theme, &Theme::changed, this, [this] { chart_->setTokens(context_.theme->tokens()); });
}

void RateFinder::find() {
  if (call_.running()) {
    call_.cancel();
    return place();
  }
  problem_.clear();
  const auto whole = context_.recipe->whole();
  if (!whole) {
    problem_ = tr("The recipe has values to fix first: %1").arg(QString::fromStdString(whole.error().what));
    return place();
  }
  answer_ = {};
  progress_->setRange(0, 0);
  call_.startWith(whole->document, {}, {QStringLiteral("lr-find"), QStringLiteral("RECIPE")});
  place();
}

void RateFinder::use() {
  if (!std::isnan(suggestion_)) context_.recipe->set("optimizer.lr", suggestion_);
}

void RateFinder::show(const Json& document) {
  answer_ = document;
  place();
}

void RateFinder::place() {
  const bool running = call_.running();
  QVector<double> rates = numbers(answer_, "lr"), smoothed = numbers(answer_, "smoothed");
  if (smoothed.size() != rates.size()) smoothed = numbers(answer_, "loss");
  const auto count = std::min(rates.size(), smoothed.size());
  rates.resize(count);
  smoothed.resize(count);
  for (double& rate : rates) rate = std::log10(rate);
  suggestion_ = answer_.is_object() && answer_.contains("suggestion") ? rounded(numberFrom(answer_.at("suggestion"))) : qQNaN();
  const bool drawn = count > 1, found = !std::isnan(suggestion_);
  chart_->setVisible(drawn);
  if (drawn) {
    chart_->clear();
    // Where the loss blows up it would press the rest flat: half above the first value is high enough.
    const double high = 1.5 * std::fabs(smoothed.first());
    const auto cut = std::find_if(smoothed.begin(), smoothed.end(), [high](double loss) { return !std::isfinite(loss) || loss > high; }) - smoothed.begin();
    rates.resize(cut);
    smoothed.resize(cut);
    chart_->setSeries(tr("loss"), rates, smoothed, SeriesKind::Line, 0);
    if (found) chart_->setMarks({{std::log10(suggestion_), MarkKind::Change, numberText(suggestion_)}});
    chart_->fit();
    chart_->refresh();
  }
  find_->setText(running ? tr("Cancel") : drawn ? tr("Try again") : tr("Find a good rate…"));
  find_->setToolTip(tr("Trains for a moment with a rising rate, on a copy of the network; nothing is kept."));
  use_->setVisible(found && !running);
  use_->setText(tr("Use %1").arg(numberText(suggestion_)));
  close_->setVisible((drawn || !problem_.isEmpty()) && !running);
  close_->setText(tr("Close"));
  progress_->setVisible(running);
  setLook(note_, "look", problem_.isEmpty() ? "secondary" : "error");
  note_->setText(!problem_.isEmpty()          ? problem_
                 : running                    ? tr("Training with a rising rate, to see where the loss falls fastest and where it breaks.")
                 : found                      ? tr("The loss falls fastest near %1; far above it, it breaks.").arg(numberText(suggestion_))
                 : drawn                      ? tr("No rate made the loss fall. More updates per epoch, or other data, may tell more.")
                                              : QString());
  note_->setVisible(!note_->text().isEmpty());
}

void RateFinder::retranslate() { place(); }

}  // namespace trainyard::ui
