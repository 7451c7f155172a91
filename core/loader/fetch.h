#pragma once
// Inside the loader room: from samples to numbers. Any thread.
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/loader/preparer.h"

namespace trainyard::loader {

// Part of a batch: where its numbers go. All of one length but inputs, which holds a picture's floats for each.
struct Piece {
  uint64_t epoch = 0;
  std::span<const uint64_t> samples;  // indices into the dataset
  std::span<float> inputs;
  std::span<int64_t> targets;
  std::span<uint64_t> taken;  // the samples that were taken in the end
};

class Fetcher {
 public:
  Fetcher(std::shared_ptr<const data::Dataset> dataset, std::vector<uint64_t> indices, std::shared_ptr<const Preparer> preparer, uint64_t seed, bool shuffle,
          std::function<void(const Error&)> on_broken);

  // The dataset's indices in the order of that epoch.
  std::vector<uint64_t> order(uint64_t epoch) const;

  augment::Shape shape() const { return preparer_->shape(); }
  size_t pictureFloats() const;

  bool inMemory() const { return dataset_->inMemory(); }

  // Pictures that cannot be read are replaced; a picture that the chain refuses is an error, for the recipe is at fault. Gives up with
  // Interrupted between two pictures once `stopped`.
  Result<void> fetch(const Piece& piece, const std::atomic<bool>& stopped) const;

 private:
  struct Reported {
    std::mutex mutex;
    std::vector<bool> samples;
  };

  Result<uint64_t> fetchOne(uint64_t epoch, uint64_t sample, std::span<float> out) const;
  void report(uint64_t sample, const Error& error) const;

  std::shared_ptr<const data::Dataset> dataset_;
  std::vector<uint64_t> indices_;
  std::shared_ptr<const Preparer> preparer_;
  uint64_t seed_;
  bool shuffle_;
  std::function<void(const Error&)> on_broken_;
  std::unique_ptr<Reported> reported_;
};

}  // namespace trainyard::loader
