#include "ui/plots/chart_card.h"

#include <QLabel>
#include <QPainter>
#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>

namespace trainyard::ui {
namespace {

constexpr int kSwatch = 12, kGap = 6, kBetween = 14;

}  // namespace

ChartLegend::ChartLegend(QWidget* parent) : QWidget(parent) {
  QFont small = font();
  if (small.pointSizeF() > 0) small.setPointSizeF(small.pointSizeF() * 12 / 13);
  setFont(small);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ChartLegend::setEntries(const QVector<Entry>& entries, const QColor& text) {
  if (entries_ == entries && text_ == text) return;
  entries_ = entries;
  text_ = text;
  fitHeight();
  updateGeometry();
  update();
}

void ChartLegend::setWrapping(bool on) {
  wraps_ = on;
  fitHeight();
}

// A layout that asks for a height by the width would share the page out differently for a line more.
void ChartLegend::fitHeight() {
  const QVector<QPoint> all = places();
  if (wraps_) setFixedHeight((all.isEmpty() ? 0 : all.last().y()) + lineHeight());
}

void ChartLegend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitHeight();
}

QSize ChartLegend::sizeHint() const {
  int width = 0;
  for (const Entry& entry : entries_) width += kSwatch + kGap + fontMetrics().horizontalAdvance(entry.name) + kBetween;
  return {width, lineHeight()};
}

QVector<QPoint> ChartLegend::places() const {
  QVector<QPoint> all;
  QPoint next(0, 0);
  for (const Entry& entry : entries_) {
    const int wide = kSwatch + kGap + fontMetrics().horizontalAdvance(entry.name);
    if (wraps_ && next.x() > 0 && next.x() + wide > width()) next = {0, next.y() + lineHeight()};
    all << next;
    next.rx() += wide + kBetween;
  }
  return all;
}

void ChartLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QVector<QPoint> all = places();
  for (qsizetype i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const int left = all[i].x(), text = left + kSwatch + kGap, room = width() - text;
    const double middle = all[i].y() + lineHeight() / 2.0;
    QPen pen(entry.color, 3, Qt::SolidLine, entry.dashed ? Qt::FlatCap : Qt::RoundCap);
    if (entry.dashed) pen.setDashPattern({1, 0.6});  // in pen widths: three dots in a swatch
    painter.setPen(pen);
    painter.drawLine(QPointF(left + 1.5, middle), QPointF(left + kSwatch - 1.5, middle));
    if (room < 12) return;
    painter.setPen(text_);
    painter.drawText(QRect(text, all[i].y(), room, lineHeight()), Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(entry.name, Qt::ElideRight, room));
  }
}

ChartCard::ChartCard(QWidget* parent) : QFrame(parent) {
  setProperty("card", true);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(10, 8, 10, 8);
  all->setSpacing(4);
  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  title_ = new QLabel(this);
  title_->setProperty("look", "strong");
  tabs_ = new QTabBar(this);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setElideMode(Qt::ElideNone);
  tabs_->setUsesScrollButtons(true);  // in a narrow window
  tabs_->hide();
  legend_ = new ChartLegend(this);
  controls_ = new QHBoxLayout;
  controls_->setSpacing(8);
  head->addWidget(title_);
  head->addWidget(tabs_);
  head->addWidget(legend_, 1);
  head->addLayout(controls_);
  all->addLayout(head);
  stack_ = new QStackedLayout;
  all->addLayout(stack_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    if (index < 0 || index >= charts_.size()) return;
    stack_->setCurrentIndex(index);
    updateLegend();
    Q_EMIT currentChanged(index);
  });
}

LineChart* ChartCard::addChart() {
  auto* chart = new LineChart(this);
  charts_.push_back(chart);
  stack_->addWidget(chart);
  if (charts_.size() > 1) {
    while (tabs_->count() < charts_.size()) tabs_->addTab(QString());
    tabs_->show();
    title_->hide();
    legend_->hide();
  }
  return chart;
}

LineChart* ChartCard::current() const { return charts_.value(currentIndex()); }
int ChartCard::currentIndex() const { return stack_->currentIndex(); }

void ChartCard::setCurrentIndex(int index) {
  if (charts_.size() > 1) tabs_->setCurrentIndex(index);
}

void ChartCard::setTitles(const QStringList& titles) {
  if (charts_.size() == 1) {
    title_->setText(titles.value(0));
  } else {
    for (int i = 0; i < tabs_->count(); ++i) tabs_->setTabText(i, titles.value(i));
  }
  for (int i = 0; i < charts_.size(); ++i) charts_[i]->setAccessibleName(titles.value(i));
}

void ChartCard::setTabVisible(int index, bool visible) {
  if (tabs_->isTabVisible(index) != visible) tabs_->setTabVisible(index, visible);
}

void ChartCard::setLegendBelow(bool shown) {
  if (charts_.size() < 2 || legend_->isVisibleTo(this) == shown) return;
  auto* all = static_cast<QVBoxLayout*>(layout());
  if (all->indexOf(legend_) < 0) {
    all->insertWidget(1, legend_);
    legend_->setWrapping(true);
  }
  legend_->setVisible(shown);
}

void ChartCard::setTokens(const Tokens& tokens) {
  tokens_ = tokens;
  for (LineChart* chart : charts_) chart->setTokens(tokens);
  updateLegend();
}

void ChartCard::updateLegend() {
  LineChart* chart = current();
  if (!chart) return;
  QVector<ChartLegend::Entry> entries;
  for (const QString& name : chart->seriesNames()) entries.push_back({name, chart->seriesColor(name), chart->seriesDashed(name)});
  legend_->setEntries(entries, tokens_.secondary);
}

}  // namespace trainyard::ui
