#pragma once
// What collectives can be made of, and how.
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <span>
#include <string>
#include <vector>

#include "core/comm/communicator.h"

namespace trainyard::comm {

struct BackendInfo {
  const char* id;
  const char* title;
  const char* help;
  bool gpus;             // for tensors on GPUs, else in main memory
  bool other_processes;  // between processes and machines, else between threads of one
};

std::span<const BackendInfo> backends();

// The ranks of this process among those of a run.
struct RanksHere {
  int first = 0, count = 1, size = 1;
  c10::intrusive_ptr<c10d::Store> store;  // where the processes meet; null: all ranks are here
  std::string host = "127.0.0.1";         // gloo: the address of this computer that the others reach
  std::string interface;                  // gloo: the network interface instead of an address
  std::vector<int> gpus;                  // nccl: the GPU of each rank here
  CommOptions options;
};

// What is right for these devices: "local", "gloo" or "nccl".
const char* backendFor(bool gpus, bool other_processes);

// One communicator for each rank here, to be used by that rank's thread. Comes back when all `size` ranks are there. Error Device.
Result<std::vector<std::unique_ptr<Communicator>>> makeCommunicators(const std::string& id, const RanksHere& ranks);

}  // namespace trainyard::comm
