#include "ui/pages/input/step_row.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>

#include "ui/icons/icons.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kIndent = 20;
constexpr int kGrip = 14;

// A label that gives way instead of asking for room.
QLabel* yieldingLabel(const char* look, QWidget* parent) {
  auto* label = makeLabel(look, parent);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return label;
}

}  // namespace

StepRow::StepRow(bool read_only, QWidget* parent) : QFrame(parent), read_only_(read_only) {
  setProperty("step", true);
  setFocusPolicy(read_only ? Qt::NoFocus : Qt::StrongFocus);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(6, 5, 4, 5);
  row->setSpacing(6);
  grip_ = new QLabel(this);
  grip_->setPixmap(icon("grip", QPalette::PlaceholderText).pixmap(kGrip, kGrip));
  grip_->setCursor(Qt::OpenHandCursor);
  box_ = new QCheckBox(this);
  box_->setFocusPolicy(Qt::NoFocus);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(0);
  title_ = makeLabel("strong", this);
  summary_ = yieldingLabel("secondary", this);
  fault_ = makeLabel("error", this, true);
  texts->addWidget(title_);
  texts->addWidget(summary_);
  texts->addWidget(fault_);
  remove_ = new QToolButton(this);
  remove_->setIcon(icon("close"));
  remove_->setFocusPolicy(Qt::NoFocus);
  row->addWidget(grip_);
  row->addWidget(box_);
  row->addLayout(texts, 1);
  row->addWidget(remove_);
  for (QWidget* widget : std::initializer_list<QWidget*>{grip_, box_, remove_}) widget->setVisible(!read_only);
  fault_->hide();
  connect(box_, &QCheckBox::clicked, this, [this](bool on) { Q_EMIT toggled(step_.path, on); });
  connect(remove_, &QToolButton::clicked, this, [this] { Q_EMIT removeRequested(step_.path); });
  retranslate();
}

void StepRow::setStep(const Step& step) {
  step_ = step;
  layout()->setContentsMargins(6 + step.depth * kIndent, 5, 4, 5);
  box_->setChecked(step.enabled);
  title_->setText(step.title);
  title_->setEnabled(step.enabled);
  summary_->setText(step.summary);
  summary_->setToolTip(step.summary);
  summary_->setVisible(!step.summary.isEmpty());
  setAccessibleName(step.title + " " + step.summary);
  box_->setAccessibleName(step.title);
}

void StepRow::setFault(const QString& text) {
  fault_->setText(text);
  fault_->setVisible(!text.isEmpty());
  setLook(this, "wrong", !text.isEmpty());
  setLook(title_, "tone", text.isEmpty() ? "" : "bad");
}

void StepRow::setSelected(bool selected) { setLook(this, "chosen", selected); }

void StepRow::retranslate() {
  grip_->setToolTip(tr("Drag to another place  (Alt+↑, Alt+↓)"));
  box_->setToolTip(tr("On or off  (Space)"));
  remove_->setToolTip(tr("Take the step out  (Del)"));
  remove_->setAccessibleName(tr("Take the step out"));
}

void StepRow::mousePressEvent(QMouseEvent* event) {
  if (read_only_ || event->button() != Qt::LeftButton) return QFrame::mousePressEvent(event);
  pressed_ = event->pos();
  setFocus(Qt::MouseFocusReason);
  Q_EMIT selected(step_.path);
}

void StepRow::mouseMoveEvent(QMouseEvent* event) {
  if (read_only_ || !(event->buttons() & Qt::LeftButton)) return;
  if (!dragging_ && (event->pos() - pressed_).manhattanLength() < QApplication::startDragDistance()) return;
  dragging_ = true;
  Q_EMIT dragged(step_.path, mapToParent(event->pos()).y(), false);
}

void StepRow::mouseReleaseEvent(QMouseEvent* event) {
  if (!dragging_) return;
  dragging_ = false;
  Q_EMIT dragged(step_.path, mapToParent(event->pos()).y(), true);
}

void StepRow::keyPressEvent(QKeyEvent* event) {
  const bool up = event->key() == Qt::Key_Up, down = event->key() == Qt::Key_Down;
  if (up || down) {
    const int by = up ? -1 : 1;
    if (event->modifiers() & Qt::AltModifier) return Q_EMIT moveRequested(step_.path, by);
    return Q_EMIT selectionMoved(by);
  }
  if (event->key() == Qt::Key_Space) return Q_EMIT toggled(step_.path, !step_.enabled);
  if (event->key() == Qt::Key_Delete) return Q_EMIT removeRequested(step_.path);
  QFrame::keyPressEvent(event);
}

void StepRow::focusInEvent(QFocusEvent* event) {
  QFrame::focusInEvent(event);
  if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) Q_EMIT selected(step_.path);
}

}  // namespace trainyard::ui
