// Pictures decoded in part, at a reduced scale, or from damaged files. The JPEGs are written here, with libjpeg.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <opencv2/imgproc.hpp>
// jpeglib.h needs <cstdio> before it.
#include <jpeglib.h>

#include "core/augment/resample.h"
#include "core/base/random.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

struct Written {
  int quality = 90;
  int wide = 2, high = 2;  // luma samples for each of chroma
  bool progressive = false;
  unsigned restart = 0;              // blocks between restart markers
  bool optimized = false;            // Huffman tables of its own
  J_COLOR_SPACE stored = JCS_YCbCr;  // of pictures with 3 or 4 channels
};

std::string jpeg(const cv::Mat& picture, const Written& how) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = static_cast<unsigned>(picture.cols);
  info.image_height = static_cast<unsigned>(picture.rows);
  info.input_components = picture.channels();
  info.in_color_space = picture.channels() == 1 ? JCS_GRAYSCALE : picture.channels() == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_set_defaults(&info);
  if (picture.channels() > 1) jpeg_set_colorspace(&info, how.stored);
  jpeg_set_quality(&info, how.quality, TRUE);
  info.comp_info[0].h_samp_factor = how.wide;
  info.comp_info[0].v_samp_factor = how.high;
  info.restart_interval = how.restart;
  info.optimize_coding = how.optimized ? TRUE : FALSE;
  if (how.progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = const_cast<unsigned char*>(picture.ptr(static_cast<int>(info.next_scanline)));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  const std::string written(reinterpret_cast<const char*>(bytes), size);
  jpeg_destroy_compress(&info);
  std::free(bytes);
  return written;
}

cv::Mat decodedByLibjpeg(const std::string& bytes) {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&info, TRUE);
  jpeg_start_decompress(&info);
  cv::Mat picture(static_cast<int>(info.output_height), static_cast<int>(info.output_width), CV_8UC(info.output_components));
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = picture.ptr(static_cast<int>(info.output_scanline));
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_destroy_decompress(&info);
  return picture;
}

// Colour fields, edges, and texture at the limit of what pixels can show.
cv::Mat scenery(int height, int width, int channels = 3) {
  cv::Mat picture(height, width, CV_8UC(channels));
  Random random({11});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double fields = 60 * std::sin(x / 23.0) * std::cos(y / 31.0), edge = (x / 19 + y / 13) % 2 == 0 ? 25 : -25,
                   weave = 20 * std::sin(x * 1.3) * std::sin(y * 1.1);
      for (int c = 0; c < channels; ++c)
        picture.ptr(y)[x * channels + c] = cv::saturate_cast<uchar>(128 + fields * (1 - 0.5 * c) + edge * (c == 1 ? 1 : 0.4) + weave + random.uniform(-12, 12));
    }
  }
  return picture;
}

// Rings that grow finer outwards, up to the finest that there is.
cv::Mat rings(int height, int width) {
  cv::Mat picture(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      picture.at<cv::Vec3b>(y, x) = cv::Vec3b::all(cv::saturate_cast<uchar>(128 + 100 * std::cos((x * x + y * y) * CV_PI / 2 / std::max(height, width))));
  return picture;
}

std::string withOrientation(const std::string& jpeg, int orientation) {
  std::string exif = std::string("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", 24) + static_cast<char>(orientation) + std::string(7, '\0');
  const std::string marker = std::string("\xff\xe1\0", 3) + static_cast<char>(exif.size() + 2) + exif;
  return jpeg.substr(0, 2) + marker + jpeg.substr(2);
}

DecodeOptions withChannels(int channels) {
  DecodeOptions options;
  options.channels = channels;
  return options;
}

double psnr(const cv::Mat& a, const cv::Mat& b) {
  const double distance = cv::norm(a, b, cv::NORM_L2), count = static_cast<double>(a.total()) * a.channels();
  return distance == 0 ? 100 : 20 * std::log10(255 / (distance / std::sqrt(count)));
}

cv::Rect randomRegion(Random& random, int height, int width) {
  const auto w = static_cast<int>(random.below(static_cast<uint64_t>(width))) + 1, h = static_cast<int>(random.below(static_cast<uint64_t>(height))) + 1;
  return {static_cast<int>(random.below(static_cast<uint64_t>(width - w + 1))), static_cast<int>(random.below(static_cast<uint64_t>(height - h + 1))), w, h};
}

}  // namespace

