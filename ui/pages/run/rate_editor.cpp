#include "ui/pages/run/rate_editor.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <cmath>

#include "ui/forms/number_text.h"
#include "ui/models/run_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

RateEditor::RateEditor(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  field_ = new QLineEdit(this);
  field_->setObjectName(QStringLiteral("rate"));
  field_->setFixedWidth(76);
  field_->installEventFilter(this);
  button_ = makeButton(this);
  button_->setObjectName(QStringLiteral("applyRate"));
  row->addWidget(field_);
  row->addWidget(button_);
  connect(field_, &QLineEdit::textEdited, this, [this] {
    edited_ = true;
    check();
  });
  connect(field_, &QLineEdit::returnPressed, this, [this] { submit(); });
  connect(button_, &QPushButton::clicked, this, [this] { submit(); });
  retranslate();
}

void RateEditor::retranslate() {
  button_->setText(tr("Apply"));
  field_->setAccessibleName(tr("Learning rate"));
  check();
}

void RateEditor::setCurrent(double rate) {
  if (!std::isfinite(rate)) return;
  current_ = rate;
  if (!edited_) field_->setText(numberText(rate));
  check();
}

void RateEditor::setBusy(bool busy) {
  busy_ = busy;
  if (!busy) edited_ = false;
  check();
}

void RateEditor::failed(const QString& why) {
  busy_ = false;
  check();
  setLook(field_, "invalid", true);
  field_->setToolTip(why);
}

void RateEditor::check() {
  const auto value = numberFromText(field_->text());
  const bool valid = value && *value >= 0 && std::isfinite(*value);
  setLook(field_, "invalid", edited_ && !valid);
  field_->setToolTip(valid || !edited_ ? tr("The learning rate from the next update on. Arrow keys step 1-2-5. The schedule goes on from it. (lr)")
                                       : tr("A number of 0 or more, such as 0.01 or 2e-4."));
  button_->setEnabled(valid && edited_ && !busy_);
  button_->setVisible(edited_);
}

void RateEditor::submit() {
  const auto value = numberFromText(field_->text());
  if (busy_ || !value || *value < 0) return;
  busy_ = true;
  check();
  Q_EMIT apply(*value);
}

bool RateEditor::eventFilter(QObject* object, QEvent* event) {
  if (object != field_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(object, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Escape) {
    edited_ = false;
    setCurrent(current_);
    return true;
  }
  if (key->key() != Qt::Key_Up && key->key() != Qt::Key_Down) return false;
  const auto value = numberFromText(field_->text());
  field_->setText(numberText(stepOneTwoFive(value.value_or(current_), key->key() == Qt::Key_Up)));
  edited_ = true;
  check();
  return true;
}

}  // namespace trainyard::ui
