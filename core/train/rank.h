#pragma once
// One rank of a run: a device, its thread, and its links to the others.
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/comm/communicator.h"
#include "core/recipe/recipe.h"
#include "core/train/device.h"

namespace trainyard::train {

// How `ranks` devices share the work: replicas of the network, each of them on `stages` ranks in a row.
struct RankGrid {
  int ranks = 1, replicas = 1, stages = 1;
};

// Error Recipe: devices that no whole number of networks fits on, more devices than samples in a step.
Result<RankGrid> rankGrid(const recipe::Parallel& parallel, int ranks, uint64_t batch_size);

struct Rank {
  int index = 0;
  RankGrid grid;
  DeviceName device;
  std::unique_ptr<comm::Communicator> all;       // null: alone
  std::unique_ptr<comm::Communicator> replicas;  // the ranks with the same stage; null where there is one replica
  std::unique_ptr<comm::Communicator> stages;    // the ranks of the same replica; null where it has one stage

  bool alone() const { return all == nullptr; }
  int replica() const { return index / grid.stages; }
  int stage() const { return index % grid.stages; }
  bool readsData() const { return stage() == 0; }
  std::string text() const;  // "cuda:1", of several "rank 1 (cpu)"
};

at::Device deviceOf(const DeviceName& device);

// Splits `all` by the grid; every rank calls it. Error Device.
Result<void> connect(Rank& rank, std::unique_ptr<comm::Communicator> all);

}  // namespace trainyard::train
