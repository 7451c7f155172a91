#include <array>

#include "core/augment/operations.h"
#include "core/augment/ops.h"

namespace trainyard::augment {

namespace {

constexpr int kPolicyGrades = 10;
constexpr auto kDrawn = static_cast<uint64_t>(Kind::Invert);  // all kinds but Invert, which only the policies use

// What the three have in common: how the drawn operations look.
class Operations : public Op {
 public:
  Operations(Interpolation interpolation, Fill fill) : interpolation_(interpolation), fill_(std::move(fill)) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    cv::Mat result = picture;
    for (const auto& operation : draw(picture.size(), random)) result = operate(result, operation, interpolation_, fill_);
    return result;
  }

 private:
  virtual std::vector<Operation> draw(cv::Size size, Random& random) const = 0;

  Interpolation interpolation_;
  Fill fill_;
};

class AutoAugment : public Operations {
 public:
  AutoAugment(std::span<const Policy> policies, Interpolation interpolation, Fill fill) : Operations(interpolation, std::move(fill)), policies_(policies) {}

 private:
  std::vector<Operation> draw(cv::Size size, Random& random) const override { return drawAutoAugment(policies_, size, random); }
  std::span<const Policy> policies_;
};

class RandAugment : public Operations {
 public:
  RandAugment(int operations, int grade, int grades, Interpolation interpolation, Fill fill)
      : Operations(interpolation, std::move(fill)), operations_(operations), grade_(grade), grades_(grades) {}

 private:
  std::vector<Operation> draw(cv::Size size, Random& random) const override { return drawRandAugment(operations_, grade_, grades_, size, random); }
  int operations_, grade_, grades_;
};

class TrivialAugmentWide : public Operations {
 public:
  TrivialAugmentWide(int grades, Interpolation interpolation, Fill fill) : Operations(interpolation, std::move(fill)), grades_(grades) {}

 private:
  std::vector<Operation> draw(cv::Size size, Random& random) const override { return {drawTrivialAugment(grades_, size, random)}; }
  int grades_;
};

Operation withSign(Kind kind, double magnitude, Random& random) {
  if (isSigned(kind) && random.uniform() < 0.5) magnitude = -magnitude;
  return {kind, magnitude};
}

}  // namespace

std::vector<Operation> drawAutoAugment(std::span<const Policy> policies, cv::Size size, Random& random) {
  const Policy& policy = policies[random.below(policies.size())];
  std::vector<Operation> drawn;
  for (const Rule& rule : {policy.first, policy.second}) {
    if (random.uniform() >= rule.probability) continue;
    drawn.push_back(withSign(rule.kind, magnitudeOf(rule.kind, Space::Usual, rule.grade, kPolicyGrades, size), random));
  }
  return drawn;
}

std::vector<Operation> drawRandAugment(int operations, int grade, int grades, cv::Size size, Random& random) {
  std::vector<Operation> drawn;
  for (int i = 0; i < operations; ++i) {
    const auto kind = static_cast<Kind>(random.below(kDrawn));
    drawn.push_back(withSign(kind, magnitudeOf(kind, Space::Usual, grade, grades, size), random));
  }
  return drawn;
}

Operation drawTrivialAugment(int grades, cv::Size size, Random& random) {
  const auto kind = static_cast<Kind>(random.below(kDrawn));
  const auto grade = static_cast<int>(random.below(static_cast<uint64_t>(grades)));
  return withSign(kind, magnitudeOf(kind, Space::Wide, grade, grades, size), random);
}

Result<Steps> makeAutoAugment(const Json& params, Building& building) {
  if (!building.training) return Steps{};
  TRAINYARD_TRY(Fill fill, fillFrom(params, nullptr, building));
  return Steps{std::make_shared<AutoAugment>(policies(params.value("policy", std::string("imagenet"))), interpolationFrom(params, "nearest"), std::move(fill))};
}

Result<Steps> makeRandAugment(const Json& params, Building& building) {
  if (!building.training) return Steps{};
  TRAINYARD_TRY(Fill fill, fillFrom(params, nullptr, building));
  return Steps{std::make_shared<RandAugment>(params.value("num_ops", 2), params.value("magnitude", 9), params.value("num_magnitude_bins", 31),
                                             interpolationFrom(params, "nearest"), std::move(fill))};
}

Result<Steps> makeTrivialAugmentWide(const Json& params, Building& building) {
  if (!building.training) return Steps{};
  TRAINYARD_TRY(Fill fill, fillFrom(params, nullptr, building));
  return Steps{std::make_shared<TrivialAugmentWide>(params.value("num_magnitude_bins", 31), interpolationFrom(params, "nearest"), std::move(fill))};
}

}  // namespace trainyard::augment
