#include "core/augment/resample.h"
#include "core/base/files.h"
#include "tests/augment/support.h"

using namespace trainyard;
using namespace trainyard::augment;
using trainyard::augment::test::formula;

class TestResample : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equalsPillow_data() {
    QTest::addColumn<bool>("bicubic");
    QTest::addColumn<int>("channels");
    QTest::addColumn<QSize>("from");
    QTest::addColumn<QList<double>>("box");
    QTest::addColumn<QSize>("to");
    QTest::addColumn<QByteArray>("expected");
    const auto text = readFile(fs::path(TEST_DATA_DIR) / "../golden/resize.json");
    QVERIFY(text.has_value());
    for (const auto& entry : Json::parse(*text)) {
      const auto filter = entry["filter"].get<std::string>();
      const auto box = entry["box"].get<std::vector<double>>();
      const QSize from(entry["width"].get<int>(), entry["height"].get<int>()), to(entry["to_width"].get<int>(), entry["to_height"].get<int>());
      QTest::addRow("%s, %dx%dx%d [%g %g %g %g] to %dx%d", filter.c_str(), from.height(), from.width(), entry["channels"].get<int>(), box[0], box[1], box[2],
                    box[3], to.height(), to.width())
          << (filter == "bicubic") << entry["channels"].get<int>() << from << QList<double>(box.begin(), box.end()) << to
          << QByteArray::fromHex(QByteArray::fromStdString(entry["pixels"].get<std::string>()));
    }
  }

  void equalsPillow() {
    QFETCH(bool, bicubic);
    QFETCH(int, channels);
    QFETCH(QSize, from);
    QFETCH(QList<double>, box);
    QFETCH(QSize, to);
    QFETCH(QByteArray, expected);
    const cv::Mat result = resized(formula(from.height(), from.width(), channels), cv::Rect2d(cv::Point2d(box[0], box[1]), cv::Point2d(box[2], box[3])),
                                   to.height(), to.width(), bicubic ? Filter::Bicubic : Filter::Bilinear);
    QVERIFY(test::same(result, cv::Mat(to.height(), to.width(), CV_8UC(channels), expected.data())));
  }

  // Three channels go through the quick loops where the processor has them, four through the plain ones.
  void quickLoopsEqualPlainOnes() {
    const cv::Mat four = formula(83, 97, 4);
    std::vector<cv::Mat> planes;
    cv::split(four, planes);
    planes.pop_back();
    cv::Mat three;
    cv::merge(planes, three);
    for (const Filter filter : {Filter::Bilinear, Filter::Bicubic}) {
      for (const auto& [height, width] : {std::pair(11, 13), std::pair(60, 70), std::pair(82, 96), std::pair(100, 120), std::pair(3, 200), std::pair(1, 1)}) {
        const cv::Rect2d box(2.5, 7.25, 90, 70);
        std::vector<cv::Mat> expected;
        cv::split(resized(four, box, height, width, filter), expected);
        expected.pop_back();
        cv::Mat plain;
        cv::merge(expected, plain);
        QVERIFY2(test::same(resized(three, box, height, width, filter), plain), qPrintable(QString("%1 %2").arg(height).arg(width)));
      }
    }
  }

  // A box without fractions means a crop; pixels around it do not count. One with fractions does not.
  void cutsOfADecoder() {
    const cv::Mat whole = formula(40, 50, 3);
    QVERIFY(test::same(resized(Cut{whole, cv::Rect2d(7, 5, 21, 30)}, 11, 9), resized(whole(cv::Rect(7, 5, 21, 30)), 11, 9)));
    const cv::Rect2d box(7.5, 5.25, 20.5, 30);
    QVERIFY(test::same(resized(Cut{whole, box}, 11, 9), resized(whole, box, 11, 9)));
  }

  // A window into a larger picture is read with its own stride.
  void windows() {
    const cv::Mat whole = formula(40, 50, 3);
    const cv::Rect window(7, 5, 21, 30);
    QVERIFY(test::same(resized(whole(window), 11, 9), resized(whole(window).clone(), 11, 9)));
    const cv::Rect corner(29, 10, 21, 30);  // up to the end of the memory
    QVERIFY(test::same(resized(whole(corner), 31, 19), resized(whole(corner).clone(), 31, 19)));
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
