// TIFF through libtiff itself. Its ready-made reading (TIFFReadRGBAImage) serves palettes, few bits, CMYK, YCbCr and the like; grey and RGB of
// 8 and 16 bits are read as they are, since it cuts 16 bits off instead of rounding and multiplies colours by alpha.
#include <tiffio.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <opencv2/core.hpp>
#include <vector>

#include "core/data/codecs/bytes.h"
#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

constexpr char kHint[] = "remove it, or save it as an 8-bit TIFF or as PNG";

struct Memory {
  std::string_view bytes;
  uint64_t position = 0;
};

tmsize_t readBytes(thandle_t handle, void* to, tmsize_t size) {
  auto* memory = static_cast<Memory*>(handle);
  if (memory->position >= memory->bytes.size()) return 0;
  const size_t count = std::min<size_t>(static_cast<size_t>(size), memory->bytes.size() - memory->position);
  std::memcpy(to, memory->bytes.data() + memory->position, count);
  memory->position += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t writeNothing(thandle_t, void*, tmsize_t) { return 0; }
int closeNothing(thandle_t) { return 0; }
toff_t sizeOf(thandle_t handle) { return static_cast<Memory*>(handle)->bytes.size(); }

toff_t seekTo(thandle_t handle, toff_t offset, int whence) {
  auto* memory = static_cast<Memory*>(handle);
  memory->position = whence == SEEK_SET ? offset : whence == SEEK_CUR ? memory->position + offset : memory->bytes.size() + offset;
  return memory->position;
}

template <class T>
T field(TIFF* tiff, uint32_t tag, T fallback) {
  T value = fallback;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : fallback;
}

enum class Extra { None, Multiplied, Plain };  // the channel behind the colours: alpha that they are multiplied by, alpha, or nothing known

// The first picture of the file.
struct File {
  explicit File(std::string_view bytes) : memory{bytes}, tiff(nullptr, TIFFClose) {
    static const bool kQuiet = [] {
      TIFFSetErrorHandler(nullptr);
      TIFFSetWarningHandler(nullptr);
      return true;
    }();
    static_cast<void>(kQuiet);
    tiff.reset(TIFFClientOpen("picture", "rm", &memory, readBytes, writeNothing, seekTo, closeNothing, sizeOf, nullptr, nullptr));
    if (!tiff) refuse("is a damaged or cut TIFF", kHint);
    width = field<uint32_t>(tiff.get(), TIFFTAG_IMAGEWIDTH, 0);
    height = field<uint32_t>(tiff.get(), TIFFTAG_IMAGELENGTH, 0);
    bits = field<uint16_t>(tiff.get(), TIFFTAG_BITSPERSAMPLE, 1);
    samples = field<uint16_t>(tiff.get(), TIFFTAG_SAMPLESPERPIXEL, 1);
    photometric = field<uint16_t>(tiff.get(), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    orientation = field<uint16_t>(tiff.get(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    uint16_t count = 0, *kinds = nullptr;
    if (TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) && count > 0)
      extra = kinds[0] == EXTRASAMPLE_ASSOCALPHA ? Extra::Multiplied : kinds[0] == EXTRASAMPLE_UNASSALPHA ? Extra::Plain : Extra::None;
    if (samples == 4 && photometric == PHOTOMETRIC_RGB && count == 0) extra = Extra::Plain;
  }

  bool grey() const { return photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE; }
  int colours() const { return grey() ? 1 : 3; }
  bool alpha() const { return extra != Extra::None && samples > colours(); }
  // Whether grey and RGB come as they are.
  bool plain() const { return (bits == 8 || bits == 16) && (grey() || photometric == PHOTOMETRIC_RGB) && samples >= colours(); }

  Memory memory;
  std::unique_ptr<TIFF, decltype(&TIFFClose)> tiff;
  uint32_t width = 0, height = 0;
  uint16_t bits = 0, samples = 0, photometric = 0, orientation = 1;
  Extra extra = Extra::None;
};

void need(bool done) {
  if (!done) refuse("is a damaged or cut TIFF", kHint);
}

// Tiles may be larger than the picture, but not absurdly so.
void checkTiles(TIFF* tiff, const cv::Mat& picture) {
  constexpr uint64_t kFree = 16 << 20;
  const auto size = static_cast<uint64_t>(TIFFIsTiled(tiff) ? TIFFTileSize64(tiff) : 0);
  if (size > kFree + 4 * picture.total() * picture.elemSize()) refuse("is a damaged TIFF: its tiles have " + std::to_string(size) + " bytes", kHint);
}

// A row of one plane, or of all when the file has only one, to its place in the picture.
void place(const uchar* from, cv::Mat& picture, int y, int x, int count, int plane, bool planes) {
  const size_t pixel = picture.elemSize(), sample = picture.elemSize1();
  uchar* to = picture.ptr(y) + static_cast<size_t>(x) * pixel;
  if (!planes) {
    std::memcpy(to, from, static_cast<size_t>(count) * pixel);
    return;
  }
  to += static_cast<size_t>(plane) * sample;
  for (int i = 0; i < count; ++i, to += pixel, from += sample) std::memcpy(to, from, sample);
}

void readTiles(TIFF* tiff, cv::Mat& picture, int plane, bool planes) {
  const auto wide = static_cast<int>(field<uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0)), high = static_cast<int>(field<uint32_t>(tiff, TIFFTAG_TILELENGTH, 0));
  std::vector<uchar> tile(static_cast<size_t>(TIFFTileSize64(tiff)));
  const size_t row = static_cast<size_t>(TIFFTileRowSize64(tiff));
  need(wide > 0 && high > 0 && row >= static_cast<size_t>(wide) * (planes ? picture.elemSize1() : picture.elemSize()) &&
       tile.size() >= row * static_cast<size_t>(high));
  for (int y = 0; y < picture.rows; y += high) {
    for (int x = 0; x < picture.cols; x += wide) {
      need(TIFFReadTile(tiff, tile.data(), static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0, static_cast<uint16_t>(plane)) > 0);
      for (int i = 0; i < std::min(high, picture.rows - y); ++i)
        place(tile.data() + static_cast<size_t>(i) * row, picture, y + i, x, std::min(wide, picture.cols - x), plane, planes);
    }
  }
}

void readStrips(TIFF* tiff, cv::Mat& picture, int plane, bool planes) {
  std::vector<uchar> line(static_cast<size_t>(TIFFScanlineSize64(tiff)));
  need(line.size() >= static_cast<size_t>(picture.cols) * (planes ? picture.elemSize1() : picture.elemSize()));
  for (int y = 0; y < picture.rows; ++y) {
    need(TIFFReadScanline(tiff, line.data(), static_cast<uint32_t>(y), static_cast<uint16_t>(plane)) == 1);
    place(line.data(), picture, y, 0, picture.cols, plane, planes);
  }
}

cv::Mat readPlain(const File& file) {
  constexpr int kMostChannels = 16;
  if (file.samples > kMostChannels) refuse("is a TIFF with " + std::to_string(file.samples) + " channels", kHint);
  TIFF* tiff = file.tiff.get();
  cv::Mat stored(static_cast<int>(file.height), static_cast<int>(file.width), CV_MAKETYPE(file.bits == 8 ? CV_8U : CV_16U, file.samples));
  checkTiles(tiff, stored);
  const bool planes = file.samples > 1 && field<uint16_t>(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
  for (int plane = 0; plane < (planes ? file.samples : 1); ++plane)
    TIFFIsTiled(tiff) ? readTiles(tiff, stored, plane, planes) : readStrips(tiff, stored, plane, planes);
  if (file.bits == 16) stored.convertTo(stored, CV_8U, 1.0 / 257);
  const int channels = file.colours() + (file.alpha() ? 1 : 0);
  cv::Mat picture = stored;
  if (channels != file.samples) {
    picture.create(stored.size(), CV_8UC(channels));
    const int first_ones[] = {0, 0, 1, 1, 2, 2, 3, 3};
    cv::mixChannels(&stored, 1, &picture, 1, first_ones, static_cast<size_t>(channels));
  }
  if (file.photometric == PHOTOMETRIC_MINISWHITE) cv::subtract(cv::Scalar(255, 0), picture, picture, cv::noArray());
  if (file.alpha() && file.extra == Extra::Multiplied) divideByAlpha(picture);
  return picture;
}

cv::Mat readReadyMade(const File& file) {
  cv::Mat packed(static_cast<int>(file.height), static_cast<int>(file.width), CV_32SC1);
  checkTiles(file.tiff.get(), packed);
  // Asked for the file's own orientation, libtiff turns nothing (of the eight it knows only four); 1: stop at the first error.
  need(TIFFReadRGBAImageOriented(file.tiff.get(), file.width, file.height, packed.ptr<uint32_t>(), file.orientation, 1));
  cv::Mat picture(packed.size(), CV_8UC4);
  for (int y = 0; y < packed.rows; ++y) {
    const auto* from = packed.ptr<uint32_t>(y);
    uchar* to = picture.ptr(y);
    for (int x = 0; x < packed.cols; ++x, to += 4) {
      to[0] = static_cast<uchar>(TIFFGetR(from[x]));
      to[1] = static_cast<uchar>(TIFFGetG(from[x]));
      to[2] = static_cast<uchar>(TIFFGetB(from[x]));
      to[3] = static_cast<uchar>(TIFFGetA(from[x]));
    }
  }
  divideByAlpha(picture);
  if (!file.grey()) return picture;
  cv::Mat grey_alpha(packed.size(), CV_8UC2);
  const int one_and_alpha[] = {0, 0, 3, 1};
  cv::mixChannels(&picture, 1, &grey_alpha, 1, one_and_alpha, 2);
  return grey_alpha;
}

cv::Mat decode(std::string_view bytes, const ImageFacts&, const DecodeOptions&) {
  const File file(bytes);
  const auto format = field<uint16_t>(file.tiff.get(), TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  if ((format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) || file.bits > 16)
    refuse("is a TIFF with " + std::to_string(file.bits) + "-bit signed or floating-point values", "save it with 8 or 16 bits");
  return file.plain() ? readPlain(file) : readReadyMade(file);
}

ImageFacts inspect(std::string_view bytes) {
  const File file(bytes);
  ImageFacts facts;
  facts.width = static_cast<int>(std::min<uint32_t>(file.width, INT32_MAX));
  facts.height = static_cast<int>(std::min<uint32_t>(file.height, INT32_MAX));
  facts.bits = file.photometric == PHOTOMETRIC_PALETTE ? 8 : file.bits;
  facts.palette = file.photometric == PHOTOMETRIC_PALETTE;
  facts.cmyk = file.photometric == PHOTOMETRIC_SEPARATED;
  facts.alpha = file.alpha();
  facts.channels = facts.palette ? 3 : std::min<int>(file.samples, 4);
  if (file.orientation >= 1 && file.orientation <= 8) facts.orientation = file.orientation;
  facts.taken = readExif(bytes).taken;  // a TIFF is such a structure itself
  return facts;
}

bool recognises(std::string_view bytes) {
  return bytes.starts_with("II*\0"sv) || bytes.starts_with("MM\0*"sv) || bytes.starts_with("II+\0"sv) || bytes.starts_with("MM\0+"sv);
}

}  // namespace

const Codec kTiff{"tiff", recognises, inspect, decode};

}  // namespace trainyard::codecs
