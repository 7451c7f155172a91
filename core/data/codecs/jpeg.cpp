// JPEG through libjpeg itself: OpenCV hides the library's warnings, and a damaged file then comes out partly grey.
#include <csetjmp>
#include <cstdio>
#include <cstring>
// jpeglib.h needs <cstdio> before it.
#include <jerror.h>
#include <jpeglib.h>

#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

struct Jpeg {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  std::jmp_buf jump{};
  char message[JMSG_LENGTH_MAX] = "";
  bool cut = false, damaged = false;
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

// These hold nothing that needs destruction: libjpeg leaves them by longjmp.
bool readHeader(Jpeg& jpeg, const unsigned char* bytes, size_t size) {
  jpeg.info.err = jpeg_std_error(&jpeg.errors);
  jpeg.errors.error_exit = onError;
  jpeg.errors.emit_message = onMessage;
  jpeg.info.client_data = &jpeg;
  if (setjmp(jpeg.jump)) return false;
  jpeg_create_decompress(&jpeg.info);
  jpeg_mem_src(&jpeg.info, bytes, size);
  jpeg_read_header(&jpeg.info, TRUE);
  switch (jpeg.info.num_components) {
    case 1:
      jpeg.info.out_color_space = JCS_GRAYSCALE;
      break;
    case 4:
      jpeg.info.out_color_space = JCS_CMYK;
      break;
    default:
      jpeg.info.out_color_space = JCS_RGB;
  }
  jpeg_calc_output_dimensions(&jpeg.info);
  return true;
}

bool readRows(Jpeg& jpeg, unsigned char* pixels, size_t stride) {
  if (setjmp(jpeg.jump)) return false;
  jpeg_start_decompress(&jpeg.info);
  while (jpeg.info.output_scanline < jpeg.info.output_height) {
    unsigned char* row = pixels + jpeg.info.output_scanline * stride;
    jpeg_read_scanlines(&jpeg.info, &row, 1);
  }
  jpeg_finish_decompress(&jpeg.info);
  return true;
}

cv::Mat rgbFromCmyk(const cv::Mat& cmyk, bool inverted) {
  cv::Mat rgb(cmyk.size(), CV_8UC3);
  for (int y = 0; y < cmyk.rows; ++y) {
    for (int x = 0; x < cmyk.cols; ++x) {
      const auto& from = cmyk.at<cv::Vec4b>(y, x);
      const int key = inverted ? from[3] : 255 - from[3];
      for (int c = 0; c < 3; ++c) rgb.at<cv::Vec3b>(y, x)[c] = static_cast<uchar>(((inverted ? from[c] : 255 - from[c]) * key + 127) / 255);
    }
  }
  return rgb;
}

}  // namespace

cv::Mat decodeJpeg(std::string_view bytes) {
  Jpeg jpeg;
  const struct Guard {
    jpeg_decompress_struct* info;
    ~Guard() { jpeg_destroy_decompress(info); }
  } guard{&jpeg.info};
  constexpr char kHint[] = "remove it or copy it again";
  if (!readHeader(jpeg, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size())) {
    if (jpeg.cut) refuse("is cut short: the JPEG ends in its header", kHint);
    refuse(std::string("is a damaged JPEG: ") + jpeg.message, kHint);
  }
  const int channels = jpeg.info.num_components;
  if (channels != 1 && channels != 3 && channels != 4) refuse("is a JPEG with " + std::to_string(channels) + " channels", "save it in grey or RGB");
  if (static_cast<uint64_t>(jpeg.info.output_width) * jpeg.info.output_height > kMaxPixels) refuse("is a JPEG of impossible size", kHint);
  cv::Mat picture(static_cast<int>(jpeg.info.output_height), static_cast<int>(jpeg.info.output_width), CV_8UC(channels));
  const bool read = readRows(jpeg, picture.data, picture.step);
  if (jpeg.cut) refuse("is cut short: the JPEG has no end", kHint);
  if (!read) refuse(std::string("is a damaged JPEG: ") + jpeg.message, kHint);
  if (jpeg.damaged) refuse("is a damaged JPEG: part of its pixels is lost", kHint);
  return channels == 4 ? rgbFromCmyk(picture, jpeg.info.saw_Adobe_marker) : picture;
}

}  // namespace trainyard::codecs
