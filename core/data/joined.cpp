#include "core/data/joined.h"

#include <algorithm>

#include "core/base/units.h"

namespace trainyard::data {

namespace {

class Joined : public Dataset {
 public:
  Joined(std::shared_ptr<const Dataset> first, std::shared_ptr<const Dataset> second, std::vector<int> labels)
      : first_(std::move(first)), second_(std::move(second)), labels_(std::move(labels)) {}
  uint64_t size() const override { return first_->size() + second_->size(); }
  int label(uint64_t index) const override {
    return inFirst(index) ? first_->label(index) : labels_[static_cast<size_t>(second_->label(index - first_->size()))];
  }
  Part part(uint64_t index) const override { return inFirst(index) ? first_->part(index) : Part::Validation; }
  std::string name(uint64_t index) const override { return inFirst(index) ? first_->name(index) : second_->name(index - first_->size()); }
  Result<cv::Mat> picture(uint64_t index) const override { return inFirst(index) ? first_->picture(index) : second_->picture(index - first_->size()); }
  const std::vector<std::string>& classes() const override { return first_->classes(); }
  bool inMemory() const override { return first_->inMemory() && second_->inMemory(); }

 private:
  bool inFirst(uint64_t index) const { return index < first_->size(); }

  std::shared_ptr<const Dataset> first_, second_;
  std::vector<int> labels_;  // of second_ → of first_; -1 where no sample has it
};

}  // namespace

Result<Opened> join(std::shared_ptr<const Dataset> train, std::shared_ptr<const Dataset> held_out, const std::string& where) {
  const auto& known = train->classes();
  std::vector<uint64_t> all(held_out->size());
  for (uint64_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto counts = classCounts(*held_out, all);
  std::vector<int> labels;
  for (size_t c = 0; c < held_out->classes().size(); ++c) {
    const std::string& name = held_out->classes()[c];
    const auto found = std::find(known.begin(), known.end(), name);
    labels.push_back(found == known.end() ? -1 : static_cast<int>(found - known.begin()));
    if (found == known.end() && counts[c] > 0) {
      const std::string near = nearestWord(name, known);
      return fail(ErrorCode::Data, "the class \"" + name + "\" is in validation but not in training", where,
                  near.empty() ? "add training pictures of it, or remove it" : "did you mean \"" + near + "\"?");
    }
  }
  Split parts;
  for (uint64_t i = 0; i < train->size(); ++i) {
    if (train->part(i) != Part::Validation) parts.train.push_back(i);
  }
  for (const uint64_t i : all) parts.validation.push_back(train->size() + i);
  if (parts.train.empty()) return fail(ErrorCode::Data, "all pictures are for validation, none for training", "data.path", "add the training files");
  return Opened{std::make_shared<Joined>(std::move(train), std::move(held_out), std::move(labels)), std::move(parts)};
}

}  // namespace trainyard::data
