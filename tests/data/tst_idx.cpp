#include <archive.h>
#include <archive_entry.h>

#include <QTemporaryDir>

#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

std::string gzipped(const std::string& bytes) {
  std::string packed(bytes.size() + 1000, '\0');
  size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_add_filter_gzip(writer);
  archive_write_set_format_raw(writer);
  archive_write_open_memory(writer, packed.data(), packed.size(), &used);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(writer, entry);
  archive_write_data(writer, bytes.data(), bytes.size());
  archive_entry_free(entry);
  archive_write_close(writer);
  archive_write_free(writer);
  packed.resize(used);
  return packed;
}

}  // namespace

class TestIdx : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;
  fs::path folder() { return pathOf(temporary_.path()) / std::to_string(count_++); }

  // 4 pictures of 2×3 with values from 10, labels 2 0 1 2.
  const std::string images_ = idx({4, 2, 3}, counting(24, 10));
  const std::string labels_ = idx({4}, {2, 0, 1, 2});

 private Q_SLOTS:
  void plainAndPacked_data() {
    QTest::addColumn<bool>("images_packed");
    QTest::addColumn<bool>("labels_packed");
    QTest::newRow("plain") << false << false;
    QTest::newRow("both packed") << true << true;
    QTest::newRow("one packed") << true << false;
  }

  void plainAndPacked() {
    QFETCH(bool, images_packed);
    QFETCH(bool, labels_packed);
    const fs::path root = folder();
    write(root / (images_packed ? "train-images-idx3-ubyte.gz" : "train-images-idx3-ubyte"), images_packed ? gzipped(images_) : images_);
    write(root / (labels_packed ? "train-labels-idx1-ubyte.gz" : "train-labels-idx1-ubyte"), labels_packed ? gzipped(labels_) : labels_);
    const auto dataset = open(dataOf("idx", root));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->size(), uint64_t{4});
    QCOMPARE((*dataset)->classes(), (std::vector<std::string>{"0", "1", "2"}));
    QCOMPARE((*dataset)->label(0), 2);
    QCOMPARE((*dataset)->label(1), 0);
    QCOMPARE((*dataset)->name(3), std::string("train-images 3"));
    QVERIFY((*dataset)->inMemory());
    QVERIFY((*dataset)->part(2) == Part::Train);
    const auto picture = (*dataset)->picture(1);
    TRAINYARD_VERIFY(picture);
    QCOMPARE(picture->rows, 2);
    QCOMPARE(picture->cols, 3);
    QCOMPARE(picture->channels(), 1);
    QCOMPARE(hexOf(*picture), QByteArray("101112131415"));
  }

  void twoParts() {
    const fs::path root = folder();
    write(root / "train-images-idx3-ubyte", images_);
    write(root / "train-labels-idx1-ubyte", labels_);
    write(root / "t10k-images-idx3-ubyte.gz", gzipped(idx({1, 2, 3}, counting(6, 100))));
    write(root / "t10k-labels-idx1-ubyte.gz", gzipped(idx({1}, {3})));
    write(root / "classes.txt", "zero\r\none\ntwo\ndrei ü\n\n");
    const auto dataset = open(dataOf("idx", root));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->size(), uint64_t{5});
    QCOMPARE((*dataset)->classes(), (std::vector<std::string>{"zero", "one", "two", "drei ü"}));
    QVERIFY((*dataset)->part(3) == Part::Train);
    QVERIFY((*dataset)->part(4) == Part::Validation);
    QCOMPARE((*dataset)->label(4), 3);
    QCOMPARE((*dataset)->name(4), std::string("t10k-images 0"));
    QCOMPARE(hexOf(*(*dataset)->picture(4)), QByteArray("646566676869"));
  }

  void otherNamesAndColours() {
    const fs::path root = folder();
    write(root / "shapes-images-idx4-ubyte", idx({2, 1, 2, 3}, counting(12)));
    write(root / "shapes-labels-idx1-ubyte", idx({2}, {0, 1}));
    const auto dataset = open(dataOf("idx", root));
    TRAINYARD_VERIFY(dataset);
    QVERIFY((*dataset)->part(0) == Part::Unassigned);
    QCOMPARE((*dataset)->picture(1)->channels(), 3);
    QCOMPARE(hexOf(*(*dataset)->picture(1)), QByteArray("060708090a0b"));
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("images");
    QTest::addColumn<QByteArray>("labels");
    QTest::addColumn<QStringList>("said");
    const auto bytes = [](const std::string& text) { return QByteArray(text.data(), static_cast<qsizetype>(text.size())); };
    const QStringList images{"train-images-idx3-ubyte"}, labels{"train-labels-idx1-ubyte"};
    QTest::newRow("pictures cut short") << bytes(images_.substr(0, images_.size() - 1)) << bytes(labels_) << images + QStringList{"39 of the 40"};
    QTest::newRow("labels cut short") << bytes(images_) << bytes(labels_.substr(0, 10)) << labels + QStringList{"10 of the 12"};
    QTest::newRow("pictures too long") << bytes(images_ + "xy") << bytes(labels_) << images + QStringList{"2 bytes more"};
    QTest::newRow("header cut short") << bytes(images_.substr(0, 13)) << bytes(labels_) << images + QStringList{"cut short"};
    QTest::newRow("empty") << QByteArray() << bytes(labels_) << images + QStringList{"0 bytes"};
    QTest::newRow("wrong magic") << bytes("\x89PNG" + images_.substr(4)) << bytes(labels_) << images + QStringList{"137 80 78 71"};
    QTest::newRow("floats") << bytes(std::string{0, 0, 0x0d, 3} + images_.substr(4)) << bytes(labels_) << images + QStringList{"0 0 13 3"};
    QTest::newRow("swapped") << bytes(labels_) << bytes(images_) << images + QStringList{"swapped"};
    QTest::newRow("counts disagree") << bytes(images_) << bytes(idx({3}, {0, 1, 2}))
                                     << images + QStringList{"4 pictures", "3 labels", "train-labels-idx1-ubyte"};
    QTest::newRow("no pictures") << bytes(idx({0, 2, 3}, "")) << bytes(idx({0}, "")) << images + QStringList{"no pictures"};
    QTest::newRow("no size") << bytes(idx({4, 0, 3}, "")) << bytes(labels_) << images + QStringList{"edge of 0"};
    QTest::newRow("a count beyond all memory") << bytes(idx({0xffffffff, 16384, 16384}, "x")) << bytes(labels_) << images + QStringList{"cut short"};
  }

  void refused() {
    QFETCH(QByteArray, images);
    QFETCH(QByteArray, labels);
    QFETCH(QStringList, said);
    const fs::path root = folder();
    write(root / "train-images-idx3-ubyte", images.toStdString());
    write(root / "train-labels-idx1-ubyte", labels.toStdString());
    const auto dataset = open(dataOf("idx", root));
    QVERIFY(!dataset);
    compareError(dataset.error(), ErrorCode::Data, said);
  }

  void packedFilesCutAnywhere() {
    const fs::path root = folder();
    const std::string packed = gzipped(images_);
    write(root / "train-labels-idx1-ubyte", labels_);
    for (size_t size = 0; size < packed.size(); ++size) {
      write(root / "train-images-idx3-ubyte.gz", packed.substr(0, size));
      const auto dataset = open(dataOf("idx", root));
      QVERIFY2(!dataset, qPrintable(QString("cut at %1 of %2").arg(size).arg(packed.size())));
      compareError(dataset.error(), ErrorCode::Data, {"train-images-idx3-ubyte.gz"});
    }
    write(root / "train-images-idx3-ubyte.gz", images_);
    compareError(open(dataOf("idx", root)).error(), ErrorCode::Data, {"train-images-idx3-ubyte.gz", "not a gzip file"});
  }

  void foldersThatDoNotFit_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QStringList>("said");
    QTest::newRow("nothing") << QStringList{} << QStringList{"no IDX files"};
    QTest::newRow("no labels") << QStringList{"train-images-idx3-ubyte"} << QStringList{"train-labels-idx1-ubyte", "missing"};
    QTest::newRow("two pairs of unknown use") << QStringList{"a-images", "a-labels", "b-images", "b-labels"}
                                              << QStringList{"a-images", "b-images", "not clear"};
    QTest::newRow("two training pairs") << QStringList{"a-train-images", "a-train-labels", "b-train-images", "b-train-labels"}
                                        << QStringList{"a-train-images", "b-train-images"};
    QTest::newRow("an unknown pair beside training") << QStringList{"train-images", "train-labels", "b-images", "b-labels"}
                                                     << QStringList{"b-images", "not clear"};
  }

  void foldersThatDoNotFit() {
    QFETCH(QStringList, files);
    QFETCH(QStringList, said);
    const fs::path root = folder();
    fs::create_directories(root);
    for (const QString& file : files) write(root / file.toStdString(), file.contains("images") ? images_ : labels_);
    const auto dataset = open(dataOf("idx", root));
    QVERIFY(!dataset);
    compareError(dataset.error(), ErrorCode::Data, said);
  }

  void partsThatDoNotFit() {
    const fs::path root = folder();
    write(root / "train-images-idx3-ubyte", images_);
    write(root / "train-labels-idx1-ubyte", labels_);
    write(root / "t10k-images-idx3-ubyte", idx({1, 3, 2}, counting(6)));
    write(root / "t10k-labels-idx1-ubyte", idx({1}, {0}));
    compareError(open(dataOf("idx", root)).error(), ErrorCode::Data, {"t10k-images-idx3-ubyte", "3×2", "2×3"});
    write(root / "t10k-images-idx3-ubyte", idx({1, 2, 3}, counting(6)));
    write(root / "classes.txt", "only\ntwo\n");
    compareError(open(dataOf("idx", root)).error(), ErrorCode::Data, {"classes.txt", "names 2 classes", "label 2"});
  }
};

QTEST_APPLESS_MAIN(TestIdx)
#include "tst_idx.moc"
