#include <QTemporaryDir>

#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

class TestCifar : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;
  fs::path folder() { return pathOf(temporary_.path()) / std::to_string(count_++); }

  // Red counts up along the pixels, green is 100, blue the label.
  static std::string record(const std::string& labels) { return labels + counting(1024) + std::string(1024, 100) + std::string(1024, labels.back()); }

 private Q_SLOTS:
  void ten() {
    const fs::path root = folder();
    write(root / "cifar-10-batches-bin/data_batch_1.bin", record({3}) + record({9}));
    write(root / "cifar-10-batches-bin/data_batch_2.bin", record({0}));
    write(root / "cifar-10-batches-bin/test_batch.bin", record({7}));
    for (const fs::path& path : {root, root / "cifar-10-batches-bin"}) {
      const auto dataset = open(dataOf("cifar10", path));
      TRAINYARD_VERIFY(dataset);
      QCOMPARE((*dataset)->size(), uint64_t{4});
      QCOMPARE((*dataset)->classes().size(), size_t{10});
      QCOMPARE((*dataset)->classes()[3], std::string("cat"));
      std::vector<int> labels;
      for (uint64_t i = 0; i < 4; ++i) labels.push_back((*dataset)->label(i));
      QCOMPARE(labels, (std::vector<int>{3, 9, 0, 7}));
      QVERIFY((*dataset)->part(2) == Part::Train);
      QVERIFY((*dataset)->part(3) == Part::Validation);
      QCOMPARE((*dataset)->name(2), std::string("data_batch_2 0"));
      const cv::Mat picture = *(*dataset)->picture(1);
      QCOMPARE(picture.rows, 32);
      QCOMPARE(picture.cols, 32);
      QCOMPARE(picture.at<cv::Vec3b>(0, 5), cv::Vec3b(5, 100, 9));
      QCOMPARE(picture.at<cv::Vec3b>(3, 4), cv::Vec3b(100, 100, 9));
    }
    write(root / "cifar-10-batches-bin/batches.meta.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
    QCOMPARE((*open(dataOf("cifar10", root)))->classes()[9], std::string("j"));
  }

  void hundred() {
    const fs::path root = folder();
    std::string names;
    for (int i = 0; i < 100; ++i) names += "fine " + std::to_string(i) + "\n";
    write(root / "train.bin", record({11, 99}) + record({2, 0}));
    write(root / "test.bin", record({5, 42}));
    const auto unnamed = open(dataOf("cifar100", root));
    TRAINYARD_VERIFY(unnamed);
    QCOMPARE((*unnamed)->classes()[42], std::string("42"));
    write(root / "fine_label_names.txt", names);
    const auto dataset = open(dataOf("cifar100", root));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->classes().size(), size_t{100});
    QCOMPARE((*dataset)->classes()[42], std::string("fine 42"));
    QCOMPARE((*dataset)->label(0), 99);
    QCOMPARE((*dataset)->label(2), 42);
    QVERIFY((*dataset)->part(2) == Part::Validation);
    QCOMPARE((*dataset)->picture(0)->at<cv::Vec3b>(31, 31), cv::Vec3b(255, 100, 99));
  }

  void refused_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("said");
    const auto bytes = [](const std::string& text) { return QByteArray(text.data(), static_cast<qsizetype>(text.size())); };
    QTest::newRow("cut short") << "cifar10"
                               << "data_batch_1.bin" << bytes((record({1}) + record({2})).substr(0, 6000)) << QStringList{"data_batch_1.bin", "6,000", "3,073"};
    QTest::newRow("empty") << "cifar10"
                           << "data_batch_1.bin" << QByteArray() << QStringList{"data_batch_1.bin"};
    QTest::newRow("label out of range") << "cifar10"
                                        << "data_batch_1.bin" << bytes(record({1}) + record({10})) << QStringList{"data_batch_1.bin", "record 1", "label 10"};
    QTest::newRow("batches.meta.txt") << "cifar10"
                                      << "batches.meta.txt" << QByteArray("one\ntwo\n") << QStringList{"batches.meta.txt", "2 classes instead of 10"};
    QTest::newRow("a batch is missing") << "cifar10"
                                        << "data_batch_3.bin" << bytes(record({1})) << QStringList{"data_batch_2.bin"};
    QTest::newRow("hundred, cut short") << "cifar100"
                                        << "train.bin" << QByteArray(3073, '\1') << QStringList{"train.bin", "3,073", "3,074"};
    QTest::newRow("hundred, label out of range") << "cifar100"
                                                 << "test.bin" << bytes(record({1, 100})) << QStringList{"test.bin", "label 100"};
    QTest::newRow("hundred, names") << "cifar100"
                                    << "fine_label_names.txt" << QByteArray("a\n") << QStringList{"fine_label_names.txt", "1 classes instead of 100"};
  }

  void refused() {
    QFETCH(QString, format);
    QFETCH(QString, file);
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, said);
    const fs::path root = folder();
    write(root / "data_batch_1.bin", record({1}));
    write(root / "train.bin", record({1, 1}));
    write(root / file.toStdString(), bytes.toStdString());
    const auto dataset = open(dataOf(format.toStdString(), root));
    QVERIFY(!dataset);
    compareError(dataset.error(), ErrorCode::Data, said);
  }

  void missingFiles() {
    const fs::path root = folder();
    fs::create_directories(root);
    compareError(open(dataOf("cifar10", root)).error(), ErrorCode::Data, {"data_batch_1.bin"});
    compareError(open(dataOf("cifar100", root)).error(), ErrorCode::Data, {"train.bin"});
    write(root / "data_batch_1", "pickle");
    compareError(open(dataOf("cifar10", root)).error(), ErrorCode::Data, {"Python version"});
  }
};

QTEST_APPLESS_MAIN(TestCifar)
#include "tst_cifar.moc"
