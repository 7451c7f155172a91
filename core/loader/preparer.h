#pragma once
// From a sample to the numbers the network gets: a picture through its chain, or a table's row through its encoder. Training, evaluation,
// previews and predictions all go through here, so they see the same.
#include <memory>
#include <span>

#include "core/augment/chain.h"
#include "core/data/dataset.h"

namespace trainyard::loader {

// Stateless: any thread.
class Preparer {
 public:
  virtual ~Preparer() = default;
  virtual augment::Shape shape() const = 0;  // a table's row: 1 channel, 1 × width
  // Writes channels × height × width floats, channels innermost. Error Data with the sample's file: cannot be read (`where` is its name);
  // Error Recipe when the chain refuses the picture.
  virtual Result<void> prepare(const data::Dataset& dataset, uint64_t sample, const augment::Key& key, std::span<float> out) const = 0;
};

std::shared_ptr<const Preparer> pictures(std::shared_ptr<const augment::Chain> chain);
std::shared_ptr<const Preparer> rows(data::TableEncoder encoder);

}  // namespace trainyard::loader
