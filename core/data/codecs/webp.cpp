#include <webp/decode.h>
#include <webp/demux.h>

#include <algorithm>
#include <memory>
#include <opencv2/core.hpp>

#include "core/data/codecs/bytes.h"
#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

const uint8_t* dataOf(std::string_view bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

WebPBitstreamFeatures featuresOf(std::string_view bytes) {
  WebPBitstreamFeatures features{};
  const VP8StatusCode status = WebPGetFeatures(dataOf(bytes), bytes.size(), &features);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA) refuse("is cut short: the WebP ends in its header");
  if (status != VP8_STATUS_OK) refuse("is a damaged WebP");
  return features;
}

// What libwebp does not mind.
void checkWhole(std::string_view bytes) {
  const uint64_t expected = Bytes(bytes, Endian::Little).at(4, 4) + 8;
  if (bytes.size() < expected) refuse("is cut short: " + std::to_string(bytes.size()) + " of the WebP's " + std::to_string(expected) + " bytes");
}

// The first picture of an animation, on its canvas.
cv::Mat firstFrame(std::string_view bytes, const ImageFacts& facts) {
  WebPAnimDecoderOptions options;
  if (!WebPAnimDecoderOptionsInit(&options)) refuse("cannot be decoded: libwebp is of another version", "install Trainyard again");
  options.color_mode = MODE_RGBA;
  const WebPData data{dataOf(bytes), bytes.size()};
  const std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> decoder(WebPAnimDecoderNew(&data, &options), WebPAnimDecoderDelete);
  uint8_t* pixels = nullptr;
  int time_ms = 0;
  if (!decoder || !WebPAnimDecoderGetNext(decoder.get(), &pixels, &time_ms)) refuse("is a damaged or cut WebP animation");
  return cv::Mat(facts.height, facts.width, CV_8UC4, pixels).clone();
}

cv::Mat decode(std::string_view bytes, const ImageFacts& facts, const DecodeOptions&) {
  checkWhole(bytes);
  const WebPBitstreamFeatures features = featuresOf(bytes);
  if (features.has_animation) return firstFrame(bytes, facts);
  cv::Mat picture(facts.height, facts.width, features.has_alpha ? CV_8UC4 : CV_8UC3);
  const size_t size = picture.total() * picture.elemSize();
  const auto stride = static_cast<int>(picture.step);
  const uint8_t* done = features.has_alpha ? WebPDecodeRGBAInto(dataOf(bytes), bytes.size(), picture.data, size, stride)
                                           : WebPDecodeRGBInto(dataOf(bytes), bytes.size(), picture.data, size, stride);
  if (done == nullptr) refuse("is a damaged WebP");
  return picture;
}

ImageFacts inspect(std::string_view webp) {
  const WebPBitstreamFeatures features = featuresOf(webp);
  ImageFacts facts;
  facts.width = features.width;
  facts.height = features.height;
  facts.alpha = features.has_alpha != 0;
  facts.channels = facts.alpha ? 4 : 3;
  const Bytes bytes(webp, Endian::Little);
  for (uint64_t at = 12; at + 8 <= webp.size();) {
    const uint64_t size = bytes.at(at + 4, 4);
    if (webp.substr(at, 4) == "EXIF") {
      const auto [orientation, taken] = readExif(bytes.part(at + 8, size));
      facts.orientation = orientation;
      facts.taken = taken;
    }
    at += 8 + size + size % 2;
  }
  return facts;
}

bool recognises(std::string_view bytes) { return bytes.starts_with("RIFF"sv) && bytes.substr(0, 12).ends_with("WEBP"sv); }

}  // namespace

const Codec kWebp{"webp", recognises, inspect, decode};

}  // namespace trainyard::codecs
