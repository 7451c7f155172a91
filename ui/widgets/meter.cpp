#include "ui/widgets/meter.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <algorithm>

#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kSteps = 1000;
constexpr int kNameWidth = 180;
constexpr int kBarWidth = 140;

}  // namespace

Meter::Meter(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  name_ = new QLabel(this);
  name_->setMinimumWidth(kNameWidth);
  bar_ = new QProgressBar(this);
  bar_->setRange(0, kSteps);
  bar_->setTextVisible(false);
  bar_->setFixedWidth(kBarWidth);
  figures_ = makeLabel("secondary", this);
  row->addWidget(name_);
  row->addWidget(bar_);
  row->addWidget(figures_, 1);
}

void Meter::set(const QString& name, double share, const QString& figures) {
  name_->setText(name);
  bar_->setVisible(share >= 0);
  bar_->setValue(int(std::clamp(share, 0.0, 1.0) * kSteps));
  figures_->setText(figures);
}

}  // namespace trainyard::ui
