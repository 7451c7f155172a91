#pragma once
// What the network gets, as pictures for people: made from the very numbers that training and evaluation get.
#include <memory>

#include "core/loader/preparer.h"
#include "core/recipe/recipe.h"

namespace trainyard::loader {

// What a chain is made for where the recipe leaves it open: height and width of the first of `samples` that can be read, and three channels where any
// of up to 64 pictures spread over them has colours, for files of one folder may differ. Error Data of the first picture when none can be read.
Result<augment::Shape> storedShape(const data::Dataset& dataset, std::span<const uint64_t> samples);

// Any thread. Cheap to make once the dataset is open, so that a chain that is being edited can be shown at once.
class Preview {
 public:
  // `stored`: storedShape() of the training part. Error Recipe naming the step that does not fit; Error Usage for tables.
  static Result<Preview> make(const recipe::Recipe& recipe, augment::Shape stored, bool training);

  augment::Shape shape() const { return preparer_->shape(); }

  // 8-bit grey or RGB: the numbers of `sample` in `epoch`, normalisation undone, rounded and kept within 0 and 255. Error Data when the picture
  // cannot be read; Error Recipe when the chain refuses it.
  Result<cv::Mat> picture(const data::Dataset& dataset, uint64_t sample, uint64_t epoch) const;

 private:
  std::shared_ptr<const augment::Chain> chain_;
  std::shared_ptr<const Preparer> preparer_;
  uint64_t seed_ = 0;
};

}  // namespace trainyard::loader
