#include "core/augment/mix.h"

#include <algorithm>
#include <cmath>

namespace trainyard::augment {

namespace {

constexpr uint64_t kMixDraws = 0x6d6978;

// The logarithm of a gamma variable of that shape and scale 1 (Marsaglia and Tsang); the logarithm, since tiny shapes give numbers below the
// smallest double.
double logGamma(double shape, Random& random) {
  if (shape < 1) return logGamma(shape + 1, random) + std::log(1 - random.uniform()) / shape;
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = random.normal(), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(1 - random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return std::log(d) + std::log(v);
  }
}

// Beta(alpha, alpha).
double share(double alpha, Random& random) {
  const double own = logGamma(alpha, random), other = logGamma(alpha, random);
  return 1 / (1 + std::exp(other - own));
}

// A box round a uniform middle whose area, were it not cut at the edges, is that share of the picture.
cv::Rect boxOf(double area, Shape shape, Random& random) {
  const auto x = static_cast<int>(random.below(static_cast<uint64_t>(shape.width))), y = static_cast<int>(random.below(static_cast<uint64_t>(shape.height)));
  const double half = 0.5 * std::sqrt(area);
  const int half_width = static_cast<int>(half * shape.width), half_height = static_cast<int>(half * shape.height);
  const int left = std::max(x - half_width, 0), top = std::max(y - half_height, 0);
  return {left, top, std::min(x + half_width, shape.width) - left, std::min(y + half_height, shape.height) - top};
}

}  // namespace

std::optional<Mixer> Mixer::make(const recipe::Recipe& recipe) {
  Mixer mixer;
  for (const auto& choice : recipe.augment) {
    if (!choice.params.value("enabled", true)) continue;
    if (choice.id == "mixup") mixer.mixup_alpha_ = choice.number("alpha", 1);
    if (choice.id == "cutmix") mixer.cutmix_alpha_ = choice.number("alpha", 1);
  }
  if (mixer.mixup_alpha_ <= 0 && mixer.cutmix_alpha_ <= 0) return std::nullopt;
  return mixer;
}

Mix Mixer::draw(uint64_t seed, uint64_t epoch, uint64_t step, Shape shape) const {
  Random random({seed, epoch, step, kMixDraws});
  const bool both = mixup_alpha_ > 0 && cutmix_alpha_ > 0;
  Mix mix;
  if (both ? random.uniform() < 0.5 : mixup_alpha_ > 0) {
    mix.kind = Mix::Kind::Mixup;
    mix.share = static_cast<float>(share(mixup_alpha_, random));
    return mix;
  }
  mix.kind = Mix::Kind::Cutmix;
  mix.box = boxOf(1 - share(cutmix_alpha_, random), shape, random);
  mix.share = static_cast<float>(1 - static_cast<double>(mix.box.area()) / (static_cast<double>(shape.width) * shape.height));
  return mix;
}

void apply(const Mix& mix, Shape shape, std::span<float> own, std::span<const float> partner) {
  if (mix.kind == Mix::Kind::Mixup) {
    const float other = 1 - mix.share;
    for (size_t i = 0; i < own.size(); ++i) own[i] = partner[i] * other + own[i] * mix.share;
  }
  if (mix.kind == Mix::Kind::Cutmix) {
    for (int y = mix.box.y; y < mix.box.y + mix.box.height; ++y) {
      const auto first = (static_cast<ptrdiff_t>(y) * shape.width + mix.box.x) * shape.channels;
      std::copy_n(partner.begin() + first, static_cast<ptrdiff_t>(mix.box.width) * shape.channels, own.begin() + first);
    }
  }
}

}  // namespace trainyard::augment
