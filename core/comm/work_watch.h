#pragma once
// Watches over collectives that nobody waits for: a GPU's run on while the rank's thread is ahead of them, and hang without a word where
// another rank is gone.
#include <torch/csrc/distributed/c10d/Work.hpp>

#include <memory>
#include <string>
#include <thread>

#include "core/comm/backend_communicator.h"

namespace trainyard::comm {

class WorkWatch {
 public:
  // Raises `aborted` with `where` at the first work that failed or did not end within the time.
  WorkWatch(double timeout_s, std::shared_ptr<AbortFlag> aborted, std::string where);
  ~WorkWatch();
  // From any thread; gives the work back.
  c10::intrusive_ptr<c10d::Work> add(c10::intrusive_ptr<c10d::Work> work);

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::thread thread_;
};

}  // namespace trainyard::comm
