#include "core/data/codecs/module.h"

#include <exception>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

void refuse(std::string what, std::string hint) { throw Unreadable{{std::move(what), std::move(hint)}}; }

namespace {

using namespace std::string_view_literals;

constexpr char kSaveAs[] = "save it as JPEG, PNG, BMP, WebP or TIFF";

struct Foreign {
  size_t offset;
  std::string_view magic;
  const char* what;
};

constexpr Foreign kForeign[] = {
    {0, "GIF8"sv, "is a GIF, which is not read"},
    {4, "ftypheic"sv, "is a HEIC picture, which is not read"},
    {4, "ftypmif1"sv, "is a HEIF picture, which is not read"},
    {4, "ftypavif"sv, "is an AVIF picture, which is not read"},
    {0, "<!DOCTYPE"sv, "is a web page, not a picture"},
    {0, "<html"sv, "is a web page, not a picture"},
    {0, "<svg"sv, "is an SVG drawing, not a picture of pixels"},
    {0, "%PDF"sv, "is a PDF document, not a picture"},
    {0, "PK\x03\x04"sv, "is a ZIP archive, not a picture"},
    {0, "version https://git-lfs"sv, "is a Git LFS pointer; the picture itself was never fetched"},
};

bool startsAt(std::string_view bytes, size_t offset, std::string_view magic) { return bytes.size() >= offset && bytes.substr(offset).starts_with(magic); }

cv::Mat decode(std::string_view bytes) {
  if (bytes.empty()) refuse("is empty (0 bytes)", "remove it or copy it again");
  if (bytes.starts_with("\xff\xd8\xff"sv)) return turned(decodeJpeg(bytes), exifOrientation(bytes));
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) {
    checkPng(bytes);
    return turned(decodeByOpenCv(bytes), exifOrientation(bytes));
  }
  if (bytes.starts_with("RIFF"sv) && startsAt(bytes, 8, "WEBP")) {
    checkWebp(bytes);
    return turned(decodeByOpenCv(bytes), exifOrientation(bytes));
  }
  if (bytes.starts_with("BM"sv)) {
    checkBmp(bytes);
    return decodeByOpenCv(bytes);
  }
  if (bytes.starts_with("II*\0"sv) || bytes.starts_with("MM\0*"sv) || bytes.starts_with("II+\0"sv) || bytes.starts_with("MM\0+"sv)) return decodeTiff(bytes);
  for (const Foreign& kind : kForeign) {
    if (startsAt(bytes, kind.offset, kind.magic)) refuse(kind.what, kSaveAs);
  }
  refuse("is not a picture", std::string("remove it, or ") + kSaveAs);
}

template <class Work>
bool guarded(Problem& problem, const Work& work) noexcept {
  try {
    // OpenCV's own messages would go to the terminal; everything worth saying is in `problem`.
    static const auto kQuiet = cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    static_cast<void>(kQuiet);
    work();
    return true;
  } catch (const Unreadable& unreadable) {
    problem = unreadable.problem;
  } catch (const std::exception& error) {
    problem = {std::string("cannot be decoded: ") + error.what(), std::string("remove it, or ") + kSaveAs};
  } catch (...) {
    problem = {"cannot be decoded", ""};
  }
  return false;
}

}  // namespace

}  // namespace trainyard::codecs

using trainyard::codecs::Problem;

extern "C" __attribute__((visibility("default"))) bool trainyard_decode_picture(std::string_view bytes, cv::Mat& picture, Problem& problem) noexcept {
  return trainyard::codecs::guarded(problem, [&] { picture = trainyard::codecs::decode(bytes); });
}

extern "C" __attribute__((visibility("default"))) bool trainyard_encode_png(const cv::Mat& picture, std::string& bytes, Problem& problem) noexcept {
  return trainyard::codecs::guarded(problem, [&] {
    if (picture.empty() || picture.depth() != CV_8U || (picture.channels() != 1 && picture.channels() != 3)) {
      trainyard::codecs::refuse("only 8-bit grey and RGB pictures can be written as PNG");
    }
    cv::Mat ordered;
    if (picture.channels() == 3)
      cv::cvtColor(picture, ordered, cv::COLOR_RGB2BGR);
    else
      ordered = picture;
    std::vector<uchar> encoded;
    if (!cv::imencode(".png", ordered, encoded)) trainyard::codecs::refuse("the picture could not be written as PNG");
    bytes.assign(reinterpret_cast<const char*>(encoded.data()), encoded.size());
  });
}
