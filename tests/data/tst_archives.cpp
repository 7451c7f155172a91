#include <QTemporaryDir>
#include <atomic>
#include <thread>

#include "core/data/packed_file.h"
#include "core/data/tar_index.h"
#include "tests/data/archives.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

const fs::path kGolden = fs::path(TEST_DATA_DIR) / "../golden/archives";

// A file far too large to write: the headers that are given, zeros between them.
class Vast : public Bytes {
 public:
  Vast(std::vector<std::pair<uint64_t, std::string>> pieces, uint64_t size) : pieces_(std::move(pieces)), size_(size) {}
  uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }
  Result<void> read(uint64_t offset, char* to, size_t count) const override {
    std::fill_n(to, count, '\0');
    for (const auto& [at, bytes] : pieces_) {
      for (size_t i = 0; i < bytes.size(); ++i) {
        if (at + i >= offset && at + i < offset + count) to[at + i - offset] = bytes[i];
      }
    }
    return {};
  }

 private:
  std::vector<std::pair<uint64_t, std::string>> pieces_;
  uint64_t size_;
  std::string name_ = "vast.tar";
};

}  // namespace

class TestArchives : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;

  fs::path file(const std::string& bytes, const std::string& name) {
    const fs::path path = pathOf(temporary_.path()) / std::to_string(count_++) / name;
    write(path, bytes);
    return path;
  }
  static std::string dot(int level) { return png(2, 2, cv::Vec3b(static_cast<uchar>(level), 0, 0)); }
  // a/1.png, b/1.png
  static std::string smallTar() { return tarEntry("a/1.png", dot(1)) + tarEntry("b/1.png", dot(2)) + tarEnd(); }
  static QString lengthy(const char* middle) { return QString("tulips/%1/%2.png").arg(QString(middle).repeated(100)).arg(QString("n").repeated(60)); }

 private Q_SLOTS:
  void pythonsDialects_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("plain");
    QTest::addColumn<bool>("deep");
    for (const bool plain : {false, true}) {
      QTest::addRow("ustar %s", plain ? "plain" : "gzip") << "ustar.tar.gz" << plain << false;
      QTest::addRow("gnu %s", plain ? "plain" : "xz") << "gnu.tar.xz" << plain << true;
      QTest::addRow("pax %s", plain ? "plain" : "bzip2") << "pax.tar.bz2" << plain << true;
    }
  }

  void pythonsDialects() {
    QFETCH(QString, file);
    QFETCH(bool, plain);
    QFETCH(bool, deep);
    fs::path path = kGolden / file.toStdString();
    if (plain) {
      const auto packed = OpenFile::open(path);
      TRAINYARD_VERIFY(packed);
      const auto bytes = unpack(**packed, 1 << 20, "");
      TRAINYARD_VERIFY(bytes);
      path = this->file(*bytes, "plain.tar");
    }
    QCOMPARE(guessFormat(path), std::string("tar"));
    const auto dataset = open(dataOf("tar", path));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(classesOf(**dataset), (QStringList{"roses", "tulips"}));
    QStringList expected{"roses/1.png=0 10 20 30", "roses/2.png=0 40 50 60", "roses/link.png=0 70 80 90"};
    if (deep) expected << QString("tulips/%1/%2/%3.png=1 4 5 6").arg(QString("d").repeated(100), QString("e").repeated(100), QString("f").repeated(100));
    expected << "tulips/hard.png=1 10 20 30" << lengthy("m") + "=1 1 2 3"
             << "tulips/été 花.png=1 70 80 90";
    expected.sort();
    QStringList found = contentsOf(**dataset);
    found.sort();
    QCOMPARE(found, expected);
    QVERIFY(!(*dataset)->inMemory());
  }

  void pythonsZip() {
    const fs::path path = kGolden / "flowers.zip";
    QCOMPARE(guessFormat(path), std::string("zip"));
    const auto dataset = open(dataOf("zip", path));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(contentsOf(**dataset), (QStringList{"flowers/roses/1.png=0 10 20 30", "flowers/roses/2.png=0 40 50 60", "flowers/" + lengthy("m") + "=1 1 2 3",
                                                 "flowers/tulips/été 花.png=1 70 80 90"}));
    QCOMPARE(classesOf(**dataset), (QStringList{"roses", "tulips"}));
  }

  void bytesAndStamps() {
    const fs::path tar = file(smallTar(), "small.tar"), zip = file(zipOf({{"a/1.png", dot(1)}, {"b/1.png", dot(2)}}), "small.zip");
    for (const auto& [format, path] : {std::pair<std::string, fs::path>{"tar", tar}, {"zip", zip}}) {
      const auto dataset = open(dataOf(format, path));
      TRAINYARD_VERIFY(dataset);
      QCOMPARE((*dataset)->fileBytes(1).value_or(""), dot(2));
      QCOMPARE((*dataset)->stamp(1).bytes, dot(2).size());
      QVERIFY((*dataset)->stamp(1).modified_ns > 0);
      QVERIFY((*dataset)->file(1).empty());
      const auto source = (*dataset)->source(1);
      TRAINYARD_VERIFY(source);
      QCOMPARE((*source)->width(), 2);
      QCOMPARE(hexOf(*(*source)->all()), QByteArray("020000").repeated(4));
    }
  }

  void layouts_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QStringList>("samples");
    QTest::newRow("a folder around everything") << QStringList{"pets/cats/1.png", "pets/dogs/1.png", "readme.txt"}
                                                << QStringList{"pets/cats/1.png=0", "pets/dogs/1.png=1"};
    QTest::newRow("two folders around everything") << QStringList{"home/pets/cats/1.png", "home/pets/dogs/1.png"}
                                                   << QStringList{"home/pets/cats/1.png=0", "home/pets/dogs/1.png=1"};
    QTest::newRow("train and val in it") << QStringList{"p/train/a/1.png", "p/train/b/1.png", "p/val/b/2.png"}
                                         << QStringList{"p/train/a/1.png=0 train", "p/train/b/1.png=1 train", "p/val/b/2.png=1 validation"};
    QTest::newRow("train alone") << QStringList{"train/a/1.png", "train/b/1.png"} << QStringList{"train/a/1.png=0 train", "train/b/1.png=1 train"};
    QTest::newRow("any order, nested, junk") << QStringList{"b/9.png",          "a-b/1.png",   "a/z.png",     "a/._z.png",
                                                            "__MACOSX/a/z.png", "a/Thumbs.db", "./a/y/1.png", "a//w.png"}
                                             << QStringList{"a/w.png=0", "a/y/1.png=0", "a/z.png=0", "a-b/1.png=1", "b/9.png=2"};
  }

  void layouts() {
    QFETCH(QStringList, files);
    QFETCH(QStringList, samples);
    std::string tar;
    std::vector<ZipPart> zip;
    for (const QString& name : files) {
      tar += tarEntry(name.toStdString(), dot(1));
      zip.push_back({name.toStdString(), dot(1)});
    }
    samples.replaceInStrings(QRegularExpression("$"), " 1 0 0");
    const auto from_tar = open(dataOf("tar", file(tar + tarEnd(), "x.tar")));
    TRAINYARD_VERIFY(from_tar);
    QCOMPARE(contentsOf(**from_tar), samples);
    const auto from_zip = open(dataOf("zip", file(zipOf(zip), "x.zip")));
    TRAINYARD_VERIFY(from_zip);
    QCOMPARE(contentsOf(**from_zip), samples);
  }

  void windowsSeparators() {
    const auto dataset = open(dataOf("zip", file(zipOf({{"a\\1.png", dot(1)}, {"b\\c\\1.png", dot(2)}}), "x.zip")));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(contentsOf(**dataset), (QStringList{"a/1.png=0 1 0 0", "b/c/1.png=1 2 0 0"}));
  }

  void anEmptyClassIsNamedOrLeftOut() {
    const fs::path tar = file(tarEntry("a/1.png", dot(1)) + tarEntry("b/1.png", dot(1)) + tarHeader("empty/", 0, '5') + tarEnd(), "x.tar");
    compareError(open(dataOf("tar", tar)).error(), ErrorCode::Data, {"x.tar/empty", "no picture"});
    recipe::Data data = dataOf("tar", tar);
    data.exclude_classes = {"empty"};
    const auto dataset = open(data);
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->size(), uint64_t{2});
  }

  void linksInCircles() {
    const std::string tar = smallTar().substr(0, smallTar().size() - 1024) + tarHeader("a/2.png", 0, '2', "3.png") + tarHeader("a/3.png", 0, '2', "2.png") +
                            tarHeader("a/4.png", 0, '2', "4.png") + tarHeader("b/2.png", 0, '2', "../../../b/1.png") +
                            tarHeader("b/3.png", 0, '2', "../a/1.png") + tarEnd();
    const HeldBytes bytes(tar, "x.tar");
    const auto index = indexTar(bytes);
    TRAINYARD_VERIFY(index);
    QCOMPARE(index->links_ignored, uint64_t{4});
    QCOMPARE(index->files.size(), size_t{3});
    QCOMPARE(index->files[2].offset, index->files[0].offset);
  }

  void beyondEightGigabytes() {
    const uint64_t size = (uint64_t{9} << 30) + 100, next = 512 + size + 412;
    std::string base256 = std::string(12, '\0');
    base256[0] = '\x80';
    for (int i = 0; i < 8; ++i) base256[11 - static_cast<size_t>(i)] = static_cast<char>(size >> 8 * i);
    const auto check = [&](const std::string& start, uint64_t shift) {
      const Vast bytes({{0, start}, {next + shift, tarHeader("b/1.png", 7)}}, next + shift + 1024 + 1024);
      const auto index = indexTar(bytes);
      TRAINYARD_VERIFY(index);
      QCOMPARE(index->files.size(), size_t{2});
      QCOMPARE(index->files[0].size, size);
      QCOMPARE(index->files[1].offset, next + shift + 512);
    };
    check(tarHeader("a/1.png", 0, '0', {}, base256), 0);
    check(tarEntry("pax", "19 size=" + std::to_string(size) + "\n", 'x') + tarHeader("a/1.png", 0), 1024);
  }

  void damagedTars_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char* name, const std::string& bytes, const QStringList& said) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << said;
    };
    const std::string whole = smallTar(), good = whole.substr(0, whole.size() - 1024);
    row("empty", "", {"empty"});
    row("text", std::string(2000, 'x'), {"not a tar file", "byte 0"});
    row("cut in a header", whole.substr(0, 1300), {"cut short in the middle of a header", "byte 1,024"});
    row("cut in a picture", whole.substr(0, 1024 + 512 + 20), {"b/1.png", "only 20 are left", "byte 1,024"});
    row("no end mark", good, {"end mark"});
    row("wrong checksum", good + std::string(tarHeader("c/1.png", 0)).replace(0, 1, "d") + tarEnd(), {"checksum", "byte 2,048"});
    row("larger than the file", good + tarHeader("c/1.png", 1 << 30) + tarEnd(), {"c/1.png", "1,073,741,824 bytes"});
    row("larger than any file", good + tarHeader("c/1.png", 0, '0', {}, std::string("\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12)) + tarEnd(),
        {"byte 2,048"});
    row("a negative size", good + tarHeader("c/1.png", 0, '0', {}, std::string(12, '\xff')) + tarEnd(), {"size of an entry is no number"});
    row("a size of letters", good + tarHeader("c/1.png", 0, '0', {}, "000000000zz") + tarEnd(), {"size of an entry is no number"});
    row("an absolute path", good + tarEntry("/etc/passwd", "x") + tarEnd(), {"leaves the archive", "/etc/passwd", "byte 2,048"});
    row("a path upwards", good + tarEntry("a/../../x.png", "x") + tarEnd(), {"leaves the archive", "a/../../x.png"});
    row("twice the same", good + tarEntry("./a//1.png", dot(3)) + tarEnd(), {"a/1.png twice", "byte 512", "byte 2,560"});
    row("sparse", good + tarEntry("c/1.png", "x", 'S') + tarEnd(), {"c/1.png", "sparse"});
    row("second volume", good + tarEntry("c/1.png", "x", 'M') + tarEnd(), {"second volume"});
    row("a long name that is too long", good + tarHeader("././@LongLink", 1 << 24, 'L') + tarEnd(), {"16,777,216 bytes"});
    row("a long name cut short", good + tarHeader("././@LongLink", 4000, 'L') + tarEnd(), {"cut short in a long header"});
    row("pax nonsense", good + tarEntry("p", "nonsense\n", 'x') + tarEntry("c/1.png", "x") + tarEnd(), {"pax header makes no sense"});
    row("pax length", good + tarEntry("p", "999 path=x\n", 'x') + tarEntry("c/1.png", "x") + tarEnd(), {"pax header makes no sense"});
    row("pax size", good + tarEntry("p", "12 size=1e9\n", 'x') + tarEntry("c/1.png", "x") + tarEnd(), {"size of an entry is no number"});
    row("no class folders", tarEntry("1.png", dot(1)) + tarEnd(), {"no class folders"});
  }

  void damagedTars() {
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, said);
    const auto dataset = open(dataOf("tar", file(bytes.toStdString(), "bad.tar")));
    QVERIFY(!dataset);
    compareError(dataset.error(), ErrorCode::Data, said << "bad.tar");
  }

  // Whatever is cut off is noticed, and so is every flipped bit of a header.
  void everyCutAndEveryFlip() {
    const std::string whole = smallTar();
    for (size_t size = 0; size + 1024 < whole.size(); size += 3) {
      const auto index = indexTar(HeldBytes(whole.substr(0, size), "cut.tar"));
      QVERIFY2(!index && index.error().where == "cut.tar", qPrintable(QString::number(size)));
    }
    for (size_t bit = 0; bit < size_t{512} * 8; ++bit) {
      std::string flipped = whole;
      flipped[1024 + bit / 8] = static_cast<char>(flipped[1024 + bit / 8] ^ 1 << bit % 8);
      const auto index = indexTar(HeldBytes(flipped, "flipped.tar"));
      QVERIFY2(!index || bit / 8 >= 148, qPrintable(QString::number(bit)));
      if (index) QCOMPARE(index->files.size(), size_t{2});  // the checksum's own padding
    }
  }

  void damagedPackedTars() {
    const std::string packed = *readFile(kGolden / "ustar.tar.gz");
    compareError(open(dataOf("tar", file(packed.substr(0, packed.size() / 2), "cut.tar.gz"))).error(), ErrorCode::Data, {"cut.tar.gz", "cut short"});
    std::string flipped = packed;
    flipped[packed.size() - 6] = static_cast<char>(flipped[packed.size() - 6] ^ 4);  // in the stored checksum
    compareError(open(dataOf("tar", file(flipped, "bad.tar.gz"))).error(), ErrorCode::Data, {"bad.tar.gz", "cannot be unpacked", "data check"});
    const auto held = HeldBytes(packed, "big.tar.gz");
    compareError(unpack(held, 5000, "unpack it").error(), ErrorCode::Data, {"big.tar.gz", "more than 4.9 KiB", "unpack it"});
    for (const char* name : {"gnu.tar.xz", "pax.tar.bz2"}) {
      std::string bytes = *readFile(kGolden / name);
      bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 16);
      compareError(open(dataOf("tar", file(bytes, name))).error(), ErrorCode::Data, {name});
    }
  }

  // libarchive would let a flipped bit of a .gz pass.
  void gzipChecksums() {
    const std::string packed = *readFile(kGolden / "ustar.tar.gz");
    const auto whole = readPlainOrGz(file(packed, "a.gz"));
    TRAINYARD_VERIFY(whole);
    const auto doubled = readPlainOrGz(file(packed + packed + std::string(100, '\0'), "two members.gz"));
    TRAINYARD_VERIFY(doubled);
    QCOMPARE(doubled->size(), 2 * whole->size());
    QVERIFY(!readPlainOrGz(file(packed + "rubbish", "trailing.gz")));
    for (size_t at = 10; at < packed.size(); ++at) {
      std::string flipped = packed;
      flipped[at] = static_cast<char>(flipped[at] ^ 1 << at % 8);
      const auto bytes = readPlainOrGz(file(flipped, "b.gz"));
      QVERIFY2(!bytes || *bytes == *whole, qPrintable(QString::number(at)));  // equal: a name in the header
    }
  }

  void damagedZips_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char* name, const std::string& bytes, const QStringList& said) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << said;
    };
    const std::string whole = zipOf({{"a/1.png", dot(1)}, {"b/1.png", dot(2)}});
    row("empty", "", {"not a zip"});
    row("text", std::string(2000, 'x'), {"not a zip"});
    row("cut", whole.substr(0, whole.size() / 2), {"not a zip"});
    row("encrypted", zipOf({{"a/1.png", dot(1)}, {"b/1.png", dot(2), 0, 1}}), {"b/1.png", "encrypted", "password"});
    row("an odd method", zipOf({{"a/1.png", dot(1)}, {"b/1.png", dot(2), 6}}), {"b/1.png", "number 6"});
    row("a path upwards", zipOf({{"a/1.png", dot(1)}, {"../b.png", dot(2)}}), {"leaves the archive", "../b.png"});
    row("a path upwards for Windows", zipOf({{"a/1.png", dot(1)}, {"..\\b.png", dot(2)}}), {"leaves the archive", "../b.png"});
    row("an absolute path", zipOf({{"a/1.png", dot(1)}, {"/b/1.png", dot(2)}}), {"leaves the archive", "/b/1.png"});
    row("twice the same", zipOf({{"a/1.png", dot(1)}, {"./a/1.png", dot(2)}}), {"a/1.png twice", "entries 0 and 1"});
    row("a bomb", zipOf({{"a/1.png", dot(1)}, {"b/1.png", dot(2), 8, 0, int64_t{1} << 31}}), {"b/1.png", "2,147,483,648 bytes cannot come of"});
  }

  void damagedZips() {
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, said);
    const auto dataset = open(dataOf("zip", file(bytes.toStdString(), "bad.zip")));
    QVERIFY(!dataset);
    compareError(dataset.error(), ErrorCode::Data, said << "bad.zip");
  }

  void aDamagedZipEntryIsNamed() {
    std::string bytes = zipOf({{"a/1.png", dot(1)}, {"b/1.png", dot(2)}});
    bytes[30 + 7 + 20] = static_cast<char>(bytes[30 + 7 + 20] ^ 1);
    const auto dataset = open(dataOf("zip", file(bytes, "bad.zip")));
    TRAINYARD_VERIFY(dataset);
    compareError((*dataset)->picture(0).error(), ErrorCode::Data, {"bad.zip", "a/1.png", "CRC"});
    TRAINYARD_VERIFY((*dataset)->picture(1));
  }

  void filesThatVanishOrChange() {
    for (const std::string format : {"tar", "zip"}) {
      const std::string bytes = format == "tar" ? smallTar() : zipOf({{"a/1.png", dot(1)}, {"b/1.png", dot(2)}});
      const fs::path path = file(bytes, "x." + format);
      const auto dataset = open(dataOf(format, path));
      TRAINYARD_VERIFY(dataset);
      TRAINYARD_VERIFY((*dataset)->picture(0));
      write(path, bytes.substr(0, bytes.size() / 2));
      compareError((*dataset)->picture(0).error(), ErrorCode::Data, {"x." + QString::fromStdString(format), "a/1.png", "changed since it was opened"});
      fs::remove(path);
      compareError((*dataset)->picture(1).error(), ErrorCode::Data, {"x." + QString::fromStdString(format), "b/1.png", "cannot open"});
    }
  }

  void wrongPaths() {
    const fs::path folder = pathOf(temporary_.path());
    for (const std::string format : {"tar", "zip"}) {
      compareError(open(dataOf(format, folder / "nowhere")).error(), ErrorCode::Data, {"nowhere", "no such file"});
      compareError(open(dataOf(format, folder)).error(), ErrorCode::Data, {"is not a file"});
    }
  }

  void fromManyThreads() {
    std::vector<ZipPart> parts;
    std::string tar;
    for (int i = 0; i < 200; ++i) {
      const std::string name = (i % 2 ? "a/" : "b/") + std::to_string(i) + ".png";
      parts.push_back({name, dot(i)});
      tar += tarEntry(name, dot(i));
    }
    for (const auto& [format, path] : {std::pair<std::string, fs::path>{"zip", file(zipOf(parts), "x.zip")}, {"tar", file(tar + tarEnd(), "x.tar")}}) {
      const auto dataset = open(dataOf(format, path));
      TRAINYARD_VERIFY(dataset);
      std::atomic<int> wrong = 0;
      {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 8; ++t) {
          threads.emplace_back([&] {
            for (uint64_t i = 0; i < (*dataset)->size(); ++i) {
              const int level = std::stoi(fs::path((*dataset)->name(i)).stem().string());
              if ((*dataset)->fileBytes(i).value_or("") != dot(level)) ++wrong;
            }
          });
        }
      }
      QCOMPARE(wrong.load(), 0);
    }
  }
};

QTEST_APPLESS_MAIN(TestArchives)
#include "tst_archives.moc"
