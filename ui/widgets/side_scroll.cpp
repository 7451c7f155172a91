#include "ui/widgets/side_scroll.h"

#include <QEvent>

namespace trainyard::ui {
namespace {

constexpr int kBar = 10;  // the style sheet's scroll bar
constexpr int kLeastHeight = 120;

}  // namespace

SideScroll::SideScroll(QWidget* parent) : QScrollArea(parent) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  auto* ground = new QWidget;
  ground->setObjectName("scrolled");
  column_ = new QVBoxLayout(ground);
  column_->setContentsMargins(0, 0, 0, 0);
  setWidget(ground);
  viewport()->setAutoFillBackground(false);
  ground->setAutoFillBackground(false);
}

QSize SideScroll::sizeHint() const { return {widget()->sizeHint().width() + kBar, widget()->sizeHint().height()}; }
QSize SideScroll::minimumSizeHint() const { return {widget()->minimumSizeHint().width() + kBar, kLeastHeight}; }

// What a wider card asks for reaches the page.
bool SideScroll::eventFilter(QObject* object, QEvent* event) {
  if (object == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(object, event);
}

}  // namespace trainyard::ui
