#pragma once
// Control of a live run over a local stream socket: one JSON object per line, each answered by one.
//   {"command": "pause" | "release" | "resume" | "stop" | "checkpoint" | "evaluate"}   {"command": "set", "values": {"lr": 0.001}}
//   → {"ok": true, …} or {"ok": false, "error": {code, what, where, hint}}
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::runs {

// The path of the socket for a run: short (a hash of the run's directory), in $XDG_RUNTIME_DIR/trainyard, or a 0700 folder of ours
// under /tmp when that variable is missing, its folder is, or the path would exceed the system's 107 bytes.
Result<std::filesystem::path> socketPath(const std::filesystem::path& run_dir);

// Listens (mode 0600) on a thread of its own; answers each line with what `handle` returns, called on that thread. When the socket's
// file vanishes (a cleaner of /tmp), it is bound again within two seconds.
class ControlServer {
 public:
  using Handler = std::function<Json(const Json& request)>;
  static Result<std::unique_ptr<ControlServer>> listen(const std::filesystem::path& socket, Handler handle);
  virtual ~ControlServer() = default;  // closes and removes the socket
};

// One request, one answer. Error Failed when nobody listens, within `timeout`, or when the answer is not ok (its own error).
Result<Json> sendControl(const std::filesystem::path& socket, const Json& request, std::chrono::milliseconds timeout = std::chrono::seconds(10));

// Finds the socket in the run's state and sends. Error Usage when the run is not live.
Result<Json> control(const std::filesystem::path& run_dir, const Json& request, std::chrono::milliseconds timeout = std::chrono::seconds(10));

// Control commands written as in the terminal, "pause", "set lr 0.001" (also "set lr=0.001"), to a request. Error Usage.
Result<Json> parseCommand(const std::vector<std::string>& words);

}  // namespace trainyard::runs
