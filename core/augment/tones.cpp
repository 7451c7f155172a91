// Steps that change all pixels alike, with a probability.
#include "core/augment/colour.h"
#include "core/augment/ops.h"

namespace trainyard::augment {

Result<Steps> makeRandomGrayscale(const Json& params, Building& building) { return sometimes(params, 0.1, building, grey); }

Result<Steps> makeRandomAutocontrast(const Json& params, Building& building) { return sometimes(params, 0.5, building, autocontrasted); }

Result<Steps> makeRandomEqualize(const Json& params, Building& building) { return sometimes(params, 0.5, building, equalized); }

Result<Steps> makeRandomInvert(const Json& params, Building& building) { return sometimes(params, 0.5, building, inverted); }

Result<Steps> makeRandomPosterize(const Json& params, Building& building) {
  return sometimes(params, 0.5, building, [bits = params.at("bits").get<int>()](const cv::Mat& picture) { return posterized(picture, bits); });
}

Result<Steps> makeRandomSolarize(const Json& params, Building& building) {
  return sometimes(params, 0.5, building, [from = params.at("threshold").get<double>()](const cv::Mat& picture) { return solarized(picture, from); });
}

Result<Steps> makeRandomAdjustSharpness(const Json& params, Building& building) {
  return sometimes(params, 0.5, building, [by = params.at("sharpness_factor").get<double>()](const cv::Mat& picture) { return withSharpness(picture, by); });
}

}  // namespace trainyard::augment