class TestImageParts : public QObject {
  Q_OBJECT

  const fs::path pictures_ = fs::path(TEST_DATA_DIR) / "../golden/pictures";

  // Every pixel of the part equals the whole decode's.
  static void compareParts(const std::string& bytes, const std::vector<cv::Rect>& regions, const DecodeOptions& options = {}) {
    const auto whole = decodeImage(bytes, "whole", options);
    TRAINYARD_VERIFY(whole);
    for (const cv::Rect& region : regions) {
      const auto source = openImage(bytes, "part", options);
      TRAINYARD_VERIFY(source);
      QCOMPARE((*source)->width(), whole->cols);
      QCOMPARE((*source)->height(), whole->rows);
      const auto cut = (*source)->part(region, region.size());
      TRAINYARD_VERIFY(cut);
      QCOMPARE(cut->box.size(), cv::Size2d(region.size()));
      const cv::Mat pixels = cut->pixels(cv::Rect(cut->box));
      QVERIFY2(hexOf(pixels) == hexOf((*whole)(region)),
               qPrintable(QString("%1 × %2 at %3, %4").arg(region.width).arg(region.height).arg(region.x).arg(region.y)));
    }
  }

  static std::vector<cv::Rect> someRegions(int height, int width, int count) {
    std::vector<cv::Rect> regions = {{0, 0, width, height}, {0, 0, 1, 1}, {width - 1, height - 1, 1, 1}, {0, height - 1, width, 1}, {width - 1, 0, 1, height}};
    Random random({static_cast<uint64_t>(height), static_cast<uint64_t>(width)});
    for (int i = 0; i < count; ++i) regions.push_back(randomRegion(random, height, width));
    return regions;
  }

 private Q_SLOTS:
  void partsEqualTheWhole_data() {
    QTest::addColumn<int>("wide");
    QTest::addColumn<int>("high");
    QTest::addColumn<int>("channels");
    QTest::addColumn<bool>("progressive");
    QTest::addColumn<int>("restart");
    for (const bool progressive : {false, true}) {
      for (const auto& [wide, high] : {std::pair(1, 1), std::pair(2, 1), std::pair(2, 2), std::pair(4, 1), std::pair(1, 2), std::pair(4, 2)})
        QTest::addRow("%s4:%d:%d", progressive ? "progressive " : "", wide, high) << wide << high << 3 << progressive << 0;
      QTest::addRow("%sgrey", progressive ? "progressive " : "") << 1 << 1 << 1 << progressive << 0;
      QTest::addRow("%scmyk", progressive ? "progressive " : "") << 1 << 1 << 4 << progressive << 0;
    }
    QTest::newRow("restart markers") << 2 << 2 << 3 << false << 3;
  }

  void partsEqualTheWhole() {
    QFETCH(int, wide);
    QFETCH(int, high);
    QFETCH(int, channels);
    QFETCH(bool, progressive);
    QFETCH(int, restart);
    const Written how{
        .wide = wide, .high = high, .progressive = progressive, .restart = static_cast<unsigned>(restart), .stored = channels == 4 ? JCS_CMYK : JCS_YCbCr};
    for (const auto& [height, width] : {std::pair(61, 83), std::pair(64, 96), std::pair(7, 200), std::pair(130, 5)})
      compareParts(jpeg(scenery(height, width, channels), how), someRegions(height, width, 120));
  }

  // Our own Huffman decoder against libjpeg's: few and many coefficients, usual and own tables, with and without restarts.
  void wholeEqualsLibjpeg_data() {
    QTest::addColumn<int>("quality");
    for (const int quality : {5, 30, 60, 90, 97, 100}) QTest::addRow("%d", quality) << quality;
  }

