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

  // Cut anywhere, a picture is refused or (where only padding is lost) right: no grey and no stale pixels.
  void cutAnywhere_data() {
    QTest::addColumn<bool>("every_cut_fails");
    for (const char* name : {"photo.jpg", "progressive.jpg", "grey.jpg", "cmyk.jpg", "rgb.png", "grey16.png", "rgb.webp", "rgba.webp", "rgb.bmp"})
      QTest::newRow(name) << true;
    for (const char* name : {"palette.bmp", "bits.bmp", "rgb.tiff", "rgb_raw.tif", "grey16.tiff", "palette.tiff", "rgba.tiff"}) QTest::newRow(name) << false;
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
    for (const char* name : {"photo.jpg", "progressive.jpg", "rgb.png", "palette_alpha.png", "rgb.webp", "rgb.bmp", "rgb.tiff", "turned6.jpg", "turned6.tiff"})
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
    for (const char* name : {"a.jpg", "a.JPG", "a.jpeg", "b/a.Png", "a.bmp", "a.webp", "a.tif", "a.TIFF", "a.gif", "IMG_1.HEIC", "a.heif", "a.hif", "a.avif", "図.png"}) QTest::newRow(name) << true;
    for (const char* name : {"a.txt", "a", "a.svg", "jpg", "a.jpg.txt", "a.png~"}) QTest::newRow(name) << false;
  }

  void looksLikeImage() {
    QFETCH(bool, yes);
    QCOMPARE(data::looksLikeImage(QTest::currentDataTag()), yes);
  }
};

QTEST_APPLESS_MAIN(TestImageDecode)
#include "tst_image_decode.moc"
