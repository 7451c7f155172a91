#include "ui/engine_link/run_follower.h"

#include <QFile>
#include <algorithm>

#include "core/base/files.h"

namespace trainyard::ui {
namespace {

constexpr int kLive_ms = 200, kIdle_ms = 2000;
constexpr size_t kSlice = 4000;         // events a turn while catching up: some 20 ms
constexpr double kKeepDevices_s = 180;  // the verdict looks back 60 s
constexpr size_t kPruneAt = 4000;

bool same(const runs::SeenState& a, const runs::SeenState& b) {
  return a.state.state == b.state.state && a.state.pid == b.state.pid && a.state.socket == b.state.socket && a.state.released == b.state.released &&
         a.state.changed == b.state.changed && a.unexpected_end == b.unexpected_end;
}

}  // namespace

RunFollower::RunFollower(QObject* parent) : QObject(parent) {
  timer_.setTimerType(Qt::CoarseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] { poll(); });
}

RunFollower::~RunFollower() = default;

bool RunFollower::live() const {
  if (!state_known_ || seen_.unexpected_end) return false;
  const auto state = seen_.state.state;
  return state == runs::State::Starting || state == runs::State::Running || state == runs::State::Paused;
}

void RunFollower::open(const QString& run_dir) {
  close();
  dir_ = run_dir;
  const runs::Layout layout{fs::path(QFile::encodeName(run_dir).toStdString())};
  reader_ = std::make_unique<runs::EventReader>(layout.events());
  Q_EMIT restarted();
  timer_.start(0);
}

void RunFollower::close() {
  timer_.stop();
  reader_.reset();
  history_.clear();
  problem_.clear();
  state_problem_.clear();
  dir_.clear();
  seen_ = {};
  state_known_ = caught_up_ = false;
  device_events_ = 0;
}

void RunFollower::pollNow() {
  if (reader_) timer_.start(0);
}

void RunFollower::poll() {
  readStateNow();
  if (!reader_) return;  // a slot may have closed or reopened us
  auto news = reader_->poll(kSlice);
  if (!news) {
    problem_ = QString::fromStdString(toText(news.error()));
  } else {
    problem_.clear();
    if (news->restarted) {
      history_.clear();
      device_events_ = 0;
      Q_EMIT restarted();
    }
    if (!news->events.empty()) {
      keep(news->events);
      Q_EMIT appended(news->events);
    }
  }
  if (!reader_) return;
  const bool more = news && news->events.size() >= kSlice;
  if (!more && !caught_up_) {
    caught_up_ = true;
    Q_EMIT caughtUpNow();
  }
  const int interval = more ? 0 : (live() || !state_known_ ? kLive_ms : kIdle_ms);
  if (reader_ && (timer_.interval() != interval || !timer_.isActive())) timer_.start(interval);
}

void RunFollower::readStateNow() {
  const auto seen = runs::readState(runs::Layout{fs::path(QFile::encodeName(dir_).toStdString())});
  if (!seen) {
    if (!state_known_) state_problem_ = QString::fromStdString(toText(seen.error()));
    return;
  }
  state_problem_.clear();
  if (state_known_ && same(*seen, seen_)) return;
  seen_ = *seen;
  state_known_ = true;
  Q_EMIT stateChanged(seen_);
}

void RunFollower::keep(const std::vector<runs::Event>& events) {
  for (const auto& event : events) {
    if (event.type == "resumed") runs::dropUndone(history_, event);
    if (event.type == "device") ++device_events_;
    history_.push_back(event);
  }
  if (device_events_ > kPruneAt) pruneDevices();
}

void RunFollower::pruneDevices() {
  const double limit = history_.back().time - kKeepDevices_s;
  const auto old = [limit](const runs::Event& event) { return event.type == "device" && event.time < limit; };
  history_.erase(std::remove_if(history_.begin(), history_.end(), old), history_.end());
  device_events_ = static_cast<size_t>(std::count_if(history_.begin(), history_.end(), [](const runs::Event& event) { return event.type == "device"; }));
}

}  // namespace trainyard::ui