  void wholeEqualsLibjpeg() {
    QFETCH(int, quality);
    cv::Mat noise(90, 111, CV_8UC3);
    Random random({static_cast<uint64_t>(quality)});
    for (size_t i = 0; i < noise.total() * 3; ++i) noise.data[i] = static_cast<uchar>(random.below(256));
    for (const cv::Mat& picture : {noise, scenery(90, 111), scenery(90, 111, 1), cv::Mat(90, 111, CV_8UC3, cv::Scalar(1, 255, 0))}) {
      for (const bool optimized : {false, true}) {
        for (const unsigned restart : {0U, 1U, 5U}) {
          const int most = picture.channels() == 1 ? 1 : 2;
          const std::string bytes = jpeg(picture, {.quality = quality, .wide = most, .high = most, .restart = restart, .optimized = optimized});
          const auto decoded = decodeImage(bytes, "whole");
          TRAINYARD_VERIFY(decoded);
          QVERIFY(hexOf(*decoded) == hexOf(decodedByLibjpeg(bytes)));
          TRAINYARD_VERIFY(decodeImage(bytes.substr(0, bytes.size() - 2) + std::string("\xff\xff\xff\xd9 and more", 13), "fill bytes before the end"));
        }
      }
    }
  }

  // Where rows and columns of blocks begin and end decides what is interpolated from what.
  void everyPlaceOfAPart() {
    std::vector<cv::Rect> regions;
    for (int y = 0; y < 50; ++y)
      for (const int h : {1, 2, 3, 15, 16, 17})
        if (y + h <= 50) regions.emplace_back((y * 7) % 30, y, 9, h);
    for (int x = 0; x < 54; ++x)
      for (const int w : {1, 2, 3, 15, 16, 17})
        if (x + w <= 54) regions.emplace_back(x, (x * 5) % 30, w, 11);
    compareParts(jpeg(scenery(50, 54), {}), regions);
    compareParts(jpeg(scenery(50, 54), {.wide = 2, .high = 1}), regions);
  }

  void partsOfTurnedPictures_data() {
    QTest::addColumn<int>("orientation");
    for (int orientation = 1; orientation <= 8; ++orientation) QTest::addRow("%d", orientation) << orientation;
  }

  void partsOfTurnedPictures() {
    QFETCH(int, orientation);
    const std::string bytes = withOrientation(jpeg(scenery(45, 70), {}), orientation);
    const auto [height, width] = orientation >= 5 ? std::pair(70, 45) : std::pair(45, 70);
    QCOMPARE(inspectImage(bytes, "turned")->orientation, orientation);
    QCOMPARE(inspectImage(bytes, "turned")->height, height);
    compareParts(bytes, someRegions(height, width, 60));
    compareParts(bytes, someRegions(height, width, 20), withChannels(1));
    for (const char* suffix : {"png", "webp", "tiff"}) {
      const std::string other = *readFile(pictures_ / ("turned" + std::to_string(orientation) + "." + suffix));
      compareParts(other, someRegions(5, 7, 10));
    }
  }

  // Reduced or not, what is resized from it is the same picture.
  void reducedParts_data() {
    QTest::addColumn<int>("orientation");
    QTest::addColumn<bool>("finest");
    for (const int orientation : {1, 6, 7}) {
      QTest::addRow("scenery %d", orientation) << orientation << false;
      QTest::addRow("rings %d", orientation) << orientation << true;
    }
  }

