#pragma once
// Helpers of the tests of core/loader: a made-up dataset and everything that a loader gave.
#include <QTest>
#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "core/loader/loader.h"

namespace trainyard::loader::test {

// Picture i is grey, 4×4, of level i + 1; its label is i % 10. Some cannot be read.
class Levels : public data::Dataset {
 public:
  explicit Levels(uint64_t size, bool in_memory = true) : size_(size), in_memory_(in_memory) {
    for (int c = 0; c < 10; ++c) classes_.push_back(std::to_string(c));
  }
  uint64_t size() const override { return size_; }
  int label(uint64_t index) const override { return static_cast<int>(index % 10); }
  data::Part part(uint64_t) const override { return data::Part::Unassigned; }
  std::string name(uint64_t index) const override { return "picture " + std::to_string(index); }
  Result<cv::Mat> picture(uint64_t index) const override {
    if (before) before(index);
    if (failing.contains(index)) return fail(ErrorCode::Failed, "the decoder is gone", name(index));
    if (broken.contains(index)) return fail(ErrorCode::Data, "is cut short", name(index), "copy it again");
    const int edge = larger.contains(index) ? 5 : 4;
    return cv::Mat(edge, edge, CV_8UC1, cv::Scalar(static_cast<double>(index % 255 + 1)));
  }
  const std::vector<std::string>& classes() const override { return classes_; }
  bool inMemory() const override { return in_memory_; }

  std::set<uint64_t> broken, failing, larger;
  std::function<void(uint64_t)> before;

 private:
  uint64_t size_;
  bool in_memory_;
  std::vector<std::string> classes_;
};

inline std::vector<uint64_t> upTo(uint64_t count) {
  std::vector<uint64_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Random windows of the pictures with a border of 2: 25 different ones.
inline std::shared_ptr<const Preparer> chain(bool training = true, int crop = 4) {
  recipe::Recipe recipe;
  if (training) recipe.augment.push_back({"random_crop", {{"size", crop}, {"padding", 2}}});
  return pictures(std::make_shared<const augment::Chain>(*augment::Chain::make(recipe, {1, 4, 4}, training)));
}

inline QString textOf(const Error& error) { return QString::fromStdString(toText(error)); }

// A batch with its numbers copied.
struct Copy {
  uint64_t epoch = 0, step = 0;
  uint32_t micro = 0;
  bool last_of_step = false;
  double weight = 0, step_weight = 0;
  std::vector<uint64_t> samples;
  std::vector<int64_t> targets, partners;  // classes
  float mix = 1;
  std::vector<float> values;  // targets that are floats
  std::vector<float> inputs;
  bool operator==(const Copy&) const = default;
};

template <class Number>
std::vector<Number> numbersOf(const TensorView& view) {
  const auto count = std::accumulate(view.sizes.begin(), view.sizes.end(), int64_t{1}, std::multiplies<>());
  const auto* numbers = reinterpret_cast<const Number*>(view.data);
  return numbers == nullptr ? std::vector<Number>() : std::vector<Number>(numbers, numbers + count);
}

inline Copy copyOf(const Batch& batch) {
  Copy copy{batch.epoch, batch.step, batch.micro, batch.last_of_step, batch.weight, batch.step_weight, batch.samples, {}, {}, batch.mix, {}, {}};
  copy.inputs = numbersOf<float>(batch.inputs);
  if (batch.targets.element == Element::I64) {
    copy.targets = numbersOf<int64_t>(batch.targets);
  } else {
    copy.values = numbersOf<float>(batch.targets);
  }
  copy.partners = numbersOf<int64_t>(batch.targets_b);
  return copy;
}

// The batches up to the end of the epoch; ends early with the error set.
inline std::vector<Copy> epochOf(Loader& loader, std::optional<Error>* error = nullptr) {
  std::vector<Copy> copies;
  while (true) {
    const auto batch = loader.next();
    if (!batch) {
      if (error != nullptr)
        *error = batch.error();
      else
        QTest::qFail(qPrintable(textOf(batch.error())), __FILE__, __LINE__);
      return copies;
    }
    if (!batch->has_value()) return copies;
    copies.push_back(copyOf(**batch));
  }
}

inline std::vector<uint64_t> samplesOf(const std::vector<Copy>& copies) {
  std::vector<uint64_t> all;
  for (const auto& copy : copies) all.insert(all.end(), copy.samples.begin(), copy.samples.end());
  return all;
}

}  // namespace trainyard::loader::test
