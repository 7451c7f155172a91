#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <opencv2/core.hpp>
#include <vector>

#include "core/data/codecs/bytes.h"
#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

struct Png {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string_view bytes;
  bool cut = false;
  char message[200] = "";

  ~Png() { png_destroy_read_struct(&png, &info, nullptr); }
};

void onError(png_structp png, png_const_charp message) {
  auto* reader = static_cast<Png*>(png_get_error_ptr(png));
  std::snprintf(reader->message, sizeof reader->message, "%s", message);
  png_longjmp(png, 1);
}

void onWarning(png_structp, png_const_charp) {}  // oddities that leave the pixels right

void readBytes(png_structp png, png_bytep to, size_t count) {
  auto* reader = static_cast<Png*>(png_get_io_ptr(png));
  if (reader->bytes.size() < count) {
    reader->cut = true;
    png_error(png, "the file ends too early");
  }
  std::memcpy(to, reader->bytes.data(), count);
  reader->bytes.remove_prefix(count);
}

// These hold nothing that needs destruction: libpng leaves them by longjmp.
bool readHeader(Png& reader) {
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, onError, onWarning);
  if (reader.png == nullptr) return false;
  if (setjmp(png_jmpbuf(reader.png))) return false;
  reader.info = png_create_info_struct(reader.png);
  if (reader.info == nullptr) return false;
  png_set_read_fn(reader.png, &reader, readBytes);
  png_set_user_limits(reader.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_crc_action(reader.png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_keep_unknown_chunks(reader.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);  // colour profiles, texts, …
  png_read_info(reader.png, reader.info);
  png_set_expand(reader.png);    // palettes, 1, 2 and 4 bits, and the transparent colour
  png_set_scale_16(reader.png);  // rounded
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  return true;
}

bool readRows(Png& reader, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_image(reader.png, rows);
  png_read_end(reader.png, nullptr);
  return true;
}

void check(const Png& reader, bool done) {
  if (reader.cut) refuse("is cut short: the PNG has no end");
  if (!done) refuse(std::string("is a damaged PNG: ") + reader.message);
}

cv::Mat decode(std::string_view bytes, const ImageFacts& facts, const DecodeOptions&) {
  Png reader;
  reader.bytes = bytes;
  check(reader, readHeader(reader));
  cv::Mat picture(facts.height, facts.width, CV_8UC(png_get_channels(reader.png, reader.info)));
  if (png_get_rowbytes(reader.png, reader.info) != picture.cols * picture.elemSize()) refuse("is a damaged PNG: its header contradicts itself");
  std::vector<png_bytep> rows(static_cast<size_t>(picture.rows));
  for (int y = 0; y < picture.rows; ++y) rows[static_cast<size_t>(y)] = picture.ptr(y);
  check(reader, readRows(reader, rows.data()));
  return picture;
}

ImageFacts inspect(std::string_view png) {
  constexpr int kPalette = 3, kColour = 2, kAlpha = 4;
  if (png.size() < 33 || png.substr(12, 4) != "IHDR") refuse("is a damaged PNG or cut short in its header");
  const Bytes bytes(png, Endian::Big);
  ImageFacts facts;
  constexpr uint64_t kMost = PNG_UINT_31_MAX;
  facts.width = static_cast<int>(std::min(bytes.at(16, 4), kMost));
  facts.height = static_cast<int>(std::min(bytes.at(20, 4), kMost));
  facts.bits = static_cast<int>(bytes.at(24, 1));
  const auto type = static_cast<int>(bytes.at(25, 1));
  facts.palette = type == kPalette;
  facts.alpha = (type & kAlpha) != 0;
  facts.channels = ((type & kColour) != 0 ? 3 : 1) + (facts.alpha ? 1 : 0);
  if (facts.palette) facts.bits = 8;
  for (uint64_t at = 8; at + 12 <= png.size();) {
    const uint64_t size = bytes.at(at, 4);
    const std::string_view name = png.substr(at + 4, 4);
    if (name == "tRNS") facts.alpha = true;
    if (name == "eXIf") {
      const auto [orientation, taken] = readExif(bytes.part(at + 8, size));
      facts.orientation = orientation;
      facts.taken = taken;
    }
    at += 12 + size;
  }
  return facts;
}

bool recognises(std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"sv); }

struct Writer {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string* bytes = nullptr;

  ~Writer() { png_destroy_write_struct(&png, &info); }
};

void writeBytes(png_structp png, png_bytep from, size_t count) {
  static_cast<Writer*>(png_get_io_ptr(png))->bytes->append(reinterpret_cast<const char*>(from), count);
}

void giveUp(png_structp png, png_const_charp) { png_longjmp(png, 1); }

bool writeAll(Writer& writer, const cv::Mat& picture) {
  writer.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, giveUp, onWarning);
  if (writer.png == nullptr) return false;
  if (setjmp(png_jmpbuf(writer.png))) return false;
  writer.info = png_create_info_struct(writer.png);
  if (writer.info == nullptr) return false;
  png_set_write_fn(writer.png, &writer, writeBytes, nullptr);
  png_set_IHDR(writer.png, writer.info, static_cast<unsigned>(picture.cols), static_cast<unsigned>(picture.rows), 8,
               picture.channels() == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  constexpr int kQuick = 3;
  png_set_compression_level(writer.png, kQuick);
  png_write_info(writer.png, writer.info);
  for (int y = 0; y < picture.rows; ++y) png_write_row(writer.png, picture.ptr(y));
  png_write_end(writer.png, writer.info);
  return true;
}

}  // namespace

std::string encodePng(const cv::Mat& picture) {
  if (picture.empty() || picture.depth() != CV_8U || (picture.channels() != 1 && picture.channels() != 3))
    refuse("only 8-bit grey and RGB pictures can be written as PNG", "");
  std::string bytes;
  Writer writer;
  writer.bytes = &bytes;
  if (!writeAll(writer, picture)) refuse("the picture could not be written as PNG", "");
  return bytes;
}

const Codec kPng{"png", recognises, inspect, decode};

}  // namespace trainyard::codecs
