#include "ui/pages/run/run_cards.h"

#include <QProgressBar>
#include <algorithm>
#include <cmath>

#include "ui/models/run_text.h"
#include "ui/pages/run/event_text.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

constexpr size_t kNoticesShown = 6;

QString withUnits(double used, double total) {
  if (std::isnan(used)) return QStringLiteral("–");
  if (std::isnan(total)) return formatSize(static_cast<quint64>(used));
  // One unit for both: "9.4 / 24 GiB".
  const bool gib = total >= 1024.0 * 1024 * 1024;
  const double unit = gib ? 1024.0 * 1024 * 1024 : 1024.0 * 1024;
  const auto number = [&](double bytes) { return QString::number(bytes / unit, 'f', bytes / unit < 10 ? 1 : 0); };
  return QStringLiteral("%1 / %2 %3").arg(number(used), number(total), gib ? QStringLiteral("GiB") : QStringLiteral("MiB"));
}

}  // namespace

NumbersCard::NumbersCard(QWidget* parent) : Card(parent) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(16);
  grid->setVerticalSpacing(0);
  const auto cell = [&](int row, int column) {
    Cell one{makeLabel("secondary", this), makeLabel("page", this), makeLabel("secondary", this)};
    // Before its first number as high as with it.
    one.value->setMinimumHeight(QFontMetrics(textFont(TextSize::Page)).height());
    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    line->addWidget(one.value, 0, Qt::AlignBaseline);
    line->addWidget(one.unit, 0, Qt::AlignBaseline);
    line->addStretch(1);
    grid->addWidget(one.title, 3 * row, column);
    grid->addLayout(line, 3 * row + 1, column);
    grid->setColumnStretch(column, 1);
    return one;
  };
  best_ = cell(0, 0);
  now_ = cell(0, 1);
  speed_ = cell(1, 0);
  left_ = cell(1, 1);
  grid->setRowMinimumHeight(2, 8);
  body()->addLayout(grid);
}

void NumbersCard::put(const Cell& cell, const QString& title, const QString& value, const QString& unit) {
  cell.title->setText(title);
  cell.value->setText(value);
  cell.unit->setText(unit);
}

void NumbersCard::show(const RunSeries& series, bool live) {
  const QString metric = metricName(series.metric_name);
  put(best_, series.best_epoch >= 0 ? tr("Best %1, epoch %2").arg(metric.toLower()).arg(series.best_epoch + 1) : tr("Best %1").arg(metric.toLower()),
      metricText(series.metric_name, series.best));
  const double now = series.metric_name == "loss" ? series.eval_loss.last() : series.metric.last();
  put(now_, tr("Latest"), metricText(series.metric_name, now));
  const auto& speed = series.speed.value;
  double mean = qQNaN();
  if (!speed.isEmpty()) {
    const auto points = std::min<qsizetype>(speed.size(), 10);
    mean = 0;
    for (auto i = speed.size() - points; i < speed.size(); ++i) mean += speed[i] / static_cast<double>(points);
  }
  const QString pace = std::isnan(mean) ? QStringLiteral("–") : mean >= 100 ? formatNumber(std::llround(mean)) : QString::number(mean, 'f', 1);
  put(speed_, tr("Speed"), pace, std::isnan(mean) ? QString() : tr("pictures/s"));
  if (live)
    put(left_, tr("Left"), durationText(series.secondsLeft()));
  else
    put(left_, tr("Trained for"), series.seconds > 0 ? durationText(series.seconds) : QStringLiteral("–"));
}

DevicesCard::DevicesCard(QWidget* parent) : Card(parent) {
  caption_ = makeLabel("caps", this);
  nothing_ = makeLabel("secondary", this, true);
  grid_ = new QGridLayout;
  grid_->setHorizontalSpacing(12);
  grid_->setVerticalSpacing(8);
  grid_->setColumnStretch(1, 1);
  body()->addWidget(caption_);
  body()->addWidget(nothing_);
  body()->addLayout(grid_);
}

