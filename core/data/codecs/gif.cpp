// The first frame of a GIF, on the canvas of its size.
#include <gif_lib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <opencv2/core.hpp>
#include <vector>

#include "core/data/codecs/bytes.h"
#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

constexpr int kOpaque = -1;

int readBytes(GifFileType* gif, GifByteType* to, int count) {
  auto& left = *static_cast<std::string_view*>(gif->UserData);
  const size_t given = std::min(static_cast<size_t>(count), left.size());
  std::memcpy(to, left.data(), given);
  left.remove_prefix(given);
  return static_cast<int>(given);
}

void close(GifFileType* gif) { DGifCloseFile(gif, nullptr); }

// Read up to the pixels of its first frame.
struct Frame {
  explicit Frame(std::string_view bytes) : left(bytes), gif(nullptr, close) {
    int error = 0;
    gif.reset(DGifOpen(&left, readBytes, &error));
    if (!gif) refuse("is a damaged GIF or cut short in its header");
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    while (record != IMAGE_DESC_RECORD_TYPE) {
      need(DGifGetRecordType(gif.get(), &record));
      if (record == TERMINATE_RECORD_TYPE) refuse("is a GIF without a picture");
      if (record == EXTENSION_RECORD_TYPE) readExtension();
    }
    need(DGifGetImageDesc(gif.get()));
  }

  void need(int status) const {
    if (status == GIF_OK) return;
    if (left.empty()) refuse("is cut short: the GIF ends before its first frame does");
    refuse("is a damaged GIF");
  }

  // The canvas; wider where the frame leaves it, as browsers and Pillow show it.
  int width() const { return std::max(gif->SWidth, gif->Image.Left + gif->Image.Width); }
  int height() const { return std::max(gif->SHeight, gif->Image.Top + gif->Image.Height); }
  bool coversCanvas() const { return gif->Image.Width == width() && gif->Image.Height == height(); }

  std::string_view left;
  std::unique_ptr<GifFileType, decltype(&close)> gif;
  int transparent = kOpaque;

 private:
  void readExtension() {
    int code = 0;
    GifByteType* block = nullptr;
    need(DGifGetExtension(gif.get(), &code, &block));
    GraphicsControlBlock control{};
    if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
      transparent = control.TransparentColor;
    while (block != nullptr) need(DGifGetExtensionNext(gif.get(), &block));
  }
};

using Colours = std::array<cv::Vec4b, 256>;

// A pixel without an entry in the palette is black, as elsewhere.
Colours coloursOf(const Frame& frame) {
  const ColorMapObject* map = frame.gif->Image.ColorMap != nullptr ? frame.gif->Image.ColorMap : frame.gif->SColorMap;
  if (map == nullptr) refuse("is a GIF without colours");
  Colours colours;
  colours.fill({0, 0, 0, 255});
  for (int i = 0; i < std::min(map->ColorCount, 256); ++i)
    colours[static_cast<size_t>(i)] = {map->Colors[i].Red, map->Colors[i].Green, map->Colors[i].Blue, 255};
  if (frame.transparent != kOpaque) colours[static_cast<size_t>(frame.transparent)][3] = 0;
  return colours;
}

// The row of each line in the order of the file.
std::vector<int> rowsOf(const GifImageDesc& image) {
  std::vector<int> rows;
  if (!image.Interlace) {
    for (int y = 0; y < image.Height; ++y) rows.push_back(y);
    return rows;
  }
  for (const auto& [first, step] : {std::pair(0, 8), std::pair(4, 8), std::pair(2, 4), std::pair(1, 2)}) {
    for (int y = first; y < image.Height; y += step) rows.push_back(y);
  }
  return rows;
}

cv::Mat decode(std::string_view bytes, const ImageFacts& facts, const DecodeOptions&) {
  const Frame frame(bytes);
  const GifImageDesc& image = frame.gif->Image;
  const Colours colours = coloursOf(frame);
  cv::Mat picture = facts.alpha ? cv::Mat(facts.height, facts.width, CV_8UC4, cv::Scalar(0)) : cv::Mat(facts.height, facts.width, CV_8UC3);
  std::vector<GifPixelType> line(static_cast<size_t>(image.Width));
  for (const int y : rowsOf(image)) {
    frame.need(DGifGetLine(frame.gif.get(), line.data(), image.Width));
    uchar* to = picture.ptr(image.Top + y, image.Left);
    for (const GifPixelType index : line) {
      const cv::Vec4b& colour = colours[index];
      for (int c = 0; c < picture.channels(); ++c) *to++ = colour[c];
    }
  }
  return picture;
}

ImageFacts inspect(std::string_view bytes) {
  const Frame frame(bytes);
  ImageFacts facts;
  facts.width = frame.width();
  facts.height = frame.height();
  facts.channels = 3;
  facts.palette = true;
  facts.alpha = frame.transparent != kOpaque || !frame.coversCanvas();
  return facts;
}

bool recognises(std::string_view bytes) { return bytes.starts_with("GIF87a"sv) || bytes.starts_with("GIF89a"sv); }

}  // namespace

const Codec kGif{"gif", recognises, inspect, decode};

}  // namespace trainyard::codecs
