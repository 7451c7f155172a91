#pragma once
// Inside the augment room: what a maker is given and gives. One file per family; chain.cpp holds the list of makers.
#include "core/augment/chain.h"

namespace trainyard::augment {

using Steps = std::vector<std::shared_ptr<const Op>>;

struct Size {
  int height = 0, width = 0;
};

// The state of a chain under construction; a maker keeps `shape` and `fixed` true to what its steps give.
struct Building {
  Shape shape;         // of the picture so far; as long as `fixed` is false, of the first picture only
  bool fixed = false;  // every picture has this height and width here
  bool training = true;
  std::string where;             // "augment[1] random_crop", for errors
  std::vector<float> mean, std;  // by normalize
};

using Maker = Result<Steps> (*)(const Json& params, Building& building);

Result<Steps> makeResize(const Json& params, Building& building);
Result<Steps> makeCenterCrop(const Json& params, Building& building);
Result<Steps> makeRandomCrop(const Json& params, Building& building);
Result<Steps> makeRandomResizedCrop(const Json& params, Building& building);
Result<Steps> makeRandomHorizontalFlip(const Json& params, Building& building);
Result<Steps> makeRandomVerticalFlip(const Json& params, Building& building);
Result<Steps> makeNormalize(const Json& params, Building& building);

// The steps that bring any picture to a square of `edge`: the shorter side to `edge`, then the centre.
Steps squareSteps(int edge, Building& building);

// The shorter side to `shorter`, the other in proportion (cut down to whole pixels, as torchvision does).
std::shared_ptr<const Op> resizeShorter(int shorter);
Size shorterSideTo(int shorter, Size from);
std::shared_ptr<const Op> centerCrop(Size size);

// An edge or [height, width].
Size sizeFrom(const Json& value);
std::string sizeText(int height, int width);  // "28×28"

}  // namespace trainyard::augment
