#include "ui/widgets/columns.h"

#include <QHBoxLayout>

namespace trainyard::ui {
namespace {

constexpr int kGap = 12;
constexpr int kMargin = 20;

}  // namespace

Columns::Columns(QWidget* parent, int right_width) : QScrollArea(parent) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* ground = new QWidget;
  ground->setObjectName("scrolled");
  auto* row = new QHBoxLayout(ground);
  row->setContentsMargins(kMargin, 16, kMargin, 16);
  row->setSpacing(16);
  left_ = new QVBoxLayout;
  left_->setSpacing(kGap);
  row->addLayout(left_, 1);
  if (right_width > 0) {
    auto* holder = new QWidget(ground);
    holder->setObjectName("scrolled");
    holder->setFixedWidth(right_width);
    right_ = new QVBoxLayout(holder);
    right_->setContentsMargins(0, 0, 0, 0);
    right_->setSpacing(kGap);
    row->addWidget(holder);
  }
  setWidget(ground);
  viewport()->setAutoFillBackground(false);
  ground->setAutoFillBackground(false);
}

void Columns::finish() {
  left_->addStretch(1);
  if (right_ != nullptr) right_->addStretch(1);
}

}  // namespace trainyard::ui
