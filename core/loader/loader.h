#pragma once
// Batches for one rank, made by worker threads ahead of the trainer. No LibTorch: the engine hands in the allocator and wraps slots.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/augment/mix.h"
#include "core/base/result.h"
#include "core/data/split.h"
#include "core/loader/batch.h"
#include "core/loader/preparer.h"

namespace trainyard::loader {

using AllocateFn = std::function<std::shared_ptr<std::byte>(size_t bytes)>;  // plain or pinned
struct Cursor {
  uint64_t epoch = 0, sample = 0;  // sample: position within the epoch's order
  bool operator==(const Cursor&) const = default;
};

// next() and consumed() from one thread; stop() from any. Batches come in order whatever the number of workers.
class Loader {
 public:
  virtual ~Loader() = default;                      // stops and joins the workers
  virtual Result<std::optional<Batch>> next() = 0;  // nullopt: epoch over; the following call starts the next epoch
  virtual Cursor consumed() const = 0;              // where to start again: after the last step whose batches were all handed out, never what was prefetched
  virtual void stop() noexcept = 0;                 // wakes next(), which then gives Error Interrupted
};

struct Options {
  uint64_t seed = 0;
  uint64_t batch_size = 1, accumulate = 1;  // samples per optimizer step over all ranks; micro-batches it is cut into
  uint32_t rank = 0, ranks = 1;
  bool shuffle = true;  // false: in order, for evaluation
  bool balanced = false;  // every class equally often; of datasets of classes
  int workers = 1;      // ≥ 1
  int slots = 0;        // ring; 0: as many as needed; never fewer than accumulate + 1
  Cursor start;         // {epoch, samples}: that epoch is over, and next() says so first
  // Each sample of a step is mixed with the one before it in the step's order over all ranks and micro-batches, the first with the last.
  std::optional<augment::Mixer> mixer;
  AllocateFn allocate;  // empty: aligned plain memory
};

// Order: epochOrder(seed, epoch) over `indices`, or as many draws that show every class equally often. A sample whose picture cannot be read is replaced by a deterministic draw from (seed, epoch,
// sample) among the others. Broken pictures are counted as their batches are handed out: next() reports each once through `on_broken`, and gives
// Error Data naming the first files when there is more than one and more than one in a hundred. The last step of an epoch may be smaller.
std::unique_ptr<Loader> make(std::shared_ptr<const data::Dataset> dataset, std::vector<uint64_t> indices, std::shared_ptr<const Preparer> preparer,
                             Options options, std::function<void(const Error&)> on_broken = {});

// Optimizer steps in one epoch: ceil(samples / batch_size).
uint64_t stepsPerEpoch(uint64_t samples, uint64_t batch_size);

}  // namespace trainyard::loader
