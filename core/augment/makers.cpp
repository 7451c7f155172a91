#include <algorithm>
#include <cmath>

#include "core/augment/draws.h"
#include "core/augment/ops.h"
#include "core/base/units.h"

namespace trainyard::augment {

namespace {

struct Entry {
  const char* id;
  Maker maker;
  bool random = true;
};

// Mixed are whole batches, later: mix.h.
Result<Steps> makeMix(const Json&, Building&) { return Steps{}; }

constexpr Entry kMakers[] = {
    {"resize", makeResize, false},
    {"center_crop", makeCenterCrop, false},
    {"random_crop", makeRandomCrop},
    {"random_resized_crop", makeRandomResizedCrop},
    {"random_horizontal_flip", makeRandomHorizontalFlip},
    {"random_vertical_flip", makeRandomVerticalFlip},
    {"random_rotation", makeRandomRotation},
    {"random_affine", makeRandomAffine},
    {"random_perspective", makeRandomPerspective},
    {"random_erasing", makeRandomErasing},
    {"color_jitter", makeColorJitter},
    {"random_grayscale", makeRandomGrayscale},
    {"gaussian_blur", makeGaussianBlur},
    {"random_adjust_sharpness", makeRandomAdjustSharpness},
    {"random_autocontrast", makeRandomAutocontrast},
    {"random_equalize", makeRandomEqualize},
    {"random_invert", makeRandomInvert},
    {"random_posterize", makeRandomPosterize},
    {"random_solarize", makeRandomSolarize},
    {"auto_augment", makeAutoAugment},
    {"rand_augment", makeRandAugment},
    {"trivial_augment_wide", makeTrivialAugmentWide},
    {"random_apply", makeRandomApply},
    {"random_choice", makeRandomChoice},
    {"mixup", makeMix},
    {"cutmix", makeMix},
    {"normalize", makeNormalize, false},
};

class Sometimes : public Op {
 public:
  Sometimes(double probability, std::function<cv::Mat(const cv::Mat&)> change) : probability_(probability), change_(std::move(change)) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override { return random.uniform() < probability_ ? change_(picture) : picture; }

 private:
  double probability_;
  std::function<cv::Mat(const cv::Mat&)> change_;
};

}  // namespace

std::vector<std::string> madeIds() {
  std::vector<std::string> ids;
  for (const auto& entry : kMakers) ids.emplace_back(entry.id);
  return ids;
}

bool onlyOnce(const std::string& id) { return id == "mixup" || id == "cutmix" || id == "normalize"; }

Result<Steps> makeSteps(const recipe::Choice& choice, Building& building) {
  building.where = building.path + " " + choice.id;
  const auto* entry = std::find_if(std::begin(kMakers), std::end(kMakers), [&](const Entry& candidate) { return choice.id == candidate.id; });
  if (entry == std::end(kMakers)) {
    const std::string near = nearestWord(choice.id, madeIds());
    return fail(ErrorCode::Recipe, "there is no augmentation \"" + choice.id + "\"", building.where, near.empty() ? "" : "did you mean \"" + near + "\"?");
  }
  if (!choice.params.value("enabled", true)) return Steps{};
  if (building.as_written && entry->random) {
    return fail(ErrorCode::Recipe, choice.id + " is random, but pictures for evaluation must always be the same", building.where,
                "use resize, center_crop and normalize there, or leave [[eval_augment]] out");
  }
  return entry->maker(choice.params, building);
}

Size sizeFrom(const Json& value) {
  if (value.is_array()) return {value.at(0).get<int>(), value.at(1).get<int>()};
  return {value.get<int>(), value.get<int>()};
}

std::string sizeText(int height, int width) { return std::to_string(height) + "×" + std::to_string(width); }

void give(Building& building, Size size) {
  building.shape.height = size.height;
  building.shape.width = size.width;
  building.fixed = true;
  building.varies = false;
}

Filter filterFrom(const Json& params) {
  const auto name = params.value("interpolation", std::string("bilinear"));
  return name == "nearest" ? Filter::Nearest : name == "bicubic" ? Filter::Bicubic : Filter::Bilinear;
}

Interpolation interpolationFrom(const Json& params, const char* fallback) {
  return params.value("interpolation", std::string(fallback)) == "nearest" ? Interpolation::Nearest : Interpolation::Bilinear;
}

Result<Fill> fillFrom(const Json& params, const Json& fallback, const Building& building) {
  const Json value = params.value("fill", fallback);
  if (value.is_null()) return Fill();
  if (!value.is_array()) {
    const auto level = value.get<float>();
    return Fill({level, level, level});
  }
  const auto levels = value.get<std::vector<float>>();
  const auto channels = static_cast<size_t>(building.shape.channels);
  if (levels.size() != 1 && levels.size() != channels) {
    return fail(ErrorCode::Recipe, "fill has " + std::to_string(levels.size()) + " numbers, but the pictures have " + std::to_string(channels) + " channels",
                building.where, "give one number for all channels, or one each");
  }
  const auto of = [&](size_t channel) { return levels[std::min(channel, levels.size() - 1)]; };
  return Fill({of(0), of(1), of(2)});
}

std::optional<Interval> intervalFrom(const Json& value, double center) {
  if (value.is_null()) return std::nullopt;
  if (value.is_array()) return Interval{value.at(0).get<double>(), value.at(1).get<double>()};
  return Interval{center - value.get<double>(), center + value.get<double>()};
}

Steps sometimes(const Json& params, double fallback_p, const Building& building, std::function<cv::Mat(const cv::Mat&)> change) {
  if (!building.training) return {};
  return {std::make_shared<Sometimes>(params.value("p", fallback_p), std::move(change))};
}

}  // namespace trainyard::augment
