#pragma once
// Mixup and cutmix: each sample of a step is mixed with the one before it in the step's global order (the first with the last), with a share
// that is a function of (seed, epoch, step), so any number of devices and micro-batches agrees. Meaning and numbers as torchvision's v2.MixUp
// and v2.CutMix have them. Any thread.
#include <optional>
#include <span>

#include "core/augment/chain.h"

namespace trainyard::augment {

// How one step is mixed. share: how much of a sample's own label counts, 0 … 1; the partner's counts 1 - share.
struct Mix {
  enum class Kind { None, Mixup, Cutmix } kind = Kind::None;
  float share = 1;
  cv::Rect box;  // Cutmix: this part of the picture is the partner's; may be empty
};

class Mixer {
 public:
  // Nothing when the recipe's training chain has neither switched on. With both, each step draws one of them, as often the one as the other.
  static std::optional<Mixer> make(const recipe::Recipe& recipe);

  // `shape`: of a sample as the network gets it; a table's row is 1 channel, 1 × width.
  Mix draw(uint64_t seed, uint64_t epoch, uint64_t step, Shape shape) const;

 private:
  double mixup_alpha_ = 0, cutmix_alpha_ = 0;  // 0: absent
};

// `own` = own mixed with `partner`; both hold one sample's floats as the loader makes them, channels innermost. `partner` as it was before
// anything was mixed.
void apply(const Mix& mix, Shape shape, std::span<float> own, std::span<const float> partner);

}  // namespace trainyard::augment
