#include "core/loader/preview.h"

#include <algorithm>
#include <opencv2/core.hpp>
#include <optional>

namespace trainyard::loader {

namespace {

constexpr size_t kLooks = 64;

}  // namespace

Result<augment::Shape> storedShape(const data::Dataset& dataset, std::span<const uint64_t> samples) {
  std::optional<Error> first_error;
  std::optional<augment::Shape> shape;
  for (size_t i = 0; i < samples.size() && !shape; ++i) {
    const auto picture = dataset.picture(samples[i]);
    if (picture) shape = augment::Shape{picture->channels(), picture->rows, picture->cols};
    else if (!first_error) first_error = picture.error();
  }
  if (!shape && first_error) return tl::unexpected(*first_error);
  if (!shape) return fail(ErrorCode::Data, "there is no picture to train on", "data.path", "add pictures");
  const size_t looks = dataset.inMemory() ? 0 : std::min(kLooks, samples.size());
  for (size_t i = 0; i < looks && shape->channels == 1; ++i) {
    const auto picture = dataset.picture(samples[i * samples.size() / looks]);
    if (picture) shape->channels = picture->channels();
  }
  return *shape;
}

Result<Preview> Preview::make(const recipe::Recipe& recipe, augment::Shape stored, bool training) {
  TRAINYARD_TRY(auto chain, augment::Chain::make(recipe, stored, training));
  Preview preview;
  preview.chain_ = std::make_shared<const augment::Chain>(std::move(chain));
  preview.preparer_ = pictures(preview.chain_);
  preview.seed_ = recipe.run.seed;
  return preview;
}

Result<cv::Mat> Preview::picture(const data::Dataset& dataset, uint64_t sample, uint64_t epoch) const {
  if (dataset.columns() != nullptr) return fail(ErrorCode::Usage, "a table has no pictures", dataset.name(sample), "previews are for pictures");
  const augment::Shape shape = this->shape();
  cv::Mat numbers(shape.height, shape.width, CV_32FC(shape.channels));
  const size_t count = numbers.total() * static_cast<size_t>(shape.channels);
  TRAINYARD_CHECK(preparer_->prepare(dataset, sample, {seed_, epoch, sample}, {numbers.ptr<float>(), count}));
  cv::Mat picture(numbers.size(), CV_8UC(shape.channels));
  const float* from = numbers.ptr<float>();
  uchar* to = picture.ptr();
  for (size_t i = 0; i < count; ++i) {
    const size_t c = i % static_cast<size_t>(shape.channels);
    to[i] = cv::saturate_cast<uchar>((from[i] * chain_->std()[c] + chain_->mean()[c]) * 255.0F);
  }
  return picture;
}

}  // namespace trainyard::loader
