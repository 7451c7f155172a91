#include <QTemporaryDir>

#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

class TestImageFolder : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;

  // A new folder with these files; those that end in "/" are empty folders, those that are not pictures hold text.
  fs::path folderWith(const QStringList& files) {
    const fs::path root = pathOf(temporary_.path()) / std::to_string(count_++);
    fs::create_directories(root);
    for (const QString& file : files) {
      const fs::path path = root / file.toStdString();
      if (file.endsWith('/'))
        fs::create_directories(path);
      else
        write(path, looksLikeImage(path) ? png(2, 2, {9, 8, 7}) : "text");
    }
    return root;
  }

  // "file=label part" in order.
  static QStringList listing(const Dataset& dataset) {
    QStringList lines;
    const char* parts[] = {"", " train", " validation", " test"};
    for (uint64_t i = 0; i < dataset.size(); ++i)
      lines << QString("%1=%2%3").arg(QString::fromStdString(dataset.name(i))).arg(dataset.label(i)).arg(parts[static_cast<int>(dataset.part(i))]);
    return lines;
  }

 private Q_SLOTS:
  void layouts_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QStringList>("classes");
    QTest::addColumn<QStringList>("samples");
    QTest::newRow("class folders, sorted") << QStringList{"roses/2.png", "roses/10.png", "Asters/x.jpg.png", "tulips/1.png"}
                                           << QStringList{"Asters", "roses", "tulips"}
                                           << QStringList{"Asters/x.jpg.png=0", "roses/10.png=1", "roses/2.png=1", "tulips/1.png=2"};
    QTest::newRow("hidden and other files are no pictures")
        << QStringList{"a/1.png",    "a/.hidden.png",    "a/._1.png", "a/.DS_Store", "a/Thumbs.db", "a/notes.txt",
                       ".git/x.png", "__MACOSX/a/1.png", "b/1.png",   "readme.md",   "loose.png"}
        << QStringList{"a", "b"} << QStringList{"a/1.png=0", "b/1.png=1"};
    QTest::newRow("nested folders count to the class") << QStringList{"a/2020/1.png", "a/2020/jan/1.png", "a/z.png", "b/1.png"} << QStringList{"a", "b"}
                                                       << QStringList{"a/2020/1.png=0", "a/2020/jan/1.png=0", "a/z.png=0", "b/1.png=1"};
    QTest::newRow("train and val; c keeps index 2") << QStringList{"train/a/1.png", "train/b/1.png", "train/c/1.png", "val/a/2.png", "val/c/2.png"}
                                                    << QStringList{"a", "b", "c"}
                                                    << QStringList{"train/a/1.png=0 train", "train/b/1.png=1 train", "train/c/1.png=2 train",
                                                                   "val/a/2.png=0 validation", "val/c/2.png=2 validation"};
    for (const char* name : {"valid", "validation", "Val"}) {
      QTest::addRow("called %s", name) << QStringList{"train/a/1.png", QString("%1/a/2.png").arg(name), "test/q/1.png"} << QStringList{"a"}
                                       << QStringList{"train/a/1.png=0 train", QString("%1/a/2.png=0 validation").arg(name)};
    }
    QTest::newRow("train alone") << QStringList{"train/a/1.png", "train/b/1.png"} << QStringList{"a", "b"}
                                 << QStringList{"train/a/1.png=0 train", "train/b/1.png=1 train"};
    QTest::newRow("a class called train") << QStringList{"car/1.png", "plane/1.png", "train/1.png"} << QStringList{"car", "plane", "train"}
                                          << QStringList{"car/1.png=0", "plane/1.png=1", "train/1.png=2"};
    QTest::newRow("an empty validation class is no class") << QStringList{"train/a/1.png", "train/b/1.png", "val/a/1.png", "val/b/"} << QStringList{"a", "b"}
                                                           << QStringList{"train/a/1.png=0 train", "train/b/1.png=1 train", "val/a/1.png=0 validation"};
    QTest::newRow("a test part") << QStringList{"train/a/1.png", "train/b/1.png", "test/b/2.png"} << QStringList{"a", "b"}
                                 << QStringList{"train/a/1.png=0 train", "train/b/1.png=1 train", "test/b/2.png=1 test"};
    QTest::newRow("test pictures without classes are passed over") << QStringList{"train/a/1.png", "train/b/1.png", "test/1.png", "test/unknown/2.png"}
                                                                   << QStringList{"a", "b"} << QStringList{"train/a/1.png=0 train", "train/b/1.png=1 train"};
    QTest::newRow("numbers map by name") << QStringList{"10/1.png", "2/1.png", "1/1.png"} << QStringList{"1", "10", "2"}
                                         << QStringList{"1/1.png=0", "10/1.png=1", "2/1.png=2"};
    QTest::newRow("any name") << QStringList{"été ñ/図 1.png", "花/a\"b'.png"} << QStringList{"été ñ", "花"}
                              << QStringList{"été ñ/図 1.png=0", "花/a\"b'.png=1"};
  }

  void layouts() {
    QFETCH(QStringList, files);
    QFETCH(QStringList, classes);
    QFETCH(QStringList, samples);
    const auto dataset = open(dataOf("image-folder", folderWith(files)));
    TRAINYARD_VERIFY(dataset);
    QStringList names;
    for (const auto& name : (*dataset)->classes()) names << QString::fromStdString(name);
    QCOMPARE(names, classes);
    QCOMPARE(listing(**dataset), samples);
    QVERIFY(!(*dataset)->inMemory());
    for (uint64_t i = 0; i < (*dataset)->size(); ++i) {
      const auto picture = (*dataset)->picture(i);
      TRAINYARD_VERIFY(picture);
      QCOMPARE(hexOf(*picture), QByteArray("090807").repeated(4));
    }
  }

  void refused_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QStringList>("said");
    QTest::newRow("empty") << QStringList{} << QStringList{"no class folders"};
    QTest::newRow("pictures without classes") << QStringList{"1.png", "2.png"} << QStringList{"no class folders", "folder of its own"};
    QTest::newRow("a class without pictures") << QStringList{"cats/1.png", "dogs/notes.txt"} << QStringList{"dogs", "no picture"};
    QTest::newRow("an empty class") << QStringList{"cats/1.png", "dogs/"} << QStringList{"dogs", "no picture"};
    QTest::newRow("train without classes") << QStringList{"train/1.png", "val/a/1.png"} << QStringList{"train", "no class folders"};
    QTest::newRow("validation without classes") << QStringList{"train/a/1.png", "val/"} << QStringList{"val", "no class folders"};
    QTest::newRow("a class only in validation") << QStringList{"train/roses/1.png", "val/rosse/1.png"} << QStringList{"rosse", "did you mean \"roses\"?"};
    QTest::newRow("a class only in the test part") << QStringList{"train/roses/1.png", "test/roses/1.png", "test/rosse/1.png"}
                                                   << QStringList{"rosse", "the test part", "did you mean \"roses\"?"};
    QTest::newRow("two validation folders") << QStringList{"train/a/1.png", "val/a/1.png", "valid/a/1.png"}
                                            << QStringList{"two validation folders", "val", "valid"};
  }

  void refused() {
    QFETCH(QStringList, files);
    QFETCH(QStringList, said);
    const auto dataset = open(dataOf("image-folder", folderWith(files)));
    QVERIFY(!dataset);
    compareError(dataset.error(), ErrorCode::Data, said);
  }

  void missingFolderAndFile() {
    const fs::path root = folderWith({"file.txt"});
    compareError(open(dataOf("image-folder", root / "nowhere")).error(), ErrorCode::Data, {"nowhere", "no such folder"});
    compareError(open(dataOf("image-folder", root / "file.txt")).error(), ErrorCode::Data, {"file.txt", "not a folder"});
  }

  void unreadablePicturesAreNamed() {
    const fs::path root = folderWith({"a/1.png"});
    write(root / "a/2.jpg", "");
    write(root / "a/3.jpg", "words");
    fs::create_symlink(root / "gone.png", root / "a/4.png");
    const auto dataset = open(dataOf("image-folder", root));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->size(), uint64_t{4});
    QVERIFY((*dataset)->picture(0).has_value());
    for (uint64_t i = 1; i < 4; ++i) {
      const auto picture = (*dataset)->picture(i);
      QVERIFY(!picture);
      compareError(picture.error(), ErrorCode::Data, {QString::fromStdString((*dataset)->name(i))});
    }
  }

  // The files behind the samples, for the scan and for decoding no more than a crop needs.
  void files() {
    const fs::path root = folderWith({"数据/été ñ/図 1.png", "数据/b/1.png"}) / "数据";
    const auto dataset = open(dataOf("image-folder", root));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->name(1), std::string("été ñ/図 1.png"));
    QCOMPARE((*dataset)->file(1), root / "été ñ/図 1.png");
    QCOMPARE(*(*dataset)->fileBytes(1), *readFile(root / "été ñ/図 1.png"));
    QCOMPARE((*dataset)->stamp(1).bytes, uint64_t{fs::file_size(root / "été ñ/図 1.png")});
    QVERIFY((*dataset)->stamp(1).modified_ns > 0);
    const auto source = (*dataset)->source(1);
    TRAINYARD_VERIFY(source);
    QCOMPARE((*source)->width(), 2);
    QCOMPARE(hexOf(*(*source)->all()), QByteArray("090807").repeated(4));
    fs::remove(root / "b/1.png");
    QVERIFY((*dataset)->stamp(0) == Dataset::Stamp());
    compareError((*dataset)->source(0).error(), ErrorCode::Data, {"b/1.png"});
    compareError((*dataset)->fileBytes(0).error(), ErrorCode::Data, {"b/1.png"});
  }

  void decodedAsTheRecipeSays() {
    const fs::path root = folderWith({"a/1.png", "b/1.png"});
    recipe::Data data = dataOf("image-folder", root);
    data.channels = 1;
    QCOMPARE((*open(data))->picture(0)->channels(), 1);
    data.max_megapixels = 0.000003;  // of four pixels
    compareError((*open(data))->picture(0).error(), ErrorCode::Data, {"a/1.png"});
  }

  void leftOut() {
    const fs::path root = folderWith({"train/a/1.png", "train/b/1.png", "train/b/2.png", "train/c/1.png", "val/b/3.png", "val/c/4.png"});
    recipe::Data data = dataOf("image-folder", root);
    data.exclude = {"train/b/2.png", "val/gone.png"};
    auto dataset = open(data);
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(listing(**dataset),
             (QStringList{"train/a/1.png=0 train", "train/b/1.png=1 train", "train/c/1.png=2 train", "val/b/3.png=1 validation", "val/c/4.png=2 validation"}));
    data.exclude_classes = {"b"};
    dataset = open(data);
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->classes(), (std::vector<std::string>{"a", "c"}));
    QCOMPARE(listing(**dataset), (QStringList{"train/a/1.png=0 train", "train/c/1.png=1 train", "val/c/4.png=1 validation"}));
    QCOMPARE((*dataset)->file(2), root / "val/c/4.png");
    data.exclude_classes = {"bb"};
    compareError(open(data).error(), ErrorCode::Recipe, {"\"bb\"", "data.exclude_classes", "3 classes"});
    data.exclude_classes = {"a", "b", "c"};
    compareError(open(data).error(), ErrorCode::Data, {"nothing remains"});
    for (const char* name : {"train/a/1.png", "train/b/2.png", "val/b/3.png"}) QVERIFY(fs::exists(root / name));
  }

  // An empty class folder is named; left out, there is one class less, and the others move up.
  void emptyClassLeftOut() {
    const fs::path root = folderWith({"a/1.png", "b/", "c/1.png"});
    recipe::Data data = dataOf("image-folder", root);
    compareError(open(data).error(), ErrorCode::Data, {"/b", "no picture", "data.exclude_classes"});
    data.exclude_classes = {"b"};
    const auto dataset = open(data);
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->classes(), (std::vector<std::string>{"a", "c"}));
    QCOMPARE(listing(**dataset), (QStringList{"a/1.png=0", "c/1.png=1"}));
    QVERIFY(classMap(**dataset) == (Json{{"a", 0}, {"c", 1}}));
  }

  void orderForPeople() {
    const std::vector<std::string> classes = {"1", "10", "2", "Class 9", "a", "class 10", "007", "b"};
    std::vector<std::string> shown;
    for (const size_t index : displayOrder(classes)) shown.push_back(classes[index]);
    QCOMPARE(shown, (std::vector<std::string>{"1", "2", "007", "10", "a", "b", "Class 9", "class 10"}));
  }

  void lostLinks() {
    const fs::path root = folderWith({"a/1.png", "b/1.png"});
    fs::create_symlink(root / "nowhere.txt", root / "notes.txt");
    TRAINYARD_VERIFY(open(dataOf("image-folder", root)));
    fs::create_directory_symlink("/nowhere/dogs", root / "dogs");
    compareError(open(dataOf("image-folder", root)).error(), ErrorCode::Data, {"/dogs", "leads nowhere", "/nowhere/dogs"});
  }

  void unreadableFolder() {
    const fs::path root = folderWith({"a/1.png", "b/1.png"});
    fs::permissions(root / "b", fs::perms::none);
    const auto dataset = open(dataOf("image-folder", root));
    fs::permissions(root / "b", fs::perms::owner_all);
    if (dataset) QSKIP("this user reads everything");
    compareError(dataset.error(), ErrorCode::Data, {"/b", "cannot be read"});
  }

  void circles() {
    const fs::path root = folderWith({"a/1.png", "b/1.png"});
    fs::create_directory_symlink(root, root / "a/round");
    fs::create_directory_symlink(root / "a/self", root / "a/self");  // a link to itself
    const auto dataset = open(dataOf("image-folder", root));
    if (!dataset) return compareError(dataset.error(), ErrorCode::Data, {"/a/self"});
    QVERIFY((*dataset)->size() < 10);
  }

  void linkedFolders() {
    const fs::path root = folderWith({"a/1.png", "b/1.png"});
    fs::create_directory_symlink(root / "a", root / "b/linked");
    fs::create_directory_symlink(root / "b", root / "b/itself");
    const auto dataset = open(dataOf("image-folder", root));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(listing(**dataset), (QStringList{"a/1.png=0", "b/1.png=1", "b/linked/1.png=1"}));
  }
};

QTEST_APPLESS_MAIN(TestImageFolder)
#include "tst_image_folder.moc"
