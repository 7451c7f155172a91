#pragma once
// Where the time of a few updates goes: a Chrome trace (chrome://tracing, ui.perfetto.dev) and the costliest operators.
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::train {

// Between start and finish, on one thread: everything LibTorch does for that thread is recorded. Costs some 10 % of speed and about 1 KB a call.
class Profile {
 public:
  // Before the first, on the thread that loaded LibTorch: its profiler complains of any other. Once is enough.
  static void setUp(bool cuda);

  explicit Profile(bool cuda);
  ~Profile();  // gives up what was recorded and not finished
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  // Writes trace.json and operators.json into `folder`; gives the operators, costliest first: [{name, calls, self_ms, total_ms, share}]. self: without
  // what it calls; share: of all time that operators took. Error Failed where the folder cannot be written.
  Result<Json> finish(const fs::path& folder);

 private:
  bool running_ = true;
};

}  // namespace trainyard::train
