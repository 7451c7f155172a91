#include "core/data/codecs/module.h"

#include <exception>

#include "core/data/codecs/bytes.h"
#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

void refuse(std::string what, std::string hint) { throw Unreadable{{std::move(what), std::move(hint)}}; }

namespace {

constexpr char kSaveAs[] = "save it as JPEG, PNG, BMP, WebP, TIFF, GIF or HEIC";

const Codec* const kCodecs[] = {&kJpeg, &kPng, &kWebp, &kBmp, &kTiff, &kGif, &kHeic, &kAvif};

struct Foreign {
  std::string_view magic;
  const char* what;
};

constexpr Foreign kForeign[] = {
    {"<!DOCTYPE"sv, "is a web page, not a picture"},
    {"<html"sv, "is a web page, not a picture"},
    {"<svg"sv, "is an SVG drawing, not a picture of pixels"},
    {"%PDF"sv, "is a PDF document, not a picture"},
    {"PK\x03\x04"sv, "is a ZIP archive, not a picture"},
    {"\0\0\0\x0cJXL "sv, "is a JPEG XL picture, which is not read"},
    {"\0\0\0\x0cjP  "sv, "is a JPEG 2000 picture, which is not read"},
    {"8BPS"sv, "is a Photoshop document, which is not read"},
    {"version https://git-lfs"sv, "is a Git LFS pointer; the picture itself was never fetched"},
};

const Codec& codecOf(std::string_view bytes) {
  if (bytes.empty()) refuse("is empty (0 bytes)");
  for (const Codec* codec : kCodecs) {
    if (codec->recognises(bytes)) return *codec;
  }
  for (const Foreign& kind : kForeign) {
    if (bytes.starts_with(kind.magic)) refuse(kind.what, kSaveAs);
  }
  refuse("is not a picture", std::string("remove it, or ") + kSaveAs);
}

ImageFacts inspect(const Codec& codec, std::string_view bytes) {
  ImageFacts facts = codec.inspect(bytes);
  facts.kind = codec.kind;
  if (facts.width <= 0 || facts.height <= 0)
    refuse(std::string("is damaged: its header says ") + std::to_string(facts.width) + " × " + std::to_string(facts.height) + " pixels");
  return facts;
}

ImageFacts inspectWithin(const Codec& codec, std::string_view bytes, const DecodeOptions& options) {
  ImageFacts facts = inspect(codec, bytes);
  const uint64_t pixels = static_cast<uint64_t>(facts.width) * static_cast<uint64_t>(facts.height);
  if (pixels > options.max_pixels) {
    const auto [width, height] = swapsSides(facts.orientation) ? std::pair(facts.height, facts.width) : std::pair(facts.width, facts.height);
    refuse("has " + std::to_string(width) + " × " + std::to_string(height) + " pixels; the limit is " + std::to_string(options.max_pixels / 1'000'000) +
               " megapixels",
           "make it smaller, or raise data.max_megapixels if the file can be trusted");
  }
  return facts;
}

cv::Mat decodeWhole(const Codec& codec, std::string_view bytes, const ImageFacts& facts, const DecodeOptions& options) {
  return turned(finished(codec.decode(bytes, facts, options), options), facts.orientation);
}

augment::Cut decodePart(std::string_view bytes, const DecodeOptions& options, const cv::Rect& region, cv::Size target) {
  const Codec& codec = codecOf(bytes);
  const ImageFacts facts = inspectWithin(codec, bytes, options);
  if (&codec != &kJpeg) return {decodeWhole(codec, bytes, facts, options)(region), cv::Rect2d(0, 0, region.width, region.height)};
  if (swapsSides(facts.orientation)) std::swap(target.width, target.height);
  const cv::Rect stored = storedRegion(region, {facts.width, facts.height}, facts.orientation);
  if (stored.empty() || (stored & cv::Rect(0, 0, facts.width, facts.height)) != stored) refuse("has no such part: it is of another size than before");
  augment::Cut cut = decodeJpegPart(bytes, facts, options, stored, target);
  cut.pixels = finished(cut.pixels, options);
  return facts.orientation == 1 ? cut : turned(cut, facts.orientation);
}

template <class Work>
bool guarded(Problem& problem, const Work& work) noexcept {
  try {
    work();
    return true;
  } catch (const Unreadable& unreadable) {
    problem = unreadable.problem;
  } catch (const std::bad_alloc&) {
    problem = {"needs more memory than there is", "make it smaller, or lower data.max_megapixels so that such pictures are refused"};
  } catch (const std::exception& error) {
    problem = {std::string("cannot be decoded: ") + error.what(), std::string("remove it, or ") + kSaveAs};
  } catch (...) {
    problem = {"cannot be decoded", kCopyAgain};
  }
  return false;
}

}  // namespace

extern "C" {

bool trainyard_decode_picture(std::string_view bytes, const DecodeOptions& options, cv::Mat& picture, Problem& problem) noexcept {
  return guarded(problem, [&] {
    const Codec& codec = codecOf(bytes);
    picture = decodeWhole(codec, bytes, inspectWithin(codec, bytes, options), options);
  });
}

bool trainyard_decode_part(std::string_view bytes, const DecodeOptions& options, const cv::Rect& region, cv::Size target, augment::Cut& cut,
                           Problem& problem) noexcept {
  return guarded(problem, [&] { cut = decodePart(bytes, options, region, target); });
}

bool trainyard_inspect_picture(std::string_view bytes, ImageFacts& facts, Problem& problem) noexcept {
  return guarded(problem, [&] {
    facts = inspect(codecOf(bytes), bytes);
    if (swapsSides(facts.orientation)) std::swap(facts.width, facts.height);
  });
}

bool trainyard_encode_png(const cv::Mat& picture, std::string& bytes, Problem& problem) noexcept {
  return guarded(problem, [&] { bytes = encodePng(picture); });
}

}  // extern "C"

}  // namespace trainyard::codecs
