#pragma once
// Inside the loader room: from samples to numbers. Any thread.
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/loader/order.h"
#include "core/loader/preparer.h"

namespace trainyard::loader {

// A sample whose picture cannot be read.
struct Broken {
  uint64_t sample = 0;
  Error error;
};

class Fetcher {
 public:
  Fetcher(std::shared_ptr<const data::Dataset> dataset, std::vector<uint64_t> indices, std::shared_ptr<const Preparer> preparer, uint64_t seed, bool shuffle,
          bool balanced);

  const data::Dataset& dataset() const { return *dataset_; }
  augment::Shape shape() const { return preparer_->shape(); }

  // The dataset's indices in the order of that epoch.
  std::vector<Draw> order(uint64_t epoch) const;

  // Writes the sample's numbers, or those of another one when it cannot be read: the first readable one of a sequence drawn from (seed, epoch,
  // sample), augmented as the sample itself. What an epoch has several times is augmented differently each time. Gives the sample that was taken; adds those
  // that could not be to `broken`. Error Data: a hundred in a row cannot be read; Error Recipe: the chain refuses the picture.
  Result<uint64_t> fetch(uint64_t epoch, const Draw& drawn, std::span<float> out, std::vector<Broken>& broken) const;

 private:
  std::shared_ptr<const data::Dataset> dataset_;
  std::vector<uint64_t> indices_;
  std::shared_ptr<const Preparer> preparer_;
  uint64_t seed_;
  bool shuffle_;
  std::optional<BalancedOrder> balanced_;
};

}  // namespace trainyard::loader
