#pragma once
// The operations that AutoAugment, RandAugment and TrivialAugment choose from, and how these choose.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/augment/warp.h"
#include "core/base/random.h"

namespace trainyard::augment {

enum class Kind {
  Identity,
  ShearX,
  ShearY,
  TranslateX,
  TranslateY,
  Rotate,
  Brightness,
  Color,
  Contrast,
  Sharpness,
  Posterize,
  Solarize,
  AutoContrast,
  Equalize,
  Invert,
};

struct Operation {
  Kind kind = Kind::Identity;
  double magnitude = 0;  // a shear's tangent, pixels, degrees, what is added to a factor of 1, bits, a share of 255; signed
};

// Whose magnitudes: those of AutoAugment and RandAugment, or the wide ones of TrivialAugment.
enum class Space { Usual, Wide };

// Magnitude number `grade` of `grades` ≥ 2, without a sign; 0 for operations that have none.
double magnitudeOf(Kind kind, Space space, int grade, int grades, cv::Size size);
bool isSigned(Kind kind);

cv::Mat operate(const cv::Mat& picture, const Operation& operation, Interpolation interpolation, const Fill& fill);

// One half of a policy: an operation, how often it happens, and its grade of 10.
struct Rule {
  Kind kind;
  double probability;
  int grade;
};
struct Policy {
  Rule first, second;
};
std::span<const Policy> policies(const std::string& name);  // imagenet, cifar10, svhn: 25 each

std::vector<Operation> drawAutoAugment(std::span<const Policy> policies, cv::Size size, Random& random);
std::vector<Operation> drawRandAugment(int operations, int grade, int grades, cv::Size size, Random& random);
Operation drawTrivialAugment(int grades, cv::Size size, Random& random);

}  // namespace trainyard::augment
