#include "core/comm/local_world.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstring>

#include "core/comm/local_sum.h"

namespace trainyard::comm {

namespace {

Error localError(std::string what, std::string hint) { return {ErrorCode::Device, std::move(what), "parallel.devices", std::move(hint)}; }

Error mismatch(std::string what) { return localError(std::move(what), "this is a fault of Trainyard: please report it"); }

template <class Work>
std::shared_ptr<Work> failedWork(const Error& error) {
  auto work = std::make_shared<Work>();
  work->fail(error);
  return work;
}

void take(LocalTransfer& transfer) {
  std::memcpy(transfer.target.data_ptr(), transfer.source.const_data_ptr(), transfer.source.nbytes());
  transfer.source.reset();
  transfer.finish();
}

}  // namespace

LocalFamily::LocalFamily(double timeout_s)
    : timeout_(std::chrono::nanoseconds(static_cast<int64_t>(timeout_s * 1e9))), watcher_([this](const std::stop_token& stop) { watch(stop); }) {}

LocalFamily::~LocalFamily() = default;

void LocalFamily::add(LocalWorld* world) {
  const std::lock_guard lock(mutex_);
  worlds_.push_back(world);
}

void LocalFamily::remove(LocalWorld* world) {
  const std::lock_guard lock(mutex_);
  std::erase(worlds_, world);
}

std::optional<Error> LocalFamily::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void LocalFamily::abort(const Error& error) {
  std::vector<std::shared_ptr<Completion>> unfinished;
  Error first;
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    first = *error_;
    for (LocalWorld* world : worlds_) world->takeUnfinished(unfinished);
  }
  for (const auto& work : unfinished) work->fail(first);
}

void LocalFamily::watch(const std::stop_token& stop) {
  using namespace std::chrono_literals;
  const auto period = std::clamp<std::chrono::nanoseconds>(timeout_ / 8, 5ms, 1s);
  std::unique_lock sleeping(sleep_mutex_);
  while (!sleep_.wait_for(sleeping, stop, period, [&] { return stop.stop_requested(); })) {
    std::string words;
    {
      const std::lock_guard lock(mutex_);
      if (error_) continue;
      for (size_t i = 0; i < worlds_.size() && words.empty(); ++i) words = worlds_[i]->overdue(Clock::now() - timeout_);
    }
    if (words.empty()) continue;
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3g s", std::chrono::duration<double>(timeout_).count());
    abort(localError(words + " within " + seconds, "look in the log for what that rank did last; a device that is too slow can be given more time"));
  }
}

LocalWorld::LocalWorld(int size, std::shared_ptr<LocalFamily> family) : size_(size), family_(std::move(family)), next_(static_cast<size_t>(size)) {
  family_->add(this);
}

LocalWorld::~LocalWorld() { family_->remove(this); }

std::shared_ptr<Completion> LocalWorld::issue(int rank, LocalCall call) {
  if (const auto error = family_->error()) return failedWork<Completion>(*error);
  std::shared_ptr<LocalOp> op;
  bool last = false;
  std::string why;
  {
    const std::lock_guard lock(mutex_);
    const uint64_t number = next_[static_cast<size_t>(rank)]++;
    while (number - first_ >= ops_.size()) ops_.push_back(std::make_shared<LocalOp>(size_, first_ + ops_.size()));
    op = ops_[number - first_];
    if (op->join(rank, std::move(call), why) && op->complete()) {  // the earlier ones are: every rank has issued them
      last = true;
      ops_.pop_front();
      ++first_;
    }
  }
  if (!why.empty()) {
    family_->abort(mismatch(why));
  } else if (last) {
    op->start();
  } else if (const auto error = family_->error()) {  // aborted since
    op->fail(*error);
  }
  return op;
}

