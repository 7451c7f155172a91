#pragma once
// Picture files to pixels. The decoder sits in a module of its own (libtrainyard_images.so) that is loaded on the first call, because the
// libraries behind it take longer to load than the rest of the program.
#include <opencv2/core/mat.hpp>

#include "core/base/files.h"
#include "core/base/result.h"

namespace trainyard::data {

// Any thread. 8-bit, RGB or grey as the file is; EXIF orientation applied. JPEG, PNG, BMP, WebP, TIFF. Error Data: not a picture, cut short, …
Result<cv::Mat> decodeImage(std::string_view bytes, const std::string& name);
Result<cv::Mat> decodeImageFile(const fs::path& file);

// Whether the name ends like a picture that decodeImage reads.
bool looksLikeImage(const fs::path& file);

// PNG, 8-bit grey or RGB: for samples and tests. Error Failed.
Result<std::string> encodePng(const cv::Mat& picture);

}  // namespace trainyard::data
