#include "core/augment/chain.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <set>

#include "core/augment/ops.h"

namespace trainyard::augment {

namespace {

Result<std::vector<float>> perChannel(const std::vector<float>& given, float fallback, int channels, const char* key) {
  const auto wanted = static_cast<size_t>(channels);
  if (given.empty()) return std::vector<float>(wanted, fallback);
  if (given.size() == 1) return std::vector<float>(wanted, given[0]);
  if (given.size() == wanted) return given;
  return fail(
      ErrorCode::Recipe,
      std::string("normalize: ") + key + " has " + std::to_string(given.size()) + " numbers, but the pictures have " + std::to_string(channels) + " channels",
      "augment", "give one number for all channels, or one each");
}

cv::Mat withChannels(const cv::Mat& picture, int channels) {
  if (picture.channels() == channels) return picture;
  cv::Mat converted;
  cv::cvtColor(picture, converted, channels == 3 ? cv::COLOR_GRAY2RGB : cv::COLOR_RGB2GRAY);
  return converted;
}

// A picture as the network will see its colours.
class InChannels : public Source {
 public:
  InChannels(Source& source, int channels) : source_(source), channels_(channels) {}
  int height() const override { return source_.height(); }
  int width() const override { return source_.width(); }
  bool reduces() const override { return source_.reduces(); }
  Result<cv::Mat> all() override {
    TRAINYARD_TRY(const cv::Mat picture, source_.all());
    return withChannels(picture, channels_);
  }
  Result<Cut> part(const cv::Rect& region, cv::Size target) override {
    TRAINYARD_TRY(Cut cut, source_.part(region, target));
    cut.pixels = withChannels(cut.pixels, channels_);
    return cut;
  }

 private:
  Source& source_;
  int channels_;
};

struct Tables {
  const std::vector<recipe::Choice>& list;
  std::string key;
  std::string pathOf(size_t i) const { return key + "[" + std::to_string(i) + "]"; }
  std::string whereOf(size_t i) const { return pathOf(i) + " " + list[i].id; }
};

bool isOn(const recipe::Choice& choice) { return choice.params.value("enabled", true); }

bool normalizes(const std::vector<recipe::Choice>& list) {
  return std::any_of(list.begin(), list.end(), [](const auto& choice) { return choice.id == "normalize" && isOn(choice); });
}

// Mean and standard deviation ahead of everything, since earlier steps may need them; refuses a second step of those that stand once.
Result<void> takeNormalize(const Tables& tables, Building& building) {
  std::set<std::string> seen;
  for (size_t i = 0; i < tables.list.size(); ++i) {
    const recipe::Choice& choice = tables.list[i];
    if (!onlyOnce(choice.id) || !isOn(choice)) continue;
    if (!seen.insert(choice.id).second) return fail(ErrorCode::Recipe, choice.id + " stands here a second time", tables.whereOf(i), "keep one of them");
    if (choice.id != "normalize") continue;
    building.path = tables.pathOf(i);
    TRAINYARD_CHECK(makeSteps(choice, building));
  }
  return {};
}

}  // namespace

Result<Chain> Chain::make(const recipe::Recipe& recipe, Shape stored, bool training) {
  const bool as_written = !training && !recipe.eval_augment.empty();
  const Tables tables{as_written ? recipe.eval_augment : recipe.augment, as_written ? "eval_augment" : "augment"};
  Building building{.shape = stored, .training = training, .as_written = as_written};
  if (recipe.data.channels > 0) building.shape.channels = recipe.data.channels;
  TRAINYARD_CHECK(takeNormalize(tables, building));
  if (as_written && building.mean.empty() && normalizes(recipe.augment)) {
    return fail(ErrorCode::Recipe, "the pictures for training are normalised, those for evaluation are not", "eval_augment", "add the same normalize step");
  }
  Chain chain;
  for (size_t i = 0; i < tables.list.size(); ++i) {
    if (tables.list[i].id == "normalize") continue;
    building.path = tables.pathOf(i);
    TRAINYARD_TRY(const Steps steps, makeSteps(tables.list[i], building));
    for (const auto& step : steps) chain.steps_.push_back({step, tables.whereOf(i), i});
  }
  const int edge = recipe.data.size;
  if (building.varies && edge == 0) {
    return fail(ErrorCode::Recipe, "the augmentation gives pictures of different sizes", tables.key, "add a crop or resize after it, or set data.size");
  }
  if (edge > 0 && !building.fixed) {
    for (const auto& step : squareSteps(edge, building)) chain.steps_.push_back({step, "data.size", tables.list.size()});
  }
  chain.shape_ = building.shape;
  if (edge > 0 && (chain.shape_.height != edge || chain.shape_.width != edge)) {
    return fail(ErrorCode::Recipe, "data.size is " + std::to_string(edge) + ", but the augmentation gives " + sizeText(chain.shape_.height, chain.shape_.width),
                "data.size", "make them equal, or leave data.size out");
  }
  TRAINYARD_TRY(chain.mean_, perChannel(building.mean, 0, chain.shape_.channels, "mean"));
  TRAINYARD_TRY(chain.std_, perChannel(building.std, 1, chain.shape_.channels, "std"));
  chain.levels_ = Levels(chain.mean_, chain.std_);
  return chain;
}

Shape Chain::shape() const { return shape_; }

Result<cv::Mat> Chain::applyPixels(Source& source, const Key& key) const {
  InChannels first(source, shape_.channels);
  cv::Mat current;
  if (steps_.empty()) {
    TRAINYARD_TRY(current, first.all());
  }
  for (size_t i = 0; i < steps_.size(); ++i) {
    Random random({key.seed, key.epoch, key.sample, steps_[i].position});
    auto next = i == 0 ? steps_[i].op->begin(first, random) : steps_[i].op->apply(current, random);
    if (!next) {
      Error error = std::move(next.error());
      if (error.code == ErrorCode::Recipe) error.where = steps_[i].where;
      return tl::unexpected(std::move(error));
    }
    current = std::move(*next);
  }
  if (current.rows != shape_.height || current.cols != shape_.width) {
    return fail(ErrorCode::Recipe, "the picture ends up " + sizeText(current.rows, current.cols) + ", others " + sizeText(shape_.height, shape_.width),
                "data.size", "the pictures differ in size: set data.size, for example to 224");
  }
  return current;
}

Result<void> Chain::apply(Source& source, const Key& key, std::span<float> out) const {
  TRAINYARD_TRY(const cv::Mat pixels, applyPixels(source, key));
  const size_t values = pixels.total() * pixels.channels();
  if (out.size() != values) return fail(ErrorCode::Failed, "the room for a picture is " + std::to_string(out.size()) + " floats", "loader");
  levels_.apply(pixels, out);
  return {};
}

}  // namespace trainyard::augment
