#include "ui/widgets/bar_list.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kBarHeight = 10;
constexpr int kRowPadding = 6;
constexpr double kNameShare = 0.38;
constexpr int kGap = 10;

}  // namespace

BarList::BarList(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

int BarList::rowHeight() const { return fontMetrics().height() + kRowPadding; }

void BarList::setRows(const QStringList& names, const QVector<quint64>& values, bool numbers) {
  numbers_ = numbers;
  names_ = names;
  values_ = values;
  largest_ = values.isEmpty() ? 0 : *std::max_element(values.begin(), values.end());
  updateGeometry();
  update();
}

QSize BarList::sizeHint() const { return {240, int(values_.size()) * rowHeight()}; }

void BarList::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPalette palette = QApplication::palette();
  const int number_width = !numbers_ ? 0 : fontMetrics().horizontalAdvance(formatNumber(qlonglong(largest_)));
  const int name_width = int(width() * kNameShare);
  const int bar_left = name_width + kGap, bar_width = std::max(0, width() - bar_left - kGap - number_width);
  const int first = std::max(0, event->rect().top() / rowHeight());
  const int last = std::min(int(values_.size()) - 1, event->rect().bottom() / rowHeight());
  for (int i = first; i <= last; ++i) {
    const QRect row(0, i * rowHeight(), width(), rowHeight());
    painter.setPen(palette.color(QPalette::WindowText));
    painter.drawText(QRect(0, row.top(), name_width, row.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(names_.value(i), Qt::ElideMiddle, name_width));
    if (numbers_) painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, formatNumber(qlonglong(values_[i])));
    const QRectF ground(bar_left, row.center().y() - kBarHeight / 2.0, bar_width, kBarHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.color(QPalette::Button));
    painter.drawRoundedRect(ground, 2, 2);
    if (largest_ == 0 || values_[i] == 0) continue;
    QRectF bar = ground;
    bar.setWidth(std::max(2.0, ground.width() * double(values_[i]) / double(largest_)));
    painter.setBrush(color_.isValid() ? color_ : palette.color(QPalette::Link));
    painter.drawRoundedRect(bar, 2, 2);
  }
}

void BarList::mouseReleaseEvent(QMouseEvent* event) {
  const int row = int(event->position().y()) / rowHeight();
  if (row >= 0 && row < values_.size()) Q_EMIT clicked(row);
}

bool BarList::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = help->pos().y() / rowHeight();
    if (row >= 0 && row < values_.size())
      QToolTip::showText(help->globalPos(), numbers_ ? QString("%1: %2").arg(names_.value(row), formatNumber(qlonglong(values_[row]))) : names_.value(row));
    return true;
  }
  return QWidget::event(event);
}

}  // namespace trainyard::ui
