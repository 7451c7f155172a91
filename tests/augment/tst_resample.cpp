#include "core/augment/resample.h"
#include "core/base/files.h"
#include "tests/augment/support.h"

using namespace trainyard;
using namespace trainyard::augment;

class TestResample : public QObject {
  Q_OBJECT

  // The formula of tests/golden/make_resize.py.
  static cv::Mat formula(int height, int width, int channels) {
    cv::Mat picture(height, width, CV_8UC(channels));
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int c = 0; c < channels; ++c) picture.ptr(y)[x * channels + c] = static_cast<uchar>((y * 37 + x * 101 + c * 59) ^ (y * x + 7 * c));
      }
    }
    return picture;
  }

 private Q_SLOTS:
  void equalsPillow_data() {
    QTest::addColumn<int>("channels");
    QTest::addColumn<QSize>("from");
    QTest::addColumn<QSize>("to");
    QTest::addColumn<QByteArray>("expected");
    const auto text = readFile(fs::path(TEST_DATA_DIR) / "../golden/resize.json");
    QVERIFY(text.has_value());
    for (const auto& entry : Json::parse(*text)) {
      const QSize from(entry["width"].get<int>(), entry["height"].get<int>()), to(entry["to_width"].get<int>(), entry["to_height"].get<int>());
      QTest::addRow("%dx%dx%d to %dx%d", from.height(), from.width(), entry["channels"].get<int>(), to.height(), to.width())
          << entry["channels"].get<int>() << from << to << QByteArray::fromHex(QByteArray::fromStdString(entry["pixels"].get<std::string>()));
    }
  }

  void equalsPillow() {
    QFETCH(int, channels);
    QFETCH(QSize, from);
    QFETCH(QSize, to);
    QFETCH(QByteArray, expected);
    const cv::Mat result = resized(formula(from.height(), from.width(), channels), to.height(), to.width());
    QVERIFY(test::same(result, cv::Mat(to.height(), to.width(), CV_8UC(channels), expected.data())));
  }

  // A window into a larger picture is read with its own stride.
  void windows() {
    const cv::Mat whole = formula(40, 50, 3);
    const cv::Rect window(7, 5, 21, 30);
    QVERIFY(test::same(resized(whole(window), 11, 9), resized(whole(window).clone(), 11, 9)));
  }

  void oneColourStaysItself() {
    for (const auto& [height, width] : {std::pair(7, 5), std::pair(31, 64), std::pair(200, 1)}) {
      const cv::Mat result = resized(cv::Mat(23, 17, CV_8UC3, cv::Scalar(1, 128, 255)), height, width);
      QVERIFY(test::same(result, cv::Mat(height, width, CV_8UC3, cv::Scalar(1, 128, 255))));
    }
  }
};

QTEST_APPLESS_MAIN(TestResample)
#include "tst_resample.moc"
