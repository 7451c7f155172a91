// A picture's file. How it is decoded follows from its length, so that any picture is a good start.
#include "core/data/codecs/module.h"
#include "tests/fuzz/support.h"

using namespace trainyard;

namespace {

void part(std::string_view picture, const data::DecodeOptions& options, int height, int width, size_t draw) {
  const cv::Rect region(static_cast<int>(draw % width) / 2, static_cast<int>(draw / 7 % height) / 2, (width + 1) / 2, (height + 1) / 2);
  const cv::Size target(std::max(1, region.width / (1 + static_cast<int>(draw % 5))), std::max(1, region.height / (1 + static_cast<int>(draw % 5))));
  augment::Cut cut;
  codecs::Problem problem;
  if (codecs::trainyard_decode_part(picture, options, region, target, cut, problem))
    fuzz::check(!cut.pixels.empty() && cut.box.x >= 0 && cut.box.y >= 0 && cut.box.x + cut.box.width <= cut.pixels.cols + 1e-6 &&
                cut.box.y + cut.box.height <= cut.pixels.rows + 1e-6);
  else
    fuzz::check(!problem.what.empty());
}

}  // namespace

// libheif 1.15 forgets the picture it had begun when a file breaks off in the middle (in its plugins for dav1d and libde265).
extern "C" const char* __lsan_default_suppressions() { return "leak:libheif\nleak:libdav1d\nleak:libde265\n"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view picture = fuzz::textOf(bytes, size);
  data::DecodeOptions options;
  options.channels = std::array{0, 1, 3}[size % 3];
  options.max_pixels = 1 << 20;
  data::ImageFacts facts;
  codecs::Problem problem;
  const bool inspected = codecs::trainyard_inspect_picture(picture, facts, problem);
  fuzz::check(inspected ? facts.width > 0 && facts.height > 0 : !problem.what.empty());
  cv::Mat pixels;
  const bool decoded = codecs::trainyard_decode_picture(picture, options, pixels, problem);
  if (!decoded) {
    fuzz::check(!problem.what.empty());
  } else {
    fuzz::check(!pixels.empty() && pixels.depth() == CV_8U && (pixels.channels() == 1 || pixels.channels() == 3));
    fuzz::check(pixels.total() <= options.max_pixels && (options.channels == 0 || pixels.channels() == options.channels));
    fuzz::check(!inspected || (facts.width == pixels.cols && facts.height == pixels.rows));
  }
  // As openImage does it: a part only of what a header announced.
  if (inspected && facts.kind == "jpeg" && static_cast<uint64_t>(facts.width) * static_cast<uint64_t>(facts.height) <= options.max_pixels)
    part(picture, options, facts.height, facts.width, size);
  return 0;
}