  void reducedParts() {
    QFETCH(int, orientation);
    QFETCH(bool, finest);
    for (const auto& [wide, high] : {std::pair(2, 2), std::pair(1, 1)}) {
      const std::string bytes = withOrientation(jpeg(finest ? rings(611, 803) : scenery(611, 803), {.wide = wide, .high = high}), orientation);
      const auto whole = decodeImage(bytes, "whole");
      TRAINYARD_VERIFY(whole);
      Random random({static_cast<uint64_t>(orientation)});
      int reduced = 0;
      for (int i = 0; i < 60; ++i) {
        const cv::Rect region = randomRegion(random, whole->rows, whole->cols);
        const auto part = 0.06 + 0.5 * random.uniform(0, 1);
        const cv::Size target(std::max(static_cast<int>(region.width * part), 8), std::max(static_cast<int>(region.height * part), 8));
        const auto cut = (*openImage(bytes, "part"))->part(region, target);
        TRAINYARD_VERIFY(cut);
        const double scale = cut->box.width / region.width;
        QVERIFY(scale == 1 || scale == 0.5 || scale == 0.25 || scale == 0.125);
        QCOMPARE(cut->box.height, scale * region.height);
        QVERIFY(cut->box.x >= 0 && cut->box.x < 1 && cut->box.y >= 0 && cut->box.y < 1);
        QVERIFY(cut->box.br().x <= cut->pixels.cols && cut->box.br().y <= cut->pixels.rows);
        QVERIFY(scale == 1 || (cut->box.width >= target.width && cut->box.height >= target.height));
        if (scale == 1) continue;
        ++reduced;
        const cv::Mat quick = augment::resized(*cut, target.height, target.width), slow = augment::resized((*whole)(region), target.height, target.width);
        QVERIFY2(psnr(quick, slow) >= 32, qPrintable(QString("%1 dB for %2 × %3 at %4, %5 to %6 × %7, scale %8")
                                                         .arg(psnr(quick, slow))
                                                         .arg(region.width)
                                                         .arg(region.height)
                                                         .arg(region.x)
                                                         .arg(region.y)
                                                         .arg(target.width)
                                                         .arg(target.height)
                                                         .arg(scale)));
      }
      QVERIFY2(reduced >= 15, qPrintable(QString::number(reduced)));
    }
  }

  void reductionIsASetting() {
    DecodeOptions options;
    options.reduce = false;
    const std::string bytes = jpeg(scenery(400, 600), {});
    const auto cut = (*openImage(bytes, "part", options))->part({0, 0, 600, 400}, {20, 20});
    TRAINYARD_VERIFY(cut);
    QCOMPARE(cut->pixels.size(), cv::Size(600, 400));
    QCOMPARE((*openImage(bytes, "part"))->part({0, 0, 600, 400}, {20, 20})->pixels.size(), cv::Size(75, 50));
  }

  // What lies before the part or in it must be whole; behind it nobody looks.
  void damagedParts() {
    const std::string whole = jpeg(scenery(200, 200), {});
    const size_t half = whole.size() / 2;
    std::string marked = whole;
    marked.replace(half, 2, "\xff\xd3");
    for (const std::string& bytes : {whole.substr(0, half), marked}) {
      const auto below = (*openImage(bytes, "broken.jpg"))->part({10, 150, 40, 40}, {40, 40});
      QVERIFY(!below);
      compareError(below.error(), ErrorCode::Data, {"broken.jpg", "JPEG"});
      const auto above = (*openImage(bytes, "broken.jpg"))->part({10, 10, 40, 40}, {40, 40});
      TRAINYARD_VERIFY(above);
      QCOMPARE(hexOf(above->pixels), hexOf((*decodeImage(whole, "whole"))(cv::Rect(10, 10, 40, 40))));
      QVERIFY(!(*openImage(bytes, "broken.jpg"))->all());
    }
  }

  // A file that lacks its tables must not be decoded with those of the one before it.
  void picturesDoNotRememberEachOther() {
    const std::string first = jpeg(scenery(40, 40), {.quality = 30});
    std::string bare;
    for (size_t at = 2; at < first.size();) {  // leave the quantisation tables (0xdb) out
      const auto size = static_cast<size_t>(static_cast<unsigned char>(first[at + 2])) * 256 + static_cast<unsigned char>(first[at + 3]) + 2;
      const auto marker = static_cast<unsigned char>(first[at + 1]);
      if (marker == 0xda) {
        bare += first.substr(at);
        break;
      }
      if (marker != 0xdb) bare += first.substr(at, size);
      at += size;
    }
    bare = first.substr(0, 2) + bare;
    TRAINYARD_VERIFY(decodeImage(first, "first"));
    QVERIFY(!decodeImage(bare, "bare"));
  }

