#pragma once
// The border of the decoder module libtrainyard_images.so. Both sides are built together and share one OpenCV core; nothing throws across,
// and every function may run in any thread. image_decode.h says what each promises.
#include <opencv2/core/mat.hpp>
#include <string>
#include <string_view>

#include "core/augment/source.h"
#include "core/data/image_decode.h"

namespace trainyard::codecs {

struct Problem {
  std::string what, hint;
};

// True: the result is set. False: `problem` says why not. The module exports them under these names; a program that links the decoders
// themselves calls them directly.
extern "C" {
bool trainyard_decode_picture(std::string_view bytes, const data::DecodeOptions& options, cv::Mat& picture, Problem& problem) noexcept;

// As augment::Source::part.
bool trainyard_decode_part(std::string_view bytes, const data::DecodeOptions& options, const cv::Rect& region, cv::Size target, augment::Cut& cut,
                           Problem& problem) noexcept;

bool trainyard_inspect_picture(std::string_view bytes, data::ImageFacts& facts, Problem& problem) noexcept;

bool trainyard_encode_png(const cv::Mat& picture, std::string& bytes, Problem& problem) noexcept;
}

}  // namespace trainyard::codecs
