#include <QTemporaryDir>

#include "core/base/random.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

// The files were written by another library; tests/golden/make_pictures.py says what each must give.
class TestImageDecode : public QObject {
  Q_OBJECT

  const fs::path pictures_ = fs::path(TEST_DATA_DIR) / "../golden/pictures";
  std::string bytesOf(const QString& name) { return *readFile(pictures_ / name.toStdString()); }

  static int largestDifference(const cv::Mat& a, const cv::Mat& b) {
    cv::Mat difference;
    cv::absdiff(a, b, difference);
    double largest = 0;
    cv::minMaxLoc(difference.reshape(1), nullptr, &largest);
    return static_cast<int>(largest);
  }

 private Q_SLOTS:
  void golden_data() {
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("tolerance");
    QTest::addColumn<QByteArray>("pixels");
    const Json table = Json::parse(*readFile(pictures_ / "pictures.json"));
    QVERIFY(table.size() > 50);
    for (const auto& [name, entry] : table.items()) {
      QTest::newRow(name.c_str()) << entry["height"].get<int>() << entry["width"].get<int>() << entry["channels"].get<int>() << entry["tolerance"].get<int>()
                                  << QByteArray::fromHex(QByteArray::fromStdString(entry["pixels"].get<std::string>()));
    }
  }

  void golden() {
    QFETCH(int, height);
    QFETCH(int, width);
    QFETCH(int, channels);
    QFETCH(int, tolerance);
    QFETCH(QByteArray, pixels);
    const auto picture = decodeImageFile(pictures_ / QTest::currentDataTag());
    TRAINYARD_VERIFY(picture);
    QCOMPARE(picture->rows, height);
    QCOMPARE(picture->cols, width);
    QCOMPARE(picture->type(), CV_8UC(channels));
    const cv::Mat expected(height, width, CV_8UC(channels), pixels.data());
    const int difference = largestDifference(*picture, expected);
    QVERIFY2(difference <= tolerance, qPrintable(QString("differs by %1:\n").arg(difference) + hexOf(*picture).left(200) + "\n" + pixels.toHex().left(200)));
  }

  // Whatever lies under a transparent pixel is mixed in, on any background.
  void background_data() {
    QTest::addColumn<int>("unused");
    for (const char* name : {"rgba.png", "palette_alpha.png", "grey_alpha.png", "rgba16.png", "grey_alpha16.png", "colour_key.png", "grey_key.png", "rgba.webp",
                             "rgba.tiff", "multiplied.tiff", "grey_alpha.tiff", "rgba.bmp", "transparent.gif", "part.gif", "alpha.heic"})
      QTest::newRow(name) << 0;
  }

  void background() {
    const std::string bytes = bytesOf(QTest::currentDataTag());
    QVERIFY(inspectImage(bytes, "facts")->alpha);
    DecodeOptions options;
    options.channels = 3;
    const auto on = [&](int red, int green, int blue) {
      options.background = {red, green, blue};
      return *decodeImage(bytes, "soft", options);
    };
    const cv::Mat white = on(255, 255, 255), black = on(0, 0, 0), green = on(10, 200, 90);
    QVERIFY(largestDifference(white, black) > 0);
    cv::Mat share, expected;  // between black and white in proportion
    cv::Mat(white - black).convertTo(share, CV_64F);
    cv::add(share.mul(cv::Mat(white.size(), CV_64FC3, cv::Scalar(10.0 / 255, 200.0 / 255, 90.0 / 255))), black, expected, cv::noArray(), CV_8U);
    QVERIFY2(largestDifference(green, expected) <= 1, qPrintable(QString::number(largestDifference(green, expected))));
  }

  void halfRedOnWhiteAndBlack() {
    const std::string bytes = bytesOf("rgba.png");
    QCOMPARE(decodeImage(bytes, "red")->at<cv::Vec3b>(0, 0), cv::Vec3b(255, 127, 127));
    DecodeOptions options;
    options.background = {0, 0, 0};
    QCOMPARE(decodeImage(bytes, "red", options)->at<cv::Vec3b>(0, 0), cv::Vec3b(128, 0, 0));
  }

