// Mouse and keys of a chart.
#include <QKeyEvent>
#include <cmath>

#include "ui/plots/chart_parts.h"

namespace trainyard::ui {

void LineChart::stepCrosshair(int direction, bool far) {
  const ChartSeries* one = nullptr;
  for (const auto& candidate : d_->series) {
    if (candidate.decidesRange() && (!one || candidate.x.size() > one->x.size())) one = &candidate;
  }
  if (!one || one->x.isEmpty()) return;
  auto index = std::isnan(d_->cross) ? one->x.size() - 1 : nearestIndex(one->x, d_->cross) + direction * (far ? qMax<qsizetype>(1, one->x.size() / 20) : 1);
  index = qBound<qsizetype>(0, index, one->x.size() - 1);
  setCrosshair(one->x[index]);
  emit crosshairMoved(d_->cross);
}

void LineChart::keyPressEvent(QKeyEvent* event) {
  if (!d_->interactive || (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_F:
      fit();
      break;
    case Qt::Key_End:
      setFollowing(true);
      break;
    case Qt::Key_L:
      if (d_->log || d_->log_offered) setLogScale(!d_->log);
      break;
    case Qt::Key_X:
      emit axisCycled();
      break;
    case Qt::Key_BracketLeft:
      emit smoothingStepped(0.5);
      break;
    case Qt::Key_BracketRight:
      emit smoothingStepped(2);
      break;
    case Qt::Key_Left:
      stepCrosshair(-1, event->modifiers() & Qt::ShiftModifier);
      break;
    case Qt::Key_Right:
      stepCrosshair(1, event->modifiers() & Qt::ShiftModifier);
      break;
    case Qt::Key_1:
    case Qt::Key_2:
    case Qt::Key_3:
      emit maximizeRequested(event->key() - Qt::Key_0);
      break;
    case Qt::Key_Escape:
      if (std::isnan(d_->cross)) return QWidget::keyPressEvent(event);
      setCrosshair(qQNaN());
      emit crosshairMoved(qQNaN());
      break;
    default:
      return QWidget::keyPressEvent(event);
  }
  event->accept();
}

bool LineChart::eventFilter(QObject* object, QEvent* event) {
  if (object != d_->plot || !d_->interactive) return QWidget::eventFilter(object, event);
  switch (event->type()) {
    case QEvent::MouseMove: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      const bool inside = d_->plot->axisRect()->rect().contains(mouse->pos());
      setCrosshair(inside ? d_->plot->xAxis->pixelToCoord(mouse->position().x()) : qQNaN());
      emit crosshairMoved(d_->cross);
      break;
    }
    case QEvent::Leave:
      setCrosshair(qQNaN());
      emit crosshairMoved(d_->cross);
      break;
    case QEvent::MouseButtonPress:
      setFocus(Qt::MouseFocusReason);
      break;
    case QEvent::MouseButtonDblClick:
      fit();
      return true;
    default:
      break;
  }
  return QWidget::eventFilter(object, event);
}

void LineChart::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  touch();
}

void LineChart::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  d_->style();  // the fonts of the style sheet are known by now
  touch();
}

}  // namespace trainyard::ui
