#include "core/train/team.h"

#include <algorithm>

namespace trainyard::train {

void Team::tell(Instruction instruction) {
  const std::lock_guard lock(mutex_);
  if (seen_.empty()) return;
  told_.push_back(std::move(instruction));
  changed_.notify_all();
}

Result<Instruction> Team::next(int follower) {
  uint64_t& seen = seen_.at(static_cast<size_t>(follower - 1));
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || seen < first_ + told_.size(); });
  if (error_) return tl::unexpected(*error_);
  Instruction instruction = told_[seen - first_];
  ++seen;
  for (const uint64_t slowest = *std::min_element(seen_.begin(), seen_.end()); first_ < slowest; ++first_) told_.pop_front();
  return instruction;
}

void Team::fail(const Error& error) noexcept {
  std::vector<comm::Communicator*> communicators;
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    error_ = error;
    communicators = communicators_;
    changed_.notify_all();
  }
  for (auto* communicator : communicators) communicator->abort(error);
}

std::optional<Error> Team::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void Team::add(comm::Communicator& communicator) {
  std::optional<Error> failed;
  {
    const std::lock_guard lock(mutex_);
    communicators_.push_back(&communicator);
    failed = error_;
  }
  if (failed) communicator.abort(*failed);
}

}  // namespace trainyard::train
