#include "core/augment/chain.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "core/augment/ops.h"
#include "core/base/units.h"

namespace trainyard::augment {

namespace {

struct Entry {
  const char* id;
  Maker maker;
};

Result<Steps> makeNothing(const Json&, Building&) { return Steps{}; }

constexpr Entry kMakers[] = {
    {"resize", makeResize},
    {"center_crop", makeCenterCrop},
    {"random_crop", makeRandomCrop},
    {"random_resized_crop", makeRandomResizedCrop},
    {"random_horizontal_flip", makeRandomHorizontalFlip},
    {"random_vertical_flip", makeRandomVerticalFlip},
    {"random_rotation", makeNothing},
    {"random_affine", makeNothing},
    {"random_perspective", makeNothing},
    {"random_erasing", makeNothing},
    {"color_jitter", makeNothing},
    {"random_grayscale", makeNothing},
    {"gaussian_blur", makeNothing},
    {"random_adjust_sharpness", makeNothing},
    {"random_autocontrast", makeNothing},
    {"random_equalize", makeNothing},
    {"random_invert", makeNothing},
    {"random_posterize", makeNothing},
    {"random_solarize", makeNothing},
    {"auto_augment", makeNothing},
    {"rand_augment", makeNothing},
    {"trivial_augment_wide", makeNothing},
    {"random_apply", makeNothing},
    {"random_choice", makeNothing},
    {"mixup", makeNothing},
    {"cutmix", makeNothing},
    {"normalize", makeNormalize},
};

Result<Maker> makerOf(const recipe::Choice& choice, const std::string& where) {
  for (const auto& [id, maker] : kMakers) {
    if (choice.id == id) return maker;
  }
  const std::string near = nearestWord(choice.id, madeIds());
  return fail(ErrorCode::Recipe, "there is no augmentation \"" + choice.id + "\"", where, near.empty() ? "" : "did you mean \"" + near + "\"?");
}

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

}  // namespace

Size sizeFrom(const Json& value) {
  if (value.is_array()) return {value.at(0).get<int>(), value.at(1).get<int>()};
  return {value.get<int>(), value.get<int>()};
}

std::string sizeText(int height, int width) { return std::to_string(height) + "×" + std::to_string(width); }

std::vector<std::string> madeIds() {
  std::vector<std::string> ids;
  for (const auto& entry : kMakers) ids.emplace_back(entry.id);
  return ids;
}

Result<Chain> Chain::make(const recipe::Recipe& recipe, Shape stored, bool training) {
  Chain chain;
  Building building{stored, false, training, {}, {}, {}};
  for (size_t i = 0; i < recipe.augment.size(); ++i) {
    const recipe::Choice& choice = recipe.augment[i];
    building.where = "augment[" + std::to_string(i) + "] " + choice.id;
    TRAINYARD_TRY(const Maker maker, makerOf(choice, building.where));
    TRAINYARD_TRY(const Steps steps, maker(choice.params, building));
    for (const auto& step : steps) {
      chain.ops_.push_back(step);
      chain.wheres_.push_back(building.where);
    }
  }
  const int edge = recipe.data.size;
  if (edge > 0 && !building.fixed) {
    for (const auto& step : squareSteps(edge, building)) {
      chain.ops_.push_back(step);
      chain.wheres_.emplace_back("data.size");
    }
  }
  chain.shape_ = building.shape;
  chain.shape_.channels = recipe.data.channels > 0 ? recipe.data.channels : stored.channels;
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
  Random random({key.seed, key.epoch, key.sample});
  cv::Mat current;
  if (ops_.empty()) {
    TRAINYARD_TRY(current, source.all());
  }
  for (size_t i = 0; i < ops_.size(); ++i) {
    auto next = i == 0 ? ops_[i]->begin(source, random) : ops_[i]->apply(current, random);
    if (!next) {
      Error error = std::move(next.error());
      if (error.code == ErrorCode::Recipe) error.where = wheres_[i];
      return tl::unexpected(std::move(error));
    }
    current = std::move(*next);
  }
  if (current.rows != shape_.height || current.cols != shape_.width) {
    return fail(ErrorCode::Recipe, "the picture ends up " + sizeText(current.rows, current.cols) + ", others " + sizeText(shape_.height, shape_.width),
                "data.size", "the pictures differ in size: set data.size, for example to 224");
  }
  return withChannels(current, shape_.channels);
}

Result<void> Chain::apply(Source& source, const Key& key, std::span<float> out) const {
  TRAINYARD_TRY(const cv::Mat pixels, applyPixels(source, key));
  const size_t values = pixels.total() * pixels.channels();
  if (out.size() != values) return fail(ErrorCode::Failed, "the room for a picture is " + std::to_string(out.size()) + " floats", "loader");
  levels_.apply(pixels, out);
  return {};
}

}  // namespace trainyard::augment
