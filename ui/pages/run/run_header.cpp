#include "ui/pages/run/run_header.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/icons/icons.h"
#include "ui/models/run_text.h"
#include "ui/models/runs_model.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

RunHeader::RunHeader(QWidget* parent) : QWidget(parent) {
  setFixedHeight(56);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  back_ = makeLink(this);
  name_ = makeLabel("page", this);
  name_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  chip_ = makeLabel("secondary", this);
  chip_->setProperty("chip", "neutral");
  state_ = new QLabel(this);
  state_->setObjectName("state");
  epoch_ = new QLabel(this);
  epoch_->setObjectName("epoch");
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setRange(0, 1000);
  progress_->setMaximumWidth(170);
  progress_->setMinimumWidth(60);
  end_ = new QLabel(this);
  end_->setProperty("look", "secondary");
  pause_ = makeButton(this);
  pause_->setObjectName("pause");
  stop_ = makeButton(this);
  stop_->setObjectName("stop");
  more_ = new QToolButton(this);
  more_->setObjectName("more");
  more_->setText(QStringLiteral("⋯"));
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
  auto* menu = new QMenu(more_);
  checkpoint_ = menu->addAction(QString(), this, [this] { Q_EMIT command(QStringLiteral("checkpoint")); });
  release_ = menu->addAction(QString(), this, [this] { Q_EMIT command(QStringLiteral("release")); });
  menu->addSeparator();
  copy_command_ = menu->addAction(QString(), this, &RunHeader::copyCommand);
  copy_report_ = menu->addAction(QString(), this, &RunHeader::copyReport);
  open_folder_ = menu->addAction(QString(), this, &RunHeader::openFolder);
  more_->setMenu(menu);
  for (QWidget* part : std::initializer_list<QWidget*>{back_, name_, chip_, state_, epoch_, progress_, end_}) row->addWidget(part, 0, Qt::AlignVCenter);
  row->setStretchFactor(progress_, 1);
  row->addStretch(1);
  for (QWidget* part : std::initializer_list<QWidget*>{pause_, stop_, more_}) row->addWidget(part, 0, Qt::AlignVCenter);
  connect(back_, &QPushButton::clicked, this, &RunHeader::back);
  connect(pause_, &QPushButton::clicked, this, [this] {
    if (!live())
      Q_EMIT command(QStringLiteral("restart"));
    else
      Q_EMIT command(seen_.state.state == runs::State::Paused ? QStringLiteral("resume") : QStringLiteral("pause"));
  });
  connect(stop_, &QPushButton::clicked, this, [this] { Q_EMIT command(QStringLiteral("stop")); });
}

bool RunHeader::live() const {
  const auto state = seen_.state.state;
  return known_ && !seen_.unexpected_end && (state == runs::State::Starting || state == runs::State::Running || state == runs::State::Paused);
}

void RunHeader::setFacts(const RunFacts& facts) {
  facts_ = facts;
  place();
}

void RunHeader::setState(const runs::SeenState& seen, bool known) {
  seen_ = seen;
  known_ = known;
  place();
}

void RunHeader::setBusy(bool busy) {
  busy_ = busy;
  place();
}

void RunHeader::setProgress(const RunSeries& series) {
  step_ = series.step;
  steps_total_ = series.steps_total;
  epochs_ = series.epochs;
  epoch_at_ = series.epochAt(static_cast<double>(series.step));
  devices_ = series.device_names;
  left_ = series.secondsLeft();
  place();
}

void RunHeader::retranslate() {
  back_->setText(QStringLiteral("‹ ") + tr("Runs"));
  stop_->setText(tr("Stop"));
  stop_->setToolTip(tr("Finish the update, save a checkpoint, end. It can be resumed later."));
  checkpoint_->setText(tr("Checkpoint now"));
  copy_command_->setText(tr("Copy as command"));
  copy_report_->setText(tr("Copy problem report"));
  open_folder_->setText(tr("Open folder"));
  more_->setToolTip(tr("More"));
  more_->setAccessibleName(tr("More"));
  place();
}

void RunHeader::place() {
  const auto state = seen_.state.state;
  const bool paused = state == runs::State::Paused, running = live() && !paused && state == runs::State::Running;
  name_->setText(facts_.name);
  name_->setToolTip(facts_.id);
  chip_->setText(chipText(facts_, devices_));
  chip_->setVisible(!chip_->text().isEmpty());
  state_->setVisible(known_ && !running);
  state_->setText(RunsModel::stateText(seen_));
  const bool bad = seen_.unexpected_end || state == runs::State::Failed;
  setLook(state_, "chip", bad ? "bad" : paused ? "caution" : state == runs::State::Finished ? "good" : "neutral");
  epoch_->setVisible(epochs_ > 0);
  epoch_->setText(tr("epoch %1 of %2").arg(std::min(epochs_, static_cast<int64_t>(epoch_at_) + 1)).arg(epochs_));
  epoch_->setToolTip(tr("step %1 of %2").arg(formatNumber(step_), formatNumber(steps_total_)));
  progress_->setVisible(steps_total_ > 0 && (live() || step_ < steps_total_));
  progress_->setValue(steps_total_ > 0 ? static_cast<int>(1000.0 * static_cast<double>(step_) / static_cast<double>(steps_total_)) : 0);
  end_->setVisible(running && std::isfinite(left_));
  const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000;
  end_->setText(left_ < 90 ? tr("%1 left").arg(durationText(left_)) : tr("done about %1").arg(clockText(now + left_)));
  const bool again = known_ && !live();
  pause_->setVisible(known_ && !(again && (state == runs::State::Finished || state == runs::State::Queued)));
  pause_->setText(again || paused ? tr("Resume") : tr("Pause"));
  pause_->setIcon(icon(again || paused ? QStringLiteral("play") : QStringLiteral("pause")));
  pause_->setEnabled(!busy_ && (again || paused || running));
  stop_->setVisible(live());
  stop_->setIcon(icon(QStringLiteral("stop")));
  stop_->setEnabled(!busy_);
  checkpoint_->setEnabled(live() && !busy_ && !seen_.state.released);
  release_->setEnabled(live() && !busy_ && !seen_.state.released);
  release_->setText(tr("Save and free the memory"));
}

}  // namespace trainyard::ui
