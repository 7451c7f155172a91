#include "core/comm/join_store.h"

#include <unistd.h>

#include <c10/util/Logging.h>
#include <algorithm>
#include <future>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "core/comm/sockets.h"

namespace trainyard::comm {

namespace {

using StorePtr = c10::intrusive_ptr<c10d::Store>;

std::chrono::milliseconds milliseconds(double seconds) { return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000)); }

std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

std::string hostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string listOfRanks(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size() && i < 8; ++i) text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  return ranks.size() > 8 ? text + " and " + std::to_string(ranks.size() - 8) + " more" : text;
}

Error networkError(const World& world, const std::string& what) {
  return {ErrorCode::Device, "the rendezvous failed: " + what, endpoint(world.host, world.port),
          "see that rank 0 runs and that what answers at that port is this run"};
}

// What goes wrong comes back as an Error; c10d besides writes stacks to the terminal, and a warning where an address has no name.
void quietStore() {
  if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr) FLAGS_caffe2_log_level = c10::GLOG_FATAL;
}

// Where rank 0 listens. In a Kubernetes job its own name for itself may be "localhost", where nobody else would find it.
std::string listenHost(const World& world, const JoinOptions& options) {
  if (!options.listen.empty()) return options.listen;
  const bool loopback = world.host == "localhost" || world.host.starts_with("127.") || world.host == "::1";
  return world.from == "Kubernetes" && loopback && world.nodes > 1 ? hostName() : world.host;
}

// Opens c10d's store. Where something else listens there, c10d may wait for its greeting for ever: on a thread that is then left behind.
Result<StorePtr> openStore(const World& world, const std::string& host, const c10d::TCPStoreOptions& settings) {
  std::packaged_task<StorePtr()> open([host, settings]() -> StorePtr { return c10::make_intrusive<c10d::TCPStore>(host, settings); });
  auto opened = open.get_future();
  std::thread(std::move(open)).detach();
  if (opened.wait_for(settings.timeout) == std::future_status::ready) return opened.get();
  return tl::unexpected(
      networkError(world, "what listens there did not answer within " + secondsText(std::chrono::duration<double>(settings.timeout).count())));
}

Result<StorePtr> connect(const World& world, const JoinOptions& options) {
  c10d::TCPStoreOptions settings;
  settings.port = static_cast<uint16_t>(world.port);
  settings.timeout = milliseconds(options.timeout_s);
  settings.waitWorkers = false;
  std::string host = world.host;
  if (world.rank == 0 && !world.hosted) {
    host = listenHost(world, options);
    TRAINYARD_TRY(Socket socket, listenOn(host, world.port));
    settings.isServer = true;
    settings.masterListenFd = socket.release();
  } else {
    TRAINYARD_CHECK(waitForListener(host, world.port, std::chrono::duration<double>(options.timeout_s)));
  }
  TRAINYARD_TRY(StorePtr store, openStore(world, host, settings));
  return StorePtr(c10::make_intrusive<c10d::PrefixStore>("trainyard/" + world.attempt, store));
}