  void greyIsTheLuma() {
    const std::string bytes = jpeg(scenery(60, 80), {.wide = 1, .high = 1});
    const cv::Mat colour = *decodeImage(bytes, "colour"), grey = *decodeImage(bytes, "grey", withChannels(1));
    QCOMPARE(grey.type(), CV_8UC1);
    for (int y = 0; y < grey.rows; ++y) {
      for (int x = 0; x < grey.cols; ++x) {
        const auto& rgb = colour.at<cv::Vec3b>(y, x);
        if (*std::min_element(rgb.val, rgb.val + 3) == 0 || *std::max_element(rgb.val, rgb.val + 3) == 255) continue;  // cut off to fit into RGB
        QVERIFY(std::abs(grey.at<uchar>(y, x) - (0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2])) <= 1.5);
      }
    }
    compareParts(bytes, someRegions(60, 80, 40), withChannels(1));
  }

  void fourColours_data() {
    QTest::addColumn<bool>("ycck");
    QTest::addColumn<bool>("adobe");
    QTest::newRow("CMYK, inverted as Adobe does") << false << true;
    QTest::newRow("YCCK, inverted as Adobe does") << true << true;
    QTest::newRow("CMYK as it is") << false << false;
  }

  void fourColours() {
    QFETCH(bool, ycck);
    QFETCH(bool, adobe);
    const cv::Scalar ink(30, 100, 200, 40);  // of 255
    const cv::Mat stored(24, 24, CV_8UC4, adobe ? cv::Scalar::all(255) - ink : ink);
    std::string bytes = jpeg(stored, {.quality = 100, .wide = 1, .high = 1, .stored = ycck ? JCS_YCCK : JCS_CMYK});
    const size_t marker = bytes.find("\xff\xee");
    QVERIFY(marker != std::string::npos);
    if (!adobe) bytes.erase(marker, 16);
    const cv::Mat picture = *decodeImage(bytes, "cmyk.jpg");
    for (int c = 0; c < 3; ++c) QVERIFY(std::abs(picture.at<cv::Vec3b>(12, 12)[c] - (255 - ink[c]) * (255 - ink[3]) / 255) <= 2);
    const auto facts = inspectImage(bytes, "cmyk.jpg");
    QVERIFY(facts->cmyk && facts->channels == 4);
    QCOMPARE(decodeImage(bytes, "cmyk.jpg", withChannels(1))->type(), CV_8UC1);
  }

  void rgbStoredAsSuch() {
    const cv::Mat colour(16, 16, CV_8UC3, cv::Scalar(200, 50, 90));
    const std::string bytes = jpeg(colour, {.quality = 100, .wide = 1, .high = 1, .stored = JCS_RGB});
    QCOMPARE(decodeImage(bytes, "rgb.jpg")->at<cv::Vec3b>(8, 8), cv::Vec3b(200, 50, 90));
    QCOMPARE(int{decodeImage(bytes, "rgb.jpg", withChannels(1))->at<uchar>(8, 8)}, 99);
  }

  void tooManyScans() {
    const std::string whole = jpeg(scenery(16, 16, 1), {.wide = 1, .high = 1, .progressive = true});
    const size_t first = whole.find("\xff\xda"), second = whole.find("\xff\xc4", first), end = whole.find("\xff\xda", second);
    const size_t next = std::min(whole.find("\xff\xc4", end), whole.find("\xff\xda", end + 2));
    std::string bytes = whole.substr(0, next);
    for (int i = 0; i < 600; ++i) bytes += whole.substr(end, next - end);
    bytes += whole.substr(next);
    const auto picture = decodeImage(bytes, "scans.jpg");
    QVERIFY(!picture);
    compareError(picture.error(), ErrorCode::Data, {"scans"});
  }
};

QTEST_APPLESS_MAIN(TestImageParts)
#include "tst_image_parts.moc"
