#include "core/augment/ops.h"

#include <opencv2/core.hpp>

namespace trainyard::augment {

namespace {

enum class Mirror { TopBottom = 0, LeftRight = 1 };  // as cv::flip counts

class RandomFlip : public Op {
 public:
  RandomFlip(Mirror mirror, double probability) : mirror_(mirror), probability_(probability) {}

  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    if (random.uniform() >= probability_) return picture;
    cv::Mat mirrored;
    cv::flip(picture, mirrored, static_cast<int>(mirror_));
    return mirrored;
  }

 private:
  Mirror mirror_;
  double probability_;
};

Steps make(Mirror mirror, const Json& params, const Building& building) {
  if (!building.training) return {};
  return {std::make_shared<RandomFlip>(mirror, params.value("p", 0.5))};
}

}  // namespace

Result<Steps> makeRandomHorizontalFlip(const Json& params, Building& building) { return make(Mirror::LeftRight, params, building); }

Result<Steps> makeRandomVerticalFlip(const Json& params, Building& building) { return make(Mirror::TopBottom, params, building); }

}  // namespace trainyard::augment
