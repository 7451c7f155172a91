#include "core/comm/gloo.h"

#include <gloo/context.h>
#include <gloo/transport/pair.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <cstdio>

#include "core/comm/backend_communicator.h"

// Gloo's own header of this class is not among those that Debian installs whole. LibTorch holds its code.
namespace gloo::transport::tcp {
class Pair : public ::gloo::transport::Pair {
 public:
  std::exception_ptr signalExceptionExternal(const std::string& why);  // as when the connection breaks
};
}  // namespace gloo::transport::tcp

namespace trainyard::comm {

namespace {

std::chrono::milliseconds milliseconds(double seconds) { return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000)); }

// Gloo itself can only time out. Breaking the connections wakes what waits here and on the ranks at their other ends.
class AbortableGloo : public c10d::ProcessGroupGloo {
 public:
  using ProcessGroupGloo::ProcessGroupGloo;
  void abort() override {
    for (const auto& context : contexts_) {
      for (int rank = 0; rank < getSize(); ++rank) {  // its own fields lie elsewhere than that header says
        if (rank == getRank()) continue;
        if (auto* pair = static_cast<gloo::transport::tcp::Pair*>(context->getPair(rank).get())) pair->signalExceptionExternal("aborted");
      }
    }
  }
};

std::string explain(const std::string& thrown, double timeout_s) {
  char text[256];
  if (thrown.find("imed out") != std::string::npos) {
    std::snprintf(text, sizeof text, "a collective did not end within %.3g s: a rank is missing, stuck or too slow", timeout_s);
    return text;
  }
  for (const char* lost : {"Connection closed by peer", "Connection reset by peer", "Broken pipe", "Connection refused"}) {
    if (thrown.find(lost) == std::string::npos) continue;
    std::snprintf(text, sizeof text, "the connection to another rank was lost (%s): its process ended or the network is cut", lost);
    return text;
  }
  return thrown;
}

BackendParts glooParts(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size, const GlooOptions& options, std::shared_ptr<AbortFlag> aborted) {
  auto settings = c10d::ProcessGroupGloo::Options::create(milliseconds(options.timeout_s));
  settings->devices.push_back(options.interface.empty() ? c10d::ProcessGroupGloo::createDeviceForHostname(options.host)
                                                        : c10d::ProcessGroupGloo::createDeviceForInterface(options.interface));
  auto group = c10::make_intrusive<AbortableGloo>(store, rank, size, settings);
  BackendParts parts;
  parts.backend = group;
  parts.type = c10d::ProcessGroup::BackendType::GLOO;
  parts.where = "rank " + std::to_string(rank);
  parts.abort = [group](const Error&) { group->abort(); };
  parts.split = [store, rank, options, aborted, names = std::make_shared<GroupNames>()](const std::vector<int>& ranks) {
    const auto own = c10::make_intrusive<c10d::PrefixStore>(names->next(ranks), store);
    return glooParts(own, placeIn(ranks, rank), static_cast<int>(ranks.size()), options, aborted);
  };
  parts.explain = [timeout_s = options.timeout_s](const std::string& thrown) { return explain(thrown, timeout_s); };
  parts.aborted = std::move(aborted);
  parts.sleeps_through_abort = true;
  return parts;
}

Error cannotConnect(int rank, int size, const GlooOptions& options, std::string_view why) {
  std::string what = "rank " + std::to_string(rank) + " of " + std::to_string(size) + " cannot connect: ";
  what.append(why);
  return {ErrorCode::Device, std::move(what), options.interface.empty() ? options.host : options.interface,
          "the address must be one of this computer's that the other ranks reach, and all ranks must be started"};
}

}  // namespace

Result<std::unique_ptr<Communicator>> glooCommunicator(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size, const GlooOptions& options) {
  try {
    return std::make_unique<BackendCommunicator>(glooParts(store, rank, size, options, std::make_shared<AbortFlag>()));
  } catch (const c10::Error& error) {
    return tl::unexpected(cannotConnect(rank, size, options, error.what_without_backtrace()));
  } catch (const std::exception& error) {
    return tl::unexpected(cannotConnect(rank, size, options, error.what()));
  }
}

}  // namespace trainyard::comm
