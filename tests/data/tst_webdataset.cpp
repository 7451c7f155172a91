#include <QTemporaryDir>

#include "tests/data/archives.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

class TestWebDataset : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;

  static std::string dot(int level) { return png(2, 2, cv::Vec3b(static_cast<uchar>(level), 0, 0)); }

  // A folder with these shards; each a list of names and contents.
  using Files = std::vector<std::pair<std::string, std::string>>;
  fs::path shards(const std::vector<std::pair<std::string, Files>>& shards) {
    const fs::path root = pathOf(temporary_.path()) / std::to_string(count_++);
    fs::create_directories(root);
    for (const auto& [name, files] : shards) {
      std::string tar;
      for (const auto& [file, content] : files) tar += tarEntry(file, content);
      write(root / name, tar + tarEnd());
    }
    return root;
  }

  static recipe::Data withKey(const fs::path& path, const std::string& key) {
    recipe::Data data = dataOf("webdataset", path);
    data.format.params["label_key"] = key;
    return data;
  }

 private Q_SLOTS:
  void numbers() {
    const fs::path root =
        shards({{"a-000000.tar", {{"0001.png", dot(1)}, {"0001.cls", "0\n"}, {"x/0002.cls", " 2"}, {"x/0002.PNG", dot(2)}, {"0003.txt", "a caption"}}},
                {"a-000001.tar", {{"0001.seg.png", dot(9)}, {"0001.cls", "1"}, {"0001.png", dot(3)}, {"._0001.png", "junk"}}},
                {"readme.txt", {}}});
    QCOMPARE(guessFormat(root), std::string("webdataset"));
    const auto dataset = open(dataOf("webdataset", root));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(contentsOf(**dataset), (QStringList{"a-000000.tar/0001.png=0 1 0 0", "a-000000.tar/x/0002.PNG=2 2 0 0", "a-000001.tar/0001.png=1 3 0 0"}));
    QCOMPARE(classesOf(**dataset), (QStringList{"0", "1", "2"}));
    QCOMPARE((*dataset)->fileBytes(2).value_or(""), dot(3));
    QCOMPARE((*dataset)->stamp(2).bytes, dot(3).size());
    write(root / "classes.txt", "ant\nbee\ncrane\ncrane\n");
    const auto named = open(dataOf("webdataset", root));
    TRAINYARD_VERIFY(named);
    QCOMPARE(classesOf(**named), (QStringList{"ant", "bee", "crane (2)", "crane (3)"}));
    write(root / "classes.txt", "ant\nbee\n");
    compareError(open(dataOf("webdataset", root)).error(), ErrorCode::Data, {"classes.txt", "2 classes", "a-000000.tar/x/0002", "label 2"});
  }

  void oneShard() {
    const fs::path tar =
        shards({{"train.tar", {{"1.png", dot(1)}, {"1.json", R"({"cls": 1, "width": 2})"}, {"2.png", dot(2)}, {"2.json", R"({"label": 2, "cls": 7})"}}}}) /
        "train.tar";
    QCOMPARE(guessFormat(tar), std::string("webdataset"));
    const auto dataset = open(dataOf("webdataset", tar));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(contentsOf(**dataset), (QStringList{"train.tar/1.png=0 1 0 0", "train.tar/2.png=1 2 0 0"}));
    QCOMPARE(classesOf(**dataset), (QStringList{"1", "2"}));  // counted from 1: there is no class 0
  }

  void names() {
    const fs::path root =
        shards({{"s.tar", {{"1.png", dot(1)}, {"1.json", R"({"species": "wasp"})"}, {"2.png", dot(2)}, {"2.json", R"({"species": "ant"})"}}}});
    const auto dataset = open(withKey(root, "species"));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(contentsOf(**dataset), (QStringList{"s.tar/1.png=1 1 0 0", "s.tar/2.png=0 2 0 0"}));
    QCOMPARE(classesOf(**dataset), (QStringList{"ant", "wasp"}));
    compareError(open(withKey(root, "spezies")).error(), ErrorCode::Data, {"s.tar", "sample 1", "\"spezies\"", "did you mean data.label_key = \"species\"?"});
    compareError(open(dataOf("webdataset", root)).error(), ErrorCode::Data, {"no \"label\""});
  }

  void partsByName() {
    const Files one{{"1.png", dot(1)}, {"1.cls", "0"}}, two{{"1.png", dot(2)}, {"1.cls", "1"}};
    const auto dataset =
        open(dataOf("webdataset", shards({{"birds-train-00.tar", one}, {"birds-train-01.tar", two}, {"birds-val-00.tar", one}, {"birds-test-00.tar", two}})));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(contentsOf(**dataset), (QStringList{"birds-test-00.tar/1.png=1 test 2 0 0", "birds-train-00.tar/1.png=0 train 1 0 0",
                                                 "birds-train-01.tar/1.png=1 train 2 0 0", "birds-val-00.tar/1.png=0 validation 1 0 0"}));
    const fs::path folders = shards({{"train/0.tar", one}, {"train/1.tar", two}, {"val/0.tar", one}});
    QCOMPARE(guessFormat(folders), std::string("webdataset"));
    const auto below = open(dataOf("webdataset", folders));
    TRAINYARD_VERIFY(below);
    QCOMPARE(contentsOf(**below), (QStringList{"train/0.tar/1.png=0 train 1 0 0", "train/1.tar/1.png=1 train 2 0 0", "val/0.tar/1.png=0 validation 1 0 0"}));
    const auto alone = open(dataOf("webdataset", shards({{"val-00.tar", one}, {"val-01.tar", two}})));
    TRAINYARD_VERIFY(alone);
    QVERIFY((*alone)->part(0) == Part::Unassigned);
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("label");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QStringList>("said");
    QTest::newRow("no label") << QByteArray("x") << "txt" << QStringList{"no label", "bad.cls", "bad.json"};
    QTest::newRow("empty") << QByteArray() << "cls" << QStringList{"no whole number"};
    QTest::newRow("text") << QByteArray("cat") << "cls" << QStringList{"\"cat\"", "no whole number"};
    QTest::newRow("a fraction") << QByteArray("1.5") << "cls" << QStringList{"\"1.5\""};
    QTest::newRow("negative") << QByteArray("-1") << "cls" << QStringList{"label -1"};
    QTest::newRow("more digits than a number has") << QByteArray(30, '9') << "cls" << QStringList{"no whole number"};
    QTest::newRow("absurd") << QByteArray("1000000") << "cls" << QStringList{"label 1000000", "999,999"};
    QTest::newRow("absurd in JSON") << QByteArray(R"({"label": 18446744073709551615})") << "json" << QStringList{"label 9223372036854775807"};
    QTest::newRow("no JSON") << QByteArray("{\"label\": 1") << "json" << QStringList{"no JSON object"};
    QTest::newRow("a JSON list") << QByteArray("[1]") << "json" << QStringList{"no JSON object"};
    QTest::newRow("deep JSON") << QByteArray(100000, '[') << "json" << QStringList{"no JSON object"};
    QTest::newRow("no key") << QByteArray("{\"klass\": 1}") << "json" << QStringList{"no \"label\"", "data.label_key"};
    QTest::newRow("a fraction in JSON") << QByteArray("{\"label\": 1.5}") << "json" << QStringList{"1.5", "whole number or a name"};
    QTest::newRow("a list in JSON") << QByteArray("{\"label\": [1, 2]}") << "json" << QStringList{"[1,2]"};
    QTest::newRow("a name among numbers") << QByteArray("{\"label\": \"cat\"}") << "json" << QStringList{"numbers or all names", "good"};
  }

  void refused() {
    QFETCH(QByteArray, label);
    QFETCH(QString, kind);
    QFETCH(QStringList, said);
    const fs::path root = shards(
        {{"s-0.tar", {{"good.png", dot(1)}, {"good.cls", "1"}}}, {"s-1.tar", {{"bad.png", dot(2)}, {"bad." + kind.toStdString(), label.toStdString()}}}});
    const auto dataset = open(dataOf("webdataset", root));
    QVERIFY(!dataset);
    compareError(dataset.error(), ErrorCode::Data,
                 said << "s-1.tar"
                      << "bad");
  }

  void refusedShards() {
    const Files good{{"1.png", dot(1)}, {"1.cls", "0"}};
    compareError(open(dataOf("webdataset", shards({{"s.tar", {{"1.png", dot(1)}, {"1.png.txt", ""}, {"1.jpg", dot(2)}, {"1.cls", "0"}}}}))).error(),
                 ErrorCode::Data, {"s.tar", "sample 1", "two of a kind", "1.png", "1.jpg"});
    compareError(open(dataOf("webdataset", shards({{"s.tar", {{"1.txt", "words"}}}}))).error(), ErrorCode::Data, {"no pictures", "class folders"});
    compareError(open(dataOf("webdataset", shards({{"notes.txt", {}}}))).error(), ErrorCode::Data, {"no tar shards"});
    compareError(open(dataOf("webdataset", "/nowhere/at/all")).error(), ErrorCode::Data, {"/nowhere/at/all", "no such folder"});
    const fs::path root = shards({{"s-0.tar", good}, {"s-1.tar", good}, {"s-2.tar", good}});
    write(root / "s-1.tar", readFile(root / "s-1.tar")->substr(0, 700));
    compareError(open(dataOf("webdataset", root)).error(), ErrorCode::Data, {"s-1.tar", "cut short"});
    write(root / "s-1.tar", std::string("\x1f\x8b", 2) + "rest");
    compareError(open(dataOf("webdataset", root)).error(), ErrorCode::Data, {"s-1.tar", "unpack it"});
  }

  // The first of several bad shards is named, whichever thread is quickest.
  void hundredsOfShards() {
    std::vector<std::pair<std::string, Files>> many;
    for (int i = 0; i < 300; ++i) {
      char name[20];
      std::snprintf(name, sizeof name, "s-%06d.tar", i);
      many.push_back({name, {{"1.png", dot(i)}, {"1.cls", std::to_string(i % 7)}, {"2.png", dot(i + 1)}, {"2.cls", std::to_string((i + 1) % 7)}}});
    }
    const fs::path root = shards(many);
    const auto dataset = open(dataOf("webdataset", root));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->size(), uint64_t{600});
    QCOMPARE((*dataset)->classes().size(), size_t{7});
    for (uint64_t i = 0; i < 600; ++i) {
      QCOMPARE((*dataset)->label(i), static_cast<int>((i / 2 + i % 2) % 7));
      QCOMPARE((*dataset)->fileBytes(i).value_or(""), dot(static_cast<int>(i / 2 + i % 2)));
    }
    write(root / "s-000150.tar", "");
    write(root / "s-000200.tar", "");
    for (int i = 0; i < 20; ++i) compareError(open(dataOf("webdataset", root)).error(), ErrorCode::Data, {"s-000150.tar"});
    fs::remove(root / "s-000007.tar");
    compareError((*dataset)->picture(14).error(), ErrorCode::Data, {"s-000007.tar/1.png"});
  }
};

QTEST_APPLESS_MAIN(TestWebDataset)
#include "tst_webdataset.moc"