  // As many channels as configured: grey has R = G = B, colour becomes its luma.
  void channels_data() { golden_data(); }

  void channels() {
    QFETCH(int, height);
    QFETCH(int, width);
    QFETCH(int, channels);
    QFETCH(int, tolerance);
    QFETCH(QByteArray, pixels);
    const cv::Mat expected(height, width, CV_8UC(channels), pixels.data());
    DecodeOptions options;
    options.channels = 3;
    cv::Mat colour = expected;
    if (channels == 1) cv::merge(std::vector<cv::Mat>(3, expected), colour);
    const auto rgb = decodeImageFile(pictures_ / QTest::currentDataTag(), options);
    TRAINYARD_VERIFY(rgb);
    QCOMPARE(rgb->type(), CV_8UC3);
    QVERIFY(largestDifference(*rgb, colour) <= tolerance);
    options.channels = 1;
    const auto grey = decodeImageFile(pictures_ / QTest::currentDataTag(), options);
    TRAINYARD_VERIFY(grey);
    QCOMPARE(grey->type(), CV_8UC1);
    // The luma of a JPEG is exact where its colours were cut off to fit into RGB.
    const int allowed = std::string_view(QTest::currentDataTag()).find(".jp") != std::string_view::npos ? 6 : tolerance + 1;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto& c = colour.at<cv::Vec3b>(y, x);
        QVERIFY(std::abs(grey->at<uchar>(y, x) - (0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2])) <= allowed);
      }
    }
  }

  // From the header alone: what is there in the first half of the file is enough for kinds whose header comes first.
  void facts_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("bits");
    QTest::addColumn<int>("orientation");
    QTest::addColumn<QString>("flags");
    QTest::addColumn<qint64>("taken");
    constexpr qint64 kOriginal = 1562141350, kChanged = 1582977600;
    QTest::newRow("photo.jpg") << "jpeg" << 3 << 8 << 1 << "" << qint64{0};
    QTest::newRow("grey.jpg") << "jpeg" << 1 << 8 << 1 << "" << qint64{0};
    QTest::newRow("cmyk.jpg") << "jpeg" << 4 << 8 << 1 << "cmyk" << qint64{0};
    QTest::newRow("turned6.jpg") << "jpeg" << 3 << 8 << 6 << "" << qint64{0};
    QTest::newRow("dated.jpg") << "jpeg" << 3 << 8 << 1 << "" << kOriginal;
    QTest::newRow("grey1.png") << "png" << 1 << 1 << 1 << "" << qint64{0};
    QTest::newRow("grey16.png") << "png" << 1 << 16 << 1 << "" << qint64{0};
    QTest::newRow("rgba.png") << "png" << 4 << 8 << 1 << "alpha" << qint64{0};
    QTest::newRow("palette_alpha.png") << "png" << 3 << 8 << 1 << "alpha palette" << qint64{0};
    QTest::newRow("grey_key.png") << "png" << 1 << 8 << 1 << "alpha" << qint64{0};
    QTest::newRow("turned8.png") << "png" << 3 << 8 << 8 << "" << qint64{0};
    QTest::newRow("dated.png") << "png" << 3 << 8 << 1 << "" << kChanged;
    QTest::newRow("rgb.bmp") << "bmp" << 3 << 8 << 1 << "" << qint64{0};
    QTest::newRow("palette.bmp") << "bmp" << 3 << 8 << 1 << "palette" << qint64{0};
    QTest::newRow("rgba.webp") << "webp" << 4 << 8 << 1 << "alpha" << qint64{0};
    QTest::newRow("turned5.webp") << "webp" << 3 << 8 << 5 << "" << qint64{0};
    QTest::newRow("dated.webp") << "webp" << 3 << 8 << 1 << "" << kChanged;
    QTest::newRow("rgb16.tiff") << "tiff" << 3 << 16 << 1 << "" << qint64{0};
    QTest::newRow("cmyk.tiff") << "tiff" << 4 << 8 << 1 << "cmyk" << qint64{0};
    QTest::newRow("turned7.tiff") << "tiff" << 3 << 8 << 7 << "" << qint64{0};
    QTest::newRow("dated.tiff") << "tiff" << 3 << 8 << 1 << "" << kChanged;
    QTest::newRow("plain.gif") << "gif" << 3 << 8 << 1 << "palette" << qint64{0};
    QTest::newRow("transparent.gif") << "gif" << 3 << 8 << 1 << "alpha palette" << qint64{0};
    QTest::newRow("turned6.heic") << "heic" << 3 << 8 << 1 << "" << kOriginal;  // turned by the decoder, not by EXIF
    QTest::newRow("turned6.avif") << "avif" << 3 << 8 << 1 << "" << kOriginal;
  }

  void facts() {
    QFETCH(QString, kind);
    QFETCH(int, channels);
    QFETCH(int, bits);
    QFETCH(int, orientation);
    QFETCH(QString, flags);
    QFETCH(qint64, taken);
    const auto facts = inspectImage(bytesOf(QTest::currentDataTag()), "facts");
    TRAINYARD_VERIFY(facts);
    QCOMPARE(QString::fromStdString(facts->kind), kind);
    QCOMPARE(facts->channels, channels);
    QCOMPARE(facts->bits, bits);
    QCOMPARE(facts->orientation, orientation);
    QStringList said;
    if (facts->alpha) said << "alpha";
    if (facts->cmyk) said << "cmyk";
    if (facts->palette) said << "palette";
    QCOMPARE(said.join(' '), flags);
    QCOMPARE(qint64{facts->taken.value_or(0)}, taken);
  }

  void sizeIsKnownBeforeDecoding_data() { golden_data(); }

  void sizeIsKnownBeforeDecoding() {
    QFETCH(int, height);
    QFETCH(int, width);
    const std::string bytes = bytesOf(QTest::currentDataTag());
    const auto facts = inspectImage(bytes, "facts");
    TRAINYARD_VERIFY(facts);
    QCOMPARE(facts->height, height);
    QCOMPARE(facts->width, width);
    DecodeOptions options;
    options.max_pixels = static_cast<uint64_t>(width) * static_cast<uint64_t>(height);
    TRAINYARD_VERIFY(decodeImage(bytes, "fits", options));
    --options.max_pixels;
    const auto picture = decodeImage(bytes, "large.jpg", options);
    QVERIFY(!picture);
    compareError(picture.error(), ErrorCode::Data, {"large.jpg", QString("%1 × %2").arg(width).arg(height), "max_megapixels"});
    const auto part = (*openImage(bytes, "large.jpg", options))->part({0, 0, 1, 1}, {1, 1});
    QVERIFY(!part);
    compareError(part.error(), ErrorCode::Data, {"large.jpg", "max_megapixels"});
  }

  // A small file that claims to be enormous.
  void absurdSize() {
    std::string bytes = bytesOf("rgb.png");
    bytes.replace(16, 8, std::string("\0\x01\x86\xa0\0\x01\x86\xa0", 8));  // 100,000 × 100,000
    const auto picture = decodeImage(bytes, "bomb.png");
    QVERIFY(!picture);
    compareError(picture.error(), ErrorCode::Data, {"bomb.png", "100000 × 100000", "179 megapixels"});
  }

  void floatingPointIsRefused() {
    const auto picture = decodeImageFile(pictures_ / "float.tiff");
    QVERIFY(!picture);
    compareError(picture.error(), ErrorCode::Data, {"float.tiff", "32-bit"});
  }

  // Cut anywhere, a picture is refused or (where only padding is lost) right: no grey and no stale pixels.
  void cutAnywhere_data() {
    QTest::addColumn<bool>("every_cut_fails");
    for (const char* name : {"photo.jpg", "progressive.jpg", "grey.jpg", "cmyk.jpg", "rgb.png", "grey16.png", "interlaced.png", "rgb.webp", "rgba.webp",
                             "lossy.webp", "animated.webp", "rgb.bmp", "rgba.bmp", "plain.heic", "turned6.avif"})
      QTest::newRow(name) << true;
    for (const char* name : {"palette.bmp", "bits.bmp", "runs8.bmp", "runs4.bmp", "plain.gif", "interlaced.gif", "transparent.gif", "tiles16.tiff",
                             "planes16.tiff", "rgb.tiff", "rgb_raw.tif", "grey16.tiff", "palette.tiff", "rgba.tiff"})
      QTest::newRow(name) << false;
  }

  void cutAnywhere() {
    QFETCH(bool, every_cut_fails);
    const std::string whole = bytesOf(QTest::currentDataTag());
    const auto right = decodeImage(whole, "whole");
    TRAINYARD_VERIFY(right);
    int refused = 0;
    for (size_t size = 0; size < whole.size(); ++size) {
      const auto picture = decodeImage(std::string_view(whole).substr(0, size), "cut.jpg");
      if (!picture) {
        compareError(picture.error(), ErrorCode::Data, {"cut.jpg"});
        ++refused;
        continue;
      }
      QVERIFY2(!every_cut_fails && hexOf(*picture) == hexOf(*right), qPrintable(QString("cut at %1 of %2").arg(size).arg(whole.size())));
    }
    QVERIFY2(refused > static_cast<int>(whole.size() / 2), qPrintable(QString::number(refused)));
  }

  void holesInJpeg_data() {
    QTest::addColumn<bool>("zeroed");
    QTest::newRow("bytes missing in the middle") << false;
    QTest::newRow("end overwritten with zeros") << true;
  }

  void holesInJpeg() {
    QFETCH(bool, zeroed);
    std::string bytes = bytesOf("photo.jpg");
    if (zeroed)
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() - 60), bytes.end(), '\0');
    else
      bytes.erase(bytes.size() - 120, 60);
    const auto picture = decodeImage(bytes, "holes.jpg");
    QVERIFY(!picture);
    compareError(picture.error(), ErrorCode::Data, {"holes.jpg", "JPEG"});
  }

  // Whatever is changed in a file, it is refused or gives a picture of the kinds promised; nothing crashes or throws.
  void damagedBytes_data() {
    QTest::addColumn<int>("unused");
    for (const char* name :
         {"photo.jpg",       "progressive.jpg", "rgb.png",      "palette_alpha.png", "rgb.webp",       "rgb.bmp",       "rgb.tiff",
          "turned6.jpg",     "turned6.tiff",    "grey.jpg",     "interlaced.png",    "colour_key.png", "animated.webp", "rgba.bmp",
          "runs8.bmp",       "runs4.bmp",       "masks565.bmp", "plain.gif",         "interlaced.gif", "part.gif",      "tiles_planes16.tiff",
          "multiplied.tiff", "cmyk.tiff"})
      QTest::newRow(name) << 0;
  }

  void damagedBytes() {
    const std::string whole = bytesOf(QTest::currentDataTag());
    Random random({7});
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
      std::string bytes = whole;
      for (int change = 0; change < 3; ++change) bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
      const auto picture = decodeImage(bytes, "damaged");
      refused += !picture;
      if (picture) QVERIFY(!picture->empty() && picture->depth() == CV_8U && (picture->channels() == 1 || picture->channels() == 3));
    }
    QVERIFY(refused > 0);
  }

  void bytesBehindTheEndAreLegal_data() {
    QTest::addColumn<int>("unused");
    for (const char* name : {"photo.jpg", "rgb.png", "rgb.webp", "rgb.bmp"}) QTest::newRow(name) << 0;
  }

  void bytesBehindTheEndAreLegal() {
    const std::string whole = bytesOf(QTest::currentDataTag());
    const auto picture = decodeImage(whole + std::string(1000, 'x'), "longer");
    TRAINYARD_VERIFY(picture);
    QCOMPARE(hexOf(*picture), hexOf(*decodeImage(whole, "whole")));
  }

  void notPictures_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    QTest::newRow("empty") << QByteArray() << "empty";
    QTest::newRow("text") << QByteArray("these are words") << "not a picture";
    QTest::newRow("gif magic only") << QByteArray("GIF89a") << "GIF";
    QTest::newRow("pdf") << QByteArray("%PDF-1.7") << "PDF";
    QTest::newRow("web page") << QByteArray("<!DOCTYPE html><html>") << "web page";
    QTest::newRow("lfs") << QByteArray("version https://git-lfs.github.com/spec/v1") << "Git LFS";
    QTest::newRow("heic magic only") << QByteArray(
                                            "\0\0\0\x18"
                                            "ftypheic",
                                            12)
                                     << "HEIC";
    QTest::newRow("jpeg magic only") << QByteArray("\xff\xd8\xff") << "JPEG";
    QTest::newRow("png magic only") << QByteArray("\x89PNG\r\n\x1a\n") << "PNG";
  }

  void notPictures() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    const auto picture = decodeImage(std::string_view(bytes.data(), static_cast<size_t>(bytes.size())), "some/file.jpg");
    QVERIFY(!picture);
    compareError(picture.error(), ErrorCode::Data, {"some/file.jpg", said});
  }

  void anyPath() {
    QTemporaryDir folder;
    const fs::path file = pathOf(folder.path()) / "数据" / "été ñ" / "図 1.png";
    write(file, png(2, 3, {1, 2, 3}));
    const auto picture = decodeImageFile(file);
    TRAINYARD_VERIFY(picture);
    QCOMPARE(hexOf(*picture), QByteArray("010203").repeated(6));
    const auto missing = decodeImageFile(file.parent_path() / "図 2.png");
    QVERIFY(!missing);
    compareError(missing.error(), ErrorCode::Data, {QString::fromUtf8("図 2.png")});
  }

  void pngGoesThereAndBack_data() {
    QTest::addColumn<int>("channels");
    QTest::newRow("grey") << 1;
    QTest::newRow("rgb") << 3;
  }

  void pngGoesThereAndBack() {
    QFETCH(int, channels);
    cv::Mat picture(9, 13, CV_8UC(channels));
    for (int i = 0; i < 9 * 13 * channels; ++i) picture.data[i] = static_cast<uchar>(i * 7);
    const auto bytes = encodePng(picture);
    TRAINYARD_VERIFY(bytes);
    const auto again = decodeImage(*bytes, "again");
    TRAINYARD_VERIFY(again);
    QCOMPARE(hexOf(*again), hexOf(picture));
  }

  void pngRefusesOtherPixels() {
    QVERIFY(!encodePng(cv::Mat()));
    QCOMPARE(encodePng(cv::Mat(2, 2, CV_32FC1, cv::Scalar(0))).error().code, ErrorCode::Failed);
  }

  void looksLikeImage_data() {
    QTest::addColumn<bool>("yes");
    for (const char* name :
         {"a.jpg", "a.JPG", "a.jpeg", "b/a.Png", "a.bmp", "a.webp", "a.tif", "a.TIFF", "a.gif", "IMG_1.HEIC", "a.heif", "a.hif", "a.avif", "図.png"})
      QTest::newRow(name) << true;
    for (const char* name : {"a.txt", "a", "a.svg", "jpg", "a.jpg.txt", "a.png~"}) QTest::newRow(name) << false;
  }

  void looksLikeImage() {
    QFETCH(bool, yes);
    QCOMPARE(data::looksLikeImage(QTest::currentDataTag()), yes);
  }
};

QTEST_APPLESS_MAIN(TestImageDecode)
#include "tst_image_decode.moc"
