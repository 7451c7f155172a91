#pragma once
// Inside the augment room: what a maker is given and gives. One file per family; makers.cpp holds the list of makers.
#include <functional>

#include "core/augment/chain.h"
#include "core/augment/resample.h"
#include "core/augment/warp.h"

namespace trainyard::augment {

using Steps = std::vector<std::shared_ptr<const Op>>;

struct Size {
  int height = 0, width = 0;
};

// The state of a chain under construction; a maker keeps `shape`, `fixed` and `varies` true to what its steps give.
struct Building {
  Shape shape;          // of the picture so far; as long as `fixed` is false, of the first picture only
  bool fixed = false;   // every picture has this height and width here
  bool varies = false;  // one picture does not always have the same size here
  bool training = true;
  bool as_written = false;       // [[eval_augment]]: random steps are refused instead of left out
  std::string path;              // "augment[1]", "augment[1].transforms[0]"
  std::string where;             // "augment[1] random_crop", for errors
  std::vector<float> mean, std;  // of the chain's normalize, wherever it stands; empty: none
};

using Maker = Result<Steps> (*)(const Json& params, Building& building);

Result<Steps> makeResize(const Json& params, Building& building);
Result<Steps> makeCenterCrop(const Json& params, Building& building);
Result<Steps> makeRandomCrop(const Json& params, Building& building);
Result<Steps> makeRandomResizedCrop(const Json& params, Building& building);
Result<Steps> makeRandomHorizontalFlip(const Json& params, Building& building);
Result<Steps> makeRandomVerticalFlip(const Json& params, Building& building);
Result<Steps> makeRandomRotation(const Json& params, Building& building);
Result<Steps> makeRandomAffine(const Json& params, Building& building);
Result<Steps> makeRandomPerspective(const Json& params, Building& building);
Result<Steps> makeRandomErasing(const Json& params, Building& building);
Result<Steps> makeColorJitter(const Json& params, Building& building);
Result<Steps> makeRandomGrayscale(const Json& params, Building& building);
Result<Steps> makeGaussianBlur(const Json& params, Building& building);
Result<Steps> makeRandomAdjustSharpness(const Json& params, Building& building);
Result<Steps> makeRandomAutocontrast(const Json& params, Building& building);
Result<Steps> makeRandomEqualize(const Json& params, Building& building);
Result<Steps> makeRandomInvert(const Json& params, Building& building);
Result<Steps> makeRandomPosterize(const Json& params, Building& building);
Result<Steps> makeRandomSolarize(const Json& params, Building& building);
Result<Steps> makeAutoAugment(const Json& params, Building& building);
Result<Steps> makeRandAugment(const Json& params, Building& building);
Result<Steps> makeTrivialAugmentWide(const Json& params, Building& building);
Result<Steps> makeRandomApply(const Json& params, Building& building);
Result<Steps> makeRandomChoice(const Json& params, Building& building);
Result<Steps> makeNormalize(const Json& params, Building& building);

// The steps of one table at `building.path`; none when it is switched off. Sets building.where.
Result<Steps> makeSteps(const recipe::Choice& choice, Building& building);

// Of ids that may stand in a chain once: mixup, cutmix, normalize.
bool onlyOnce(const std::string& id);

// The steps that bring any picture to a square of `edge`: the shorter side to `edge`, then the centre.
Steps squareSteps(int edge, Building& building);

// The shorter side to `shorter`, the other in proportion (cut down to whole pixels, as torchvision does); if that is longer than `longest`
// (0: no limit), the longer side to `longest` instead.
std::shared_ptr<const Op> resizeShorter(int shorter, int longest = 0, Filter filter = Filter::Bilinear);
Size shorterSideTo(int shorter, Size from, int longest = 0);
std::shared_ptr<const Op> centerCrop(Size size);

// From here on every picture has that size.
void give(Building& building, Size size);

// An edge or [height, width].
Size sizeFrom(const Json& value);
std::string sizeText(int height, int width);  // "28×28"

Filter filterFrom(const Json& params);  // `interpolation` of a resize, bilinear by default
Interpolation interpolationFrom(const Json& params, const char* fallback);

// `fill`: a level, one per channel, or nothing. Error Recipe when there are more levels than channels.
Result<Fill> fillFrom(const Json& params, const Json& fallback, const Building& building);

// Leaves pictures as they are, or changes them, with probability params.p.
Steps sometimes(const Json& params, double fallback_p, const Building& building, std::function<cv::Mat(const cv::Mat&)> change);

}  // namespace trainyard::augment
