#pragma once
// Picture files to pixels. The decoder sits in a module of its own (libtrainyard_images.so) that is loaded on the first call, because the
// libraries behind it take longer to load than the rest of the program.
#include <array>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <optional>

#include "core/augment/source.h"
#include "core/base/files.h"
#include "core/base/result.h"
#include "core/recipe/recipe.h"

namespace trainyard::data {

struct DecodeOptions {
  int channels = 0;                              // 1, 3; 0: as the file is
  std::array<int, 3> background{255, 255, 255};  // RGB under transparent pixels
  uint64_t max_pixels = 179'000'000;             // larger pictures are refused before decoding
  bool reduce = true;                            // Source::part may decode at a half, quarter or eighth
};
DecodeOptions decodeOptions(const recipe::Data& data);

// Any thread. 8-bit, RGB or grey as the file is or as options say (grey from RGB is Pillow's luma; of a JPEG its own luma plane); EXIF
// orientation applied; 16 bits scaled by depth. JPEG, PNG, BMP, WebP and GIF (of an animation the first frame), TIFF (the first page), HEIC,
// AVIF. Error Data: not a picture, cut short, too large, …
Result<cv::Mat> decodeImage(std::string_view bytes, const std::string& name, const DecodeOptions& options = {});
Result<cv::Mat> decodeImageFile(const fs::path& file, const DecodeOptions& options = {});

// The picture before it is decoded; owns the bytes. Reads the header only. Of a JPEG only what a part needs is decoded: damage before the part
// or in it is refused if it shows there, damage behind it is not seen.
Result<std::unique_ptr<augment::Source>> openImage(std::string bytes, const std::string& name, const DecodeOptions& options = {});

// What a file's header says, without decoding. Error Data.
struct ImageFacts {
  std::string kind;            // jpeg, png, bmp, webp, tiff, gif, heic, avif
  int width = 0, height = 0;   // as people see it
  int channels = 0, bits = 8;  // as stored: 1 … 4 (a palette counts as 3 of 8 bits), per channel
  int orientation = 1;         // EXIF, 1 … 8; 1 for HEIC and AVIF, which are turned by other means
  bool cmyk = false, alpha = false, palette = false;
  std::optional<int64_t> taken;  // s since 1970 by the camera's own clock (EXIF)
};
Result<ImageFacts> inspectImage(std::string_view bytes, const std::string& name);

// Whether the name ends like a picture that decodeImage reads.
bool looksLikeImage(const fs::path& file);

// PNG, 8-bit grey or RGB: for samples and tests. Error Failed.
Result<std::string> encodePng(const cv::Mat& picture);

}  // namespace trainyard::data