void DevicesCard::retranslate() {
  caption_->setText(tr("Devices"));
  nothing_->setText(tr("Their memory and use appear while the run trains."));
}

void DevicesCard::show(const std::vector<DeviceFigures>& devices, bool live) {
  nothing_->setVisible(devices.empty());
  while (rows_.size() < devices.size()) {
    const int at = static_cast<int>(rows_.size());
    Row row{new QLabel(this), new QLabel(this), new QLabel(this), new QLabel(this), new QProgressBar(this)};
    row.bar->setTextVisible(false);
    row.bar->setRange(0, 1000);
    row.bar->setMinimumWidth(48);
    for (QLabel* label : {row.memory, row.use, row.heat}) label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    grid_->addWidget(row.name, at, 0);
    grid_->addWidget(row.bar, at, 1, Qt::AlignVCenter);
    grid_->addWidget(row.memory, at, 2);
    grid_->addWidget(row.use, at, 3);
    grid_->addWidget(row.heat, at, 4);
    rows_.push_back(row);
  }
  for (size_t i = 0; i < rows_.size(); ++i) {
    const bool used = i < devices.size();
    for (QWidget* part : std::initializer_list<QWidget*>{rows_[i].name, rows_[i].bar, rows_[i].memory, rows_[i].use, rows_[i].heat}) part->setVisible(used);
    if (!used) continue;
    const DeviceFigures& device = devices[i];
    rows_[i].name->setText(deviceName(device.device));
    const bool share = std::isfinite(device.memory_used) && device.memory_total > 0;
    rows_[i].bar->setValue(share ? static_cast<int>(1000 * std::clamp(device.memory_used / device.memory_total, 0.0, 1.0)) : 0);
    rows_[i].bar->setToolTip(tr("Memory in use"));
    rows_[i].memory->setText(withUnits(device.memory_used, device.memory_total));
    // What is not known is left out: a zero would be a claim.
    rows_[i].use->setText(live && std::isfinite(device.utilization) ? QStringLiteral("%1 %").arg(std::llround(100 * device.utilization)) : QString());
    rows_[i].heat->setText(live && std::isfinite(device.temperature_c) ? QStringLiteral("%1 °C").arg(std::llround(device.temperature_c)) : QString());
    for (QLabel* label : {rows_[i].use, rows_[i].heat}) label->setVisible(!label->text().isEmpty());
    rows_[i].use->setToolTip(std::isfinite(device.power_w) ? tr("%1 W").arg(std::llround(device.power_w)) : QString());
  }
}

NoticesCard::NoticesCard(QWidget* parent) : Card(parent) {
  caption_ = makeLabel("caps", this);
  nothing_ = makeLabel("secondary", this, true);
  list_ = new QVBoxLayout;
  list_->setSpacing(8);
  body()->addWidget(caption_);
  body()->addWidget(nothing_);
  body()->addLayout(list_);
  body()->addStretch(1);
}

void NoticesCard::retranslate() {
  caption_->setText(tr("Notices"));
  nothing_->setText(tr("Nothing to report."));
}

void NoticesCard::clear() {
  notices_.clear();
  place();
}

void NoticesCard::add(const runs::Event& event) {
  const auto severity = event.fields.contains("severity") && event.fields.at("severity").is_string() ? event.fields.at("severity").get<std::string>() : "";
  notices_.push_back({QString::fromStdString(severity), eventText(event), event.time});
  if (notices_.size() > kNoticesShown) notices_.erase(notices_.begin());
  place();
}

void NoticesCard::place() {
  clearLayout(list_);
  nothing_->setVisible(notices_.empty());
  for (auto it = notices_.rbegin(); it != notices_.rend(); ++it) {
    auto* text = new QLabel(this);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    text->setText(clockSecondsText(it->time).left(5) + QStringLiteral("  ") + it->text);
    if (it->severity == QLatin1String("bad")) text->setProperty("tone", "bad");
    if (it->severity == QLatin1String("caution")) text->setProperty("tone", "caution");
    list_->addWidget(text);
  }
}

}  // namespace trainyard::ui
