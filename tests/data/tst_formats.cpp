#include <QTemporaryDir>

#include "core/catalogue/catalogue.h"
#include "core/data/split.h"
#include "tests/data/archives.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

class TestFormats : public QObject {
  Q_OBJECT

  // The smallest data of each format; its path.
  static fs::path writeSample(const std::string& format, const fs::path& root) {
    const std::string a = png(4, 4, {1, 2, 3});
    if (format == "tar") return write(root / "x.tar", tarEntry("a/1.png", a) + tarEntry("b/1.png", a) + tarEnd()), root / "x.tar";
    if (format == "zip") return write(root / "x.zip", zipOf({{"a/1.png", a}, {"b/1.png", a}})), root / "x.zip";
    if (format == "webdataset") write(root / "x.tar", tarEntry("1.png", a) + tarEntry("1.cls", "0") + tarEntry("2.png", a) + tarEntry("2.cls", "1") + tarEnd());
    if (format == "tfrecord") fs::copy(fs::path(TEST_DATA_DIR) / "../golden/archives/train-00000-of-00002", root / "x.tfrecord");
    if (format == "image-folder") {
      write(root / "a/1.png", png(4, 4, {1, 2, 3}));
      write(root / "b/1.png", png(4, 4, {1, 2, 3}));
    } else if (format == "image-csv") {
      write(root / "labels.csv", "file,label\npics/1.png,a\npics/2.png,b\n");
      write(root / "pics/1.png", png(4, 4, {1, 2, 3}));
      write(root / "pics/2.png", png(4, 4, {1, 2, 3}));
    } else if (format == "text") {
      write(root / "a.txt", std::string(2 * 256 + 1, 'a'));
    } else if (format == "table") {
      write(root / "t.csv", "x,label\n1,a\n2,b\n");
    } else if (format == "idx") {
      write(root / "train-images-idx3-ubyte", idx({2, 4, 4}, counting(32)));
      write(root / "train-labels-idx1-ubyte", idx({2}, {0, 1}));
    } else if (format == "cifar10") {
      write(root / "data_batch_1.bin", std::string(2 * 3073, '\1'));
    } else if (format == "cifar100") {
      write(root / "train.bin", std::string(2 * 3074, '\1'));
      write(root / "fine_label_names.txt", QString("name\n").repeated(100).toStdString());
    }
    return root;
  }

 private Q_SLOTS:
  void catalogueAndMakersAgree() {
    std::vector<std::string> ids;
    for (const auto& entry : catalogue::formats()) ids.push_back(entry.id);
    QCOMPARE(madeIds(), ids);
  }

  void everyFormatOpensAndIsGuessed_data() {
    QTest::addColumn<int>("unused");
    for (const auto& entry : catalogue::formats()) QTest::newRow(entry.id.c_str()) << 0;
  }

  void everyFormatOpensAndIsGuessed() {
    const std::string format = QTest::currentDataTag();
    QTemporaryDir temporary;
    const fs::path root = writeSample(format, pathOf(temporary.path()));
    const auto dataset = open(dataOf(format, root));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->size(), uint64_t{2});
    if ((*dataset)->columns() == nullptr && (*dataset)->task() != Task::Tokens) TRAINYARD_VERIFY((*dataset)->picture(1));
    QCOMPARE(guessFormat(root), format);
  }

  void guesses() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    QCOMPARE(guessFormat(root), std::string("image-folder"));
    QCOMPARE(guessFormat(root / "nowhere"), std::string("image-folder"));
    write(root / "a/1.png", png(1, 1, {1, 2, 3}));
    write(root / "prices.csv", "x,y\n1,2\n");
    QCOMPARE(guessFormat(root), std::string("image-folder"));  // not the table beside the class folders
    QCOMPARE(guessFormat(root / "prices.csv"), std::string("table"));
    write(root / "prices.csv", "file,y\na/1.png,2\n");
    QCOMPARE(guessFormat(root), std::string("image-csv"));
    QCOMPARE(guessFormat(root / "prices.csv"), std::string("image-csv"));
    fs::remove_all(root / "prices.csv");
    fs::create_directories(root / "cifar-10-batches-bin");
    QCOMPARE(guessFormat(root), std::string("cifar10"));
  }

  void unknownFormat() { compareError(open(dataOf("cifar11", "/")).error(), ErrorCode::Recipe, {"cifar11", "data.format", "did you mean \"cifar10\"?"}); }

  void digits() {
    const auto opened = openWithSplit(dataOf("idx", resourcesFolder() / "digits", 0.2), 42);
    TRAINYARD_VERIFY(opened);
    const Dataset& dataset = *opened->dataset;
    QCOMPARE(dataset.size(), uint64_t{1797});
    QCOMPARE(dataset.classes().size(), size_t{10});
    std::vector<uint64_t> all = opened->parts.train;
    all.insert(all.end(), opened->parts.validation.begin(), opened->parts.validation.end());
    QCOMPARE(classCounts(dataset, all), (std::vector<uint64_t>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}));
    QCOMPARE(classCounts(dataset, opened->parts.validation), (std::vector<uint64_t>{36, 36, 35, 37, 36, 36, 36, 36, 35, 36}));
    // The first picture, a zero, begins 0 0 5 13 9 1 0 0 of 16.
    QCOMPARE(hexOf(*dataset.picture(0)).left(16), QByteArray("000050cf8f100000"));
    QCOMPARE(dataset.label(0), 0);
  }
};

QTEST_APPLESS_MAIN(TestFormats)
#include "tst_formats.moc"
