// JPEG through libjpeg-turbo itself: it can decode a part, at a reduced scale, and its warnings tell damaged files (whose lost parts it fills
// with grey).
#include "core/data/codecs/jpeg.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
// jerror.h needs <cstdio> before it.
#include <jerror.h>

#include "core/data/codecs/bytes.h"
#include "core/data/codecs/jpeg_entropy.h"

namespace trainyard::codecs {

namespace {

struct Jpeg {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf jump{};
  char message[JMSG_LENGTH_MAX] = "";
  bool cut = false, damaged = false;
  Entropy entropy;
  bool quick = false, gave_up = false;  // entropy is in use; it met something out of the ordinary

  ~Jpeg() { jpeg_destroy_decompress(&info); }
};

void onError(j_common_ptr common) {
  auto* jpeg = static_cast<Jpeg*>(common->client_data);
  common->err->format_message(common, jpeg->message);
  std::longjmp(jpeg->jump, 1);
}

void onMessage(j_common_ptr common, int level) {
  if (level >= 0) return;
  auto* jpeg = static_cast<Jpeg*>(common->client_data);
  switch (common->err->msg_code) {
    case JWRN_JPEG_EOF:
      jpeg->cut = true;
      break;
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
      jpeg->damaged = true;
      break;
    default:
      break;  // odd headers and padding, which leave every pixel right
  }
}

// Each scan of a progressive JPEG may walk over the whole picture: a small file of thousands of empty scans would take minutes.
void onProgress(j_common_ptr common) {
  constexpr int kMostScans = 500;
  auto* jpeg = static_cast<Jpeg*>(common->client_data);
  if (common->is_decompressor == FALSE || jpeg->info.input_scan_number <= kMostScans) return;
  std::snprintf(jpeg->message, sizeof jpeg->message, "more than %d scans", kMostScans);
  std::longjmp(jpeg->jump, 1);
}

boolean decodeMcu(j_decompress_ptr info, JBLOCKROW* blocks) {
  auto* jpeg = static_cast<Jpeg*>(info->client_data);
  if (jpeg->entropy.decodeMcu(blocks)) return TRUE;
  jpeg->gave_up = true;
  std::longjmp(jpeg->jump, 1);
}

// How the file is decoded: colours, and n eighths of its size.
struct Manner {
  int channels = 0;  // 1, 3, or 4 for CMYK
  int eighths = 8;
  bool quick = true;
};

// These hold nothing that needs destruction: libjpeg leaves them by longjmp.
bool readHeader(Jpeg& jpeg, std::string_view bytes) {
  jpeg.info.err = jpeg_std_error(&jpeg.errors);
  jpeg.errors.error_exit = onError;
  jpeg.errors.emit_message = onMessage;
  jpeg.info.client_data = &jpeg;
  if (setjmp(jpeg.jump)) return false;
  jpeg_create_decompress(&jpeg.info);
  jpeg.progress.progress_monitor = onProgress;
  jpeg.info.progress = &jpeg.progress;
  jpeg_mem_src(&jpeg.info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&jpeg.info, TRUE);
  return true;
}

bool start(Jpeg& jpeg, const Manner& manner) {
  if (setjmp(jpeg.jump)) return false;
  jpeg.info.out_color_space = manner.channels == 1 ? JCS_GRAYSCALE : manner.channels == 3 ? JCS_RGB : JCS_CMYK;
  jpeg.info.scale_num = static_cast<unsigned>(manner.eighths);
  jpeg.info.scale_denom = 8;
  jpeg_start_decompress(&jpeg.info);
  jpeg.quick = manner.quick && jpeg.entropy.attach(jpeg.info, decodeMcu);
  return true;
}

// `columns` goes in as what is wanted and comes out as what will be decoded: libjpeg begins at a multiple of its blocks.
bool cropColumns(Jpeg& jpeg, JDIMENSION& first, JDIMENSION& count) {
  if (setjmp(jpeg.jump)) return false;
  jpeg_crop_scanline(&jpeg.info, &first, &count);
  return true;
}

bool readRows(Jpeg& jpeg, JDIMENSION first, JDIMENSION count, unsigned char* pixels, size_t stride) {
  if (setjmp(jpeg.jump)) return false;
  if (first > 0) jpeg_skip_scanlines(&jpeg.info, first);
  while (jpeg.info.output_scanline < first + count) {
    constexpr JDIMENSION kAtOnce = 8;
    JSAMPROW rows[kAtOnce];
    const JDIMENSION left = std::min(kAtOnce, first + count - jpeg.info.output_scanline);
    for (JDIMENSION i = 0; i < left; ++i) rows[i] = pixels + (jpeg.info.output_scanline - first + i) * stride;
    jpeg_read_scanlines(&jpeg.info, rows, left);
  }
  // To the very end of a whole picture, where a missing end shows.
  if (jpeg.info.output_scanline < jpeg.info.output_height) return true;
  if (jpeg.quick)
    jpeg.gave_up = !jpeg.entropy.atEnd();
  else
    jpeg_finish_decompress(&jpeg.info);
  return !jpeg.gave_up;
}

cv::Mat rgbFromCmyk(const cv::Mat& cmyk, bool inverted) {
  cv::Mat rgb(cmyk.size(), CV_8UC3);
  const unsigned flip = inverted ? 0 : 255;
  for (int y = 0; y < cmyk.rows; ++y) {
    const uchar* from = cmyk.ptr(y);
    uchar* to = rgb.ptr(y);
    for (int x = 0; x < cmyk.cols; ++x, from += 4, to += 3) {
      const unsigned key = from[3] ^ flip;
      for (int c = 0; c < 3; ++c) to[c] = static_cast<uchar>(((from[c] ^ flip) * key + 127) / 255);
    }
  }
  return rgb;
}

void check(const Jpeg& jpeg, bool done) {
  if (jpeg.cut) refuse("is cut short: the JPEG has no end");
  if (!done) refuse(std::string("is a damaged JPEG: ") + jpeg.message);
  if (jpeg.damaged) refuse("is a damaged JPEG: part of its pixels is lost");
}

// `wanted` in pixels of the scale. Empty when the quick decoder gave up.
cv::Mat decode(Jpeg& jpeg, const Manner& manner, const cv::Rect& wanted) {
  check(jpeg, start(jpeg, manner));
  // Chroma is interpolated from its neighbours: one more column to the left and two to the right make the borders equal the whole decode.
  // libjpeg itself sees to rows.
  auto first = static_cast<JDIMENSION>(std::max(wanted.x - 1, 0));
  JDIMENSION count = std::min(static_cast<JDIMENSION>(wanted.x + wanted.width + 2), jpeg.info.output_width) - first;
  if (count < jpeg.info.output_width) check(jpeg, cropColumns(jpeg, first, count));
  cv::Mat picture(wanted.height, static_cast<int>(jpeg.info.output_width), CV_8UC(manner.channels));
  const bool done = readRows(jpeg, static_cast<JDIMENSION>(wanted.y), static_cast<JDIMENSION>(wanted.height), picture.data, picture.step);
  if (jpeg.gave_up) return {};
  check(jpeg, done);
  picture = picture.colRange(wanted.x - static_cast<int>(first), wanted.x - static_cast<int>(first) + wanted.width);
  return manner.channels == 4 ? rgbFromCmyk(picture, jpeg.info.saw_Adobe_marker) : picture;
}

void open(Jpeg& jpeg, std::string_view bytes, const ImageFacts& facts) {
  if (facts.channels != 1 && facts.channels != 3 && facts.channels != 4)
    refuse("is a JPEG with " + std::to_string(facts.channels) + " channels", "save it in grey or RGB");
  if (facts.bits != 8) refuse("is a JPEG with " + std::to_string(facts.bits) + " bits a channel", "save it with 8 bits, or as PNG");
  const bool read = readHeader(jpeg, bytes);
  if (jpeg.cut) refuse("is cut short: the JPEG ends in its header");
  check(jpeg, read);
  if (static_cast<int>(jpeg.info.image_width) != facts.width || static_cast<int>(jpeg.info.image_height) != facts.height ||
      jpeg.info.num_components != facts.channels)
    refuse("is a damaged JPEG: its headers contradict each other");
}

cv::Mat decode(std::string_view bytes, const ImageFacts& facts, const DecodeOptions& options, int eighths, const cv::Rect& wanted) {
  const int channels = facts.channels == 4 ? 4 : options.channels != 0 ? options.channels : facts.channels;
  for (const bool quick : {true, false}) {
    Jpeg jpeg;
    open(jpeg, bytes, facts);
    const cv::Mat picture = decode(jpeg, {channels, eighths, quick}, wanted);
    if (!jpeg.gave_up) return picture;
  }
  refuse("is a damaged JPEG");
}

cv::Mat decodeJpeg(std::string_view bytes, const ImageFacts& facts, const DecodeOptions& options) {
  return decode(bytes, facts, options, 8, {0, 0, facts.width, facts.height});
}

// A reduction that still leaves seven quarters of the target resizes to the same picture within 32 dB even for patterns at the limit of what
// the target can show (and within 38 dB for photographs); with less, moiré differs.
int eighthsFor(const cv::Rect& region, cv::Size target) {
  for (const int eighths : {1, 2, 4}) {
    if (region.width * eighths >= 14 * target.width && region.height * eighths >= 14 * target.height) return eighths;
  }
  return 8;
}

bool recognises(std::string_view bytes) { return bytes.starts_with("\xff\xd8\xff"sv); }

}  // namespace

augment::Cut decodeJpegPart(std::string_view bytes, const ImageFacts& facts, const DecodeOptions& options, const cv::Rect& region, cv::Size target) {
  const int eighths = options.reduce ? eighthsFor(region, target) : 8;
  const double scale = eighths / 8.0;
  const cv::Rect2d box(region.x * scale, region.y * scale, region.width * scale, region.height * scale);
  const cv::Point from(region.x * eighths / 8, region.y * eighths / 8);
  const cv::Point to(((region.x + region.width) * eighths + 7) / 8, ((region.y + region.height) * eighths + 7) / 8);
  const cv::Mat pixels = decode(bytes, facts, options, eighths, {from, to});
  return {pixels, {box.x - from.x, box.y - from.y, box.width, box.height}};
}

const Codec kJpeg{"jpeg", recognises, inspectJpeg, decodeJpeg};

}  // namespace trainyard::codecs
