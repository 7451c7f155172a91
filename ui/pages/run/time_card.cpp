#include "ui/pages/run/time_card.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/models/run_text.h"

namespace trainyard::ui {
namespace {

constexpr int kParts = 4, kBarHeight = 12, kRowPadding = 8, kGap = 10, kSwatch = 9;
constexpr double kNameShare = 0.32;

double partOf(const RankTimes& times, int part) {
  const double parts[kParts] = {times.compute, times.communication, times.data_wait, times.idle};
  return parts[part];
}

QString milliseconds(double ms) { return QLocale().toString(ms, 'f', ms < 10 ? 2 : ms < 100 ? 1 : 0); }

}  // namespace

TimeBars::TimeBars(QWidget* parent) : QWidget(parent), tokens_(lightTokens()) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void TimeBars::setTokens(const Tokens& tokens) {
  tokens_ = tokens;
  update();
}

void TimeBars::show(const std::vector<RankTimes>& ranks) {
  const bool rows_changed = ranks.size() != ranks_.size();
  ranks_ = ranks;
  if (rows_changed) updateGeometry();
  QStringList lines;
  for (int row = 0; row < int(ranks_.size()); ++row) lines << tip(row);
  setAccessibleDescription(lines.join(QLatin1Char('\n')));
  update();
}

QStringList TimeBars::partNames() { return {tr("Computing"), tr("Communication"), tr("Waiting for data"), tr("Idle")}; }

// Idling is no work: it has the colour of an empty bar.
QColor TimeBars::partColor(int part) const {
  constexpr int kColors[] = {0, 3, 1};
  return part < 3 && !tokens_.series.isEmpty() ? tokens_.series.value(kColors[part]) : tokens_.hairline;
}

QString TimeBars::rowName(int row) const {
  const RankTimes& times = ranks_[size_t(row)];
  const QString name = deviceName(times.device);
  const auto alike = std::count_if(ranks_.begin(), ranks_.end(), [&](const RankTimes& other) { return other.device == times.device; });
  return alike > 1 ? tr("%1, rank %2").arg(name).arg(times.rank) : name;
}

QVector<double> TimeBars::shares(int row) const {
  const RankTimes& times = ranks_[size_t(row)];
  QVector<double> parts;
  for (int part = 0; part < kParts; ++part) parts << (times.all() > 0 ? partOf(times, part) / times.all() : 0);
  return parts;
}

QString TimeBars::tip(int row) const {
  const QVector<double> parts = shares(row);
  const QStringList names = partNames();
  QStringList lines = {tr("%1: %2 ms an update").arg(rowName(row), milliseconds(ranks_[size_t(row)].all()))};
  for (int part = 0; part < kParts; ++part) {
    lines << tr("%1: %2 (%3 ms)").arg(names[part], percentText(parts[part], 0), milliseconds(partOf(ranks_[size_t(row)], part)));
  }
  return lines.join(QLatin1Char('\n'));
}

int TimeBars::rowHeight() const { return fontMetrics().height() + kRowPadding; }

int TimeBars::legendRows() const { return (kParts + 1) / 2; }

QSize TimeBars::sizeHint() const {
  const QFontMetrics small(textFont(TextSize::Secondary));
  return {240, int(ranks_.size()) * rowHeight() + legendRows() * (small.height() + 2)};
}

void TimeBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const int name_width = int(width() * kNameShare), left = name_width + kGap, room = std::max(0, width() - left);
  for (int row = 0; row < int(ranks_.size()); ++row) {
    const QRect line(0, row * rowHeight(), width(), rowHeight());
    painter.setPen(tokens_.text);
    painter.drawText(QRect(0, line.top(), name_width, line.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(rowName(row), Qt::ElideMiddle, name_width));
    const QVector<double> parts = shares(row);
    double x = left;
    painter.setPen(Qt::NoPen);
    for (int part = 0; part < kParts; ++part) {
      const double wide = room * parts[part];
      painter.fillRect(QRectF(x, line.center().y() - kBarHeight / 2.0, wide, kBarHeight), partColor(part));
      x += wide;
    }
  }
  painter.setFont(textFont(TextSize::Secondary));
  const QStringList names = partNames();
  const int height = painter.fontMetrics().height() + 2, top = int(ranks_.size()) * rowHeight();
  for (int part = 0; part < kParts; ++part) {
    const QRect cell((part % 2) * width() / 2, top + (part / 2) * height, width() / 2, height);
    painter.fillRect(QRectF(cell.left(), cell.center().y() - kSwatch / 2.0 + 0.5, kSwatch, kSwatch), partColor(part));
    painter.setPen(tokens_.secondary);
    const QRect text = cell.adjusted(kSwatch + 6, 0, -4, 0);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(names[part], Qt::ElideRight, text.width()));
  }
}

bool TimeBars::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = help->pos().y() / rowHeight();
    if (row >= 0 && row < int(ranks_.size())) QToolTip::showText(help->globalPos(), tip(row), this);
    return true;
  }
  return QWidget::event(event);
}

TimeCard::TimeCard(QWidget* parent) : Card(parent) {
  caption_ = makeLabel("caps", this);
  bars_ = new TimeBars(this);
  body()->addWidget(caption_);
  body()->addWidget(bars_);
  hide();
}

void TimeCard::show(const std::vector<RankTimes>& ranks) {
  setVisible(!ranks.empty());
  bars_->show(ranks);
}

void TimeCard::retranslate() {
  caption_->setText(tr("Time of each device"));
  bars_->setAccessibleName(caption_->text());
  bars_->update();
}

}  // namespace trainyard::ui
