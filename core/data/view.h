#pragma once
// Inside the data room: a dataset that shows samples of other ones.
#include "core/data/dataset.h"

namespace trainyard::data {

// Everything about a sample comes from the dataset it is of; what concerns all samples (size, classes, labels) from the class derived from this.
class View : public Dataset {
 public:
  Part part(uint64_t index) const override { return at(index).dataset->part(at(index).index); }
  std::string name(uint64_t index) const override { return at(index).dataset->name(at(index).index); }
  std::string labelPlace(uint64_t index) const override { return at(index).dataset->labelPlace(at(index).index); }
  Result<cv::Mat> picture(uint64_t index) const override { return at(index).dataset->picture(at(index).index); }
  Result<std::unique_ptr<augment::Source>> source(uint64_t index) const override { return at(index).dataset->source(at(index).index); }
  Result<std::string> fileBytes(uint64_t index) const override { return at(index).dataset->fileBytes(at(index).index); }
  Stamp stamp(uint64_t index) const override { return at(index).dataset->stamp(at(index).index); }
  fs::path file(uint64_t index) const override { return at(index).dataset->file(at(index).index); }

 protected:
  struct At {
    const Dataset* dataset;
    uint64_t index;
  };
  virtual At at(uint64_t index) const = 0;
};

}  // namespace trainyard::data
