#pragma once
// One file from a web server, whole and verified or not at all.
#include <atomic>
#include <functional>

#include "core/base/files.h"

namespace trainyard::fetch {

struct Wanted {
  std::string address;  // http or https
  std::string sha256;   // hexadecimal digits that the file's SHA-256 begins with
  fs::path file;        // where it goes; its folder is made
};

struct Watcher {
  std::function<void(uint64_t done, uint64_t total)> progress;  // bytes; total 0: unknown
  const std::atomic<bool>* cancelled = nullptr;                 // true: end soon, with error Interrupted
};

// Fetches into "<file>.part", goes on with what an earlier try left there, verifies, and renames. `file` is there only when it is whole.
// Blocks; one at a time for a file. Error Failed: no connection, broken off, the server's refusal, no space; Data: another SHA-256 (what was fetched is removed);
// Usage: somebody else is fetching the same file. What was fetched before a connection broke stays for the next try.
Result<void> download(const Wanted& wanted, const Watcher& watcher);

}  // namespace trainyard::fetch
