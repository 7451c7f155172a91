#include <QTemporaryDir>

#include "core/data/scan.h"
#include "core/data/split.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

recipe::Data textData(const fs::path& path, int context, Json validation = 0) {
  recipe::Data data = dataOf("text", path, std::move(validation));
  data.format.params["context"] = context;
  return data;
}

// Numbered lines of 8 bytes, all different.
std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += QString("%1\n").arg(i, 7, 10, QChar('0')).toStdString();
  return text;
}

std::vector<std::string> windowsOf(const Dataset& dataset, const std::vector<uint64_t>& samples) {
  std::vector<std::string> windows;
  for (const uint64_t sample : samples) windows.push_back(*dataset.fileBytes(sample));
  return windows;
}

}  // namespace

// Texts, cut into windows of tokens.
class TestText : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyByteButTheFirstIsPredictedOnce() {
    QTemporaryDir temporary;
    const fs::path file = pathOf(temporary.path()) / "a.txt";
    write(file, "abcdefghijk");  // and what is left over is too short
    const auto dataset = open(textData(file, 4));
    TRAINYARD_VERIFY(dataset);
    QVERIFY((*dataset)->task() == Task::Tokens);
    QCOMPARE((*dataset)->size(), uint64_t{2});
    QCOMPARE(windowsOf(**dataset, {0, 1}), (std::vector<std::string>{"abcde", "efghi"}));
    QCOMPARE((*dataset)->name(1), std::string("a.txt 4"));
    QCOMPARE((*dataset)->classes().size(), size_t{256});
    QCOMPARE((*dataset)->classes()[static_cast<size_t>('a')], std::string("a"));
    QCOMPARE((*dataset)->classes()[10], std::string("0x0A"));
    QVERIFY(!(*dataset)->picture(0));
  }

  void filesOfAFolderFollowEachOther() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    write(root / "b/2.TXT",
          "\xEF\xBB\xBF"
          "def");  // with a byte order mark
    write(root / "a.txt", "abc");
    write(root / "empty.txt", "");
    write(root / "c.md", "not this one");
    const auto dataset = open(textData(root, 3));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(windowsOf(**dataset, {0, 1}), (std::vector<std::string>{"abc\n", "\ndef"}));
    QCOMPARE((*dataset)->name(0), std::string("a.txt 0"));
  }

  void theEndIsHeldOut() {
    QTemporaryDir temporary;
    const fs::path file = pathOf(temporary.path()) / "a.txt";
    write(file, lines(100) + "x");
    recipe::Data data = textData(file, 8, 0.2);
    data.test = 0.1;
    const auto opened = openWithSplit(data, 1);
    TRAINYARD_VERIFY(opened);
    const auto& [train, validation, test] = opened->parts;
    QCOMPARE(train.size(), size_t{70});
    QCOMPARE(validation.size(), size_t{20});
    QCOMPARE(test.size(), size_t{10});
    QCOMPARE(train.back() + 1, validation.front());
    QCOMPARE(validation.back() + 1, test.front());
    QCOMPARE(test.back(), uint64_t{99});
    data.group = "folder";
    compareError(openWithSplit(data, 1).error(), ErrorCode::Recipe, {"data.group", "folder"});
    compareError(openWithSplit(textData(file, 500, 0.5), 1).error(), ErrorCode::Data, {"too few windows", "data.validation", "data.context"});
  }

  // What is set aside stays so when text is added.
  void aSettledTestPartStays() {
    QTemporaryDir temporary;
    const fs::path file = pathOf(temporary.path()) / "a.txt";
    write(file, lines(20) + "0");
    recipe::Data data = textData(file, 8, 0.1);
    data.test = 0.1;
    const auto before = openWithSplit(data, 1);
    TRAINYARD_VERIFY(before);
    std::vector<std::string> names;
    for (const uint64_t sample : before->parts.test) names.push_back(before->dataset->name(sample));
    const auto windows = windowsOf(*before->dataset, before->parts.test);
    write(file, lines(40) + "0");
    const auto after = openWithSplit(data, 1, &names);
    TRAINYARD_VERIFY(after);
    QCOMPARE(windowsOf(*after->dataset, after->parts.test), windows);
    QCOMPARE(after->parts.validation, (std::vector<uint64_t>{36, 37, 38, 39}));
    QCOMPARE(after->parts.train.size(), size_t{34});
  }

  void anotherTextIsHeldOut() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    write(root / "train.txt", "abcdefghi");
    write(root / "check.txt", "xyzxyz");
    const auto opened = openWithSplit(textData(root / "train.txt", 4, displayPath(root / "check.txt")), 1);
    TRAINYARD_VERIFY(opened);
    QVERIFY(opened->dataset->task() == Task::Tokens);
    QCOMPARE(windowsOf(*opened->dataset, opened->parts.train), (std::vector<std::string>{"abcde", "efghi"}));
    QCOMPARE(windowsOf(*opened->dataset, opened->parts.validation), (std::vector<std::string>{"xyzxy"}));
  }

  void windowsCanBeLeftOut() {
    QTemporaryDir temporary;
    const fs::path file = pathOf(temporary.path()) / "a.txt";
    write(file, "abcdefghi");
    recipe::Data data = textData(file, 4);
    data.exclude = {"a.txt 0"};
    const auto dataset = open(data);
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(windowsOf(**dataset, {0}), (std::vector<std::string>{"efghi"}));
    data.exclude_classes = {"a"};
    compareError(open(data).error(), ErrorCode::Recipe, {"data.exclude_classes", "text"});
  }

  void badTexts_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("parts");
    QTest::newRow("empty") << QByteArray() << QStringList{"a.txt", "empty"};
    QTest::newRow("too short") << QByteArray("abcd") << QStringList{"a.txt", "too short", "4 bytes", "takes 5", "data.context"};
    QTest::newRow("Latin-1") << QByteArray("caf\xE9 au lait") << QStringList{"a.txt", "not UTF-8 at byte 3"};
    QTest::newRow("cut short") << QByteArray("abcdef\xE2\x82") << QStringList{"at byte 6"};
    QTest::newRow("overlong") << QByteArray("ab\xC0\xAF") << QStringList{"at byte 2"};
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QStringList{"at byte 0"};
    QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80") << QStringList{"at byte 0"};
    QTest::newRow("stray continuation") << QByteArray("a\x80") << QStringList{"at byte 1"};
    QTest::newRow("UTF-16") << QByteArray(
                                   "\xFF\xFE"
                                   "a\0b\0c\0",
                                   8)
                            << QStringList{"at byte 0", "UTF-16"};
  }
  void badTexts() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, parts);
    QTemporaryDir temporary;
    const fs::path file = pathOf(temporary.path()) / "a.txt";
    write(file, text.toStdString());
    compareError(open(textData(file, 4)).error(), ErrorCode::Data, parts);
  }

  void goodUtf8() {
    QTemporaryDir temporary;
    const fs::path file = pathOf(temporary.path()) / "a.txt";
    write(file, "\x7F \xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF");
    TRAINYARD_VERIFY(open(textData(file, 4)));
  }

  void missingTexts() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    compareError(open(textData(root / "nowhere", 4)).error(), ErrorCode::Data, {"nowhere"});
    compareError(open(textData(root, 4)).error(), ErrorCode::Data, {".txt"});
  }

  void aTextIsGuessed() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    write(root / "a.txt", "abc");
    QCOMPARE(guessFormat(root / "a.txt"), std::string("text"));
    QCOMPARE(guessFormat(root), std::string("text"));
    write(root / "cats/1.png", png(1, 1, {1, 2, 3}));
    QCOMPARE(guessFormat(root), std::string("image-folder"));  // a note beside pictures
    const recipe::Checked draft = recipe::check(recipe::draftFor(root / "a.txt", "text"));
    QVERIFY(draft.problems.empty());
    QVERIFY(draft.document.at("model").at("arch") == Json("gpt") && draft.document.at("data").at("format") == Json("text"));
  }

  void repeatedWindowsAreFound() {
    QTemporaryDir temporary;
    const fs::path file = pathOf(temporary.path()) / "a.txt";
    const std::string text = lines(10);
    write(file, text + text + "0");
    const auto report = scan(textData(file, 8, 0.2), 1);
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->samples, uint64_t{20});
    QCOMPARE(report->bytes, uint64_t{160});
    QVERIFY(report->classes.empty());
    QCOMPARE(report->findings.size(), size_t{2});
    QCOMPARE(report->findings[0].code, std::string("leak"));
    QCOMPARE(report->findings[0].files.size() + 1, size_t{4});
    QCOMPARE(report->findings[1].code, std::string("duplicate"));
    QCOMPARE(report->findings[1].files.size() + 1, size_t{6});
  }
};

QTEST_APPLESS_MAIN(TestText)
#include "tst_text.moc"