// Asks until the keys are there: c10d's own wait writes a stack to the terminal when time is up.
bool waitFor(c10d::Store& store, const std::vector<std::string>& keys, double timeout_s) {
  const auto end = std::chrono::steady_clock::now() + milliseconds(timeout_s);
  while (!store.check(keys)) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

// Waits for a key of every rank; the ranks without one after the timeout.
std::vector<int> missingAfter(c10d::Store& store, const World& world, const std::string& key, double timeout_s) {
  std::vector<std::string> keys;
  for (int rank = 0; rank < world.size; ++rank) keys.push_back(key + std::to_string(rank));
  std::vector<int> missing;
  if (waitFor(store, keys, timeout_s)) return missing;
  for (int rank = 0; rank < world.size; ++rank) {
    if (!store.check({keys[static_cast<size_t>(rank)]})) missing.push_back(rank);
  }
  return missing;
}

// Rank 0 holds the store: it stays until the ranks that are there have read what it says, so that all fail with the same words.
void partTogether(c10d::Store& store, const World& world, const std::string& key, const std::vector<int>& missing = {}) {
  store.set(key + std::to_string(world.rank), "1");
  std::vector<std::string> there;
  for (int rank = 0; rank < world.size; ++rank) {
    if (std::find(missing.begin(), missing.end(), rank) == missing.end()) there.push_back(key + std::to_string(rank));
  }
  if (world.rank == 0) waitFor(store, there, 2);
}

Result<void> sameSize(c10d::Store& store, const World& world, const std::vector<int>& ranks) {
  for (const int rank : ranks) {
    const int size = Json::parse(store.get_to_str("rank/" + std::to_string(rank)))["size"].get<int>();
    if (size == world.size) continue;
    return fail(ErrorCode::Usage,
                "the ranks disagree on their number: " + std::to_string(world.size) + " on rank " + std::to_string(world.rank) + ", " + std::to_string(size) +
                    " on rank " + std::to_string(rank),
                endpoint(world.host, world.port), "start all ranks with the same number of ranks");
  }
  return {};
}

Result<void> enrol(c10d::Store& store, const World& world, const JoinOptions& options) {
  const std::string me = std::to_string(world.rank), own = hostName() + ", process " + std::to_string(getpid());
  if (store.add("joins/" + me, 1) > 1) {
    const std::string other = store.check({"rank/" + me}) ? Json::parse(store.get_to_str("rank/" + me))["who"].get<std::string>() : "another process";
    return fail(ErrorCode::Device, "rank " + me + " has joined already, from " + other, endpoint(world.host, world.port),
                "every process needs a rank of its own; a process that was started again can only join a new run");
  }
  store.set("rank/" + me, Json{{"who", own}, {"size", world.size}}.dump());
  std::vector<int> everyone(static_cast<size_t>(world.size));
  std::iota(everyone.begin(), everyone.end(), 0);
  if (world.rank > 0 && waitFor(store, {"rank/0"}, options.timeout_s)) {  // a size of its own is told at once
    if (auto same = sameSize(store, world, {0}); !same) {
      partTogether(store, world, "seen/");
      return same;
    }
  }
  const std::vector<int> missing = missingAfter(store, world, "rank/", options.timeout_s);
  if (missing.empty()) {
    auto same = sameSize(store, world, everyone);
    if (!same) partTogether(store, world, "seen/");
    return same;
  }
  partTogether(store, world, "seen/", missing);
  return fail(ErrorCode::Device,
              listOfRanks(missing) + " of " + std::to_string(world.size) + " did not come within " + secondsText(options.timeout_s) + " (as told by " +
                  world.from + ")",
              endpoint(world.host, world.port), "start all ranks at about the same time, with the same address, port and number of ranks");
}

// Runs what may throw.
template <class Value, class Body>
Result<Value> guarded(const World& world, const Body& body) {
  try {
    return body();
  } catch (const c10::Error& error) {
    return tl::unexpected(networkError(world, error.what_without_backtrace()));
  } catch (const std::exception& error) {
    return tl::unexpected(networkError(world, error.what()));
  }
}

std::string valueText(const Json& facts, const std::string& key) {
  if (!facts.contains(key)) return "nothing";
  return facts[key].is_string() ? facts[key].get<std::string>() : facts[key].dump();
}

// What each rank has otherwise than rank 0: one sentence a fact.
std::string differences(const std::vector<Json>& facts) {
  std::set<std::string> keys;
  for (const Json& one : facts) {
    for (const auto& [key, value] : one.items()) keys.insert(key);
  }
  std::string text;
  for (const std::string& key : keys) {
    std::map<std::string, std::vector<int>> others;
    for (size_t rank = 1; rank < facts.size(); ++rank) {
      if (const std::string value = valueText(facts[rank], key); value != valueText(facts[0], key)) others[value].push_back(static_cast<int>(rank));
    }
    for (const auto& [value, ranks] : others)
      text += (text.empty() ? "" : "; ") + key + ": " + valueText(facts[0], key) + " on rank 0, " + value + " on " + listOfRanks(ranks);
  }
  return text;
}

}  // namespace

Result<StorePtr> joinStore(const World& world, const JoinOptions& options) {
  quietStore();
  return guarded<StorePtr>(world, [&]() -> Result<StorePtr> {
    TRAINYARD_TRY(StorePtr store, connect(world, options));
    TRAINYARD_CHECK(enrol(*store, world, options));
    return store;
  });
}

Result<void> agree(const StorePtr& store, const World& world, const Json& facts, double timeout_s) {
  return guarded<void>(world, [&]() -> Result<void> {
    store->set("facts/" + std::to_string(world.rank), facts.dump());
    const std::vector<int> missing = missingAfter(*store, world, "facts/", timeout_s);
    if (!missing.empty()) return tl::unexpected(networkError(world, listOfRanks(missing) + " did not say what it runs within " + secondsText(timeout_s)));
    std::vector<Json> all;
    for (int rank = 0; rank < world.size; ++rank) all.push_back(Json::parse(store->get_to_str("facts/" + std::to_string(rank))));
    partTogether(*store, world, "agreed/");
    const std::string differ = differences(all);
    if (differ.empty()) return {};
    return fail(ErrorCode::Usage, "the ranks do not run the same: " + differ, endpoint(world.host, world.port),
                "start the same version with the same recipe on the same data on all machines");
  });
}

}  // namespace trainyard::comm