std::shared_ptr<LocalTransfer> LocalWorld::transfer(const Mailbox& mailbox, at::Tensor tensor, bool sending) {
  if (const auto error = family_->error()) return failedWork<LocalTransfer>(*error);
  std::shared_ptr<LocalTransfer> found;
  bool both = false;
  std::string why;
  {
    const std::lock_guard lock(mutex_);
    const auto& [from, to, tag] = mailbox;
    auto& waiting = (sending ? receives_ : sends_)[mailbox];
    both = !waiting.empty();
    if (both) {
      found = waiting.front();
      waiting.pop_front();
      if (waiting.empty()) (sending ? receives_ : sends_).erase(mailbox);
    } else {
      (sending ? receives_ : sends_).erase(mailbox);
      found = std::make_shared<LocalTransfer>();
      found->words = "rank " + std::to_string(sending ? to : from) + (sending ? " did not receive what rank " : " did not send what rank ") +
                     std::to_string(sending ? from : to) + (sending ? " sent (tag " : " waits for (tag ") + std::to_string(tag) + ")";
      if (!sending) found->since = Clock::now();
      (sending ? sends_ : receives_)[mailbox].push_back(found);
    }
    (sending ? found->source : found->target) = std::move(tensor);
    if (both && (found->source.numel() != found->target.numel() || found->source.scalar_type() != found->target.scalar_type())) {
      why = "rank " + std::to_string(from) + " sent " + std::to_string(found->source.numel()) + " × " + c10::toString(found->source.scalar_type()) + ", rank " +
            std::to_string(to) + " expected " + std::to_string(found->target.numel()) + " × " + c10::toString(found->target.scalar_type()) + " (tag " +
            std::to_string(tag) + ")";
    }
  }
  if (!why.empty()) {
    found->fail(mismatch(why));
    family_->abort(mismatch(why));
  } else if (both) {
    take(*found);
  } else if (const auto error = family_->error()) {  // aborted since
    found->fail(*error);
  }
  return found;
}

std::shared_ptr<LocalTransfer> LocalWorld::send(int from, int to, int tag, at::Tensor source) { return transfer({from, to, tag}, std::move(source), true); }

std::shared_ptr<LocalTransfer> LocalWorld::receive(int from, int to, int tag, at::Tensor target) { return transfer({from, to, tag}, std::move(target), false); }

void LocalWorld::awaited(LocalTransfer& transfer) {
  const std::lock_guard lock(mutex_);
  if (!transfer.since) transfer.since = Clock::now();
}

std::shared_ptr<LocalWorld> LocalWorld::split(int rank, const std::vector<int>& ranks) {
  const auto place = static_cast<size_t>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
  const std::lock_guard lock(split_mutex_);
  Children& children = children_[ranks];
  children.next.resize(ranks.size());
  const size_t number = children.next[place]++;
  while (number - children.first >= children.worlds.size()) children.worlds.push_back(std::make_shared<LocalWorld>(static_cast<int>(ranks.size()), family_));
  auto world = children.worlds[number - children.first];
  if (*std::min_element(children.next.begin(), children.next.end()) > children.first) {  // all have the oldest
    children.worlds.pop_front();
    ++children.first;
  }
  return world;
}

std::string LocalWorld::overdue(Clock::time_point then) {
  const std::lock_guard lock(mutex_);
  if (!ops_.empty() && ops_.front()->since() < then) return ops_.front()->waitsFor();
  for (const auto* box : {&sends_, &receives_}) {
    for (const auto& [mailbox, transfers] : *box) {
      for (const auto& transfer : transfers) {
        if (transfer->since && *transfer->since < then) return transfer->words;
      }
    }
  }
  return {};
}

void LocalWorld::takeUnfinished(std::vector<std::shared_ptr<Completion>>& unfinished) {
  const std::lock_guard lock(mutex_);
  unfinished.insert(unfinished.end(), ops_.begin(), ops_.end());
  for (auto* box : {&sends_, &receives_}) {
    for (const auto& [mailbox, transfers] : *box) unfinished.insert(unfinished.end(), transfers.begin(), transfers.end());
    box->clear();
  }
}

}  // namespace trainyard::comm
