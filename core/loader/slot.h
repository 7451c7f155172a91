#pragma once
// Inside the loader room: where things lie in a slot's memory. Pictures come first, then targets, then the partners' classes. Where batches are
// mixed there is room for one sample more: the partner of the first. Windows of a text have no such parts: inputs and targets are views of the same
// tokens, the targets one place further on.
#include <cstddef>
#include <span>

#include "core/augment/mix.h"
#include "core/data/dataset.h"
#include "core/loader/loader.h"

namespace trainyard::loader {

class SlotLayout {
 public:
  // `largest`: samples in a micro-batch. Targets are class indices, the next tokens, or for other tasks a float for each of the dataset's classes. A
  // text's shape is 1 × 1 × tokens.
  SlotLayout(augment::Shape shape, uint64_t largest, const data::Dataset& dataset, bool mixed);

  size_t bytes() const { return bytes_; }
  augment::Shape shape() const { return shape_; }

  // Empty for a text: its tokens are written with the target.
  std::span<float> picture(std::byte* slot, uint64_t position) const;
  void writeTarget(std::byte* slot, uint64_t position, const data::Dataset& dataset, uint64_t sample) const;

  // Mixes `count` samples, each with the one before it, the first with the one that stands behind the last; and fills the partners' classes, or
  // mixes the targets where they are floats.
  void mix(std::byte* slot, uint64_t count, const augment::Mix& mix) const;

  // Sets the views of a batch of `count` samples.
  void describe(std::byte* slot, uint64_t count, const augment::Mix& mix, Batch& batch) const;

  // Makes the last of `count` samples the first one's partner as well.
  void closeCircle(std::byte* slot, uint64_t count) const;

 private:
  bool classes() const { return task_ == data::Task::Classes; }
  bool tokens() const { return task_ == data::Task::Tokens; }
  int64_t* classTargets(std::byte* slot) const { return reinterpret_cast<int64_t*>(slot + targets_at_); }
  std::span<float> values(std::byte* slot, uint64_t position) const;

  augment::Shape shape_;
  data::Task task_;
  size_t floats_;   // of a picture
  size_t targets_;  // numbers of a target; of a text its tokens and the one after them
  size_t targets_at_ = 0, partners_at_ = 0, bytes_ = 0;
};

}  // namespace trainyard::loader
