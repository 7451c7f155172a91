#include <QTemporaryDir>

#include "core/data/csv.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

class TestCsv : public QObject {
  Q_OBJECT

  static QString joined(const std::vector<std::string>& texts) {
    QStringList list;
    for (const auto& text : texts) list << QString::fromStdString(text);
    return list.join("|");
  }

  // "header/row/row", cells between "|".
  static QString shown(const Csv& csv) {
    QStringList lines{joined(csv.header())};
    for (size_t row = 0; row < csv.rows(); ++row) {
      std::vector<std::string> cells;
      for (size_t c = 0; c < csv.columns(); ++c) cells.emplace_back(csv.cell(row, c));
      lines << joined(cells);
    }
    return lines.join("/");
  }

 private Q_SLOTS:
  void reads_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("table");
    QTest::newRow("plain") << QByteArray("a,b\nx,y\nz,w\n") << "a|b/x|y/z|w";
    QTest::newRow("no newline at the end") << QByteArray("a,b\nx,y") << "a|b/x|y";
    QTest::newRow("Windows") << QByteArray(
                                    "\xef\xbb\xbf"
                                    "a,b\r\nx,y\r\n")
                             << "a|b/x|y";
    QTest::newRow("old Mac") << QByteArray("a,b\rx,y\r") << "a|b/x|y";
    QTest::newRow("quotes") << QByteArray("a,b\n\"x, \"\"q\"\"\ny\",z\n") << "a|b/x, \"q\"\ny|z";
    QTest::newRow("empty cells") << QByteArray("a,b,c\n,,\nx,,\"\"\n") << "a|b|c/||/x||";
    QTest::newRow("blanks round cells") << QByteArray("a, b\n x , \"y, z\" \n") << "a|b/x|y, z";
    QTest::newRow("blank lines") << QByteArray("\n\na,b\n\n  \nx,y\n\n") << "a|b/x|y";
    QTest::newRow("a quote inside a cell") << QByteArray("a,b\n5\" disk,y\n") << "a|b/5\" disk|y";
    QTest::newRow("semicolons") << QByteArray("a;b\n1,5;x\n") << "a|b/1,5|x";
    QTest::newRow("tabs") << QByteArray("a\tb\nx y\t\n") << "a|b/x y|";
    QTest::newRow("labels with another separator") << QByteArray("file,tags\nx.png,a;b\ny.png,c\n") << "file|tags/x.png|a;b/y.png|c";
    QTest::newRow("one column") << QByteArray("a\nx\n") << "a/x";
    QTest::newRow("numbers are no names") << QByteArray("5.1,setosa\n4.9,virginica\n") << "column 1|column 2/5.1|setosa/4.9|virginica";
    QTest::newRow("neither are pictures") << QByteArray("x.png,cat\n") << "column 1|column 2/x.png|cat";
    QTest::newRow("names that are empty or come twice") << QByteArray(",a,a,a\nx,y,z,w\n") << "column 1|a|a (2)|a (3)/x|y|z|w";
    QTest::newRow("any language") << QByteArray("文件,été\n図.png,ñ\n") << "文件|été/図.png|ñ";
  }

  void reads() {
    QFETCH(QByteArray, text);
    QFETCH(QString, table);
    const auto csv = parseCsv(text.toStdString(), "t.csv");
    TRAINYARD_VERIFY(csv);
    QCOMPARE(shown(*csv), table);
  }

  void linesAreThoseOfTheFile() {
    const auto csv = parseCsv("a,b\n\n\"x\ny\",1\r\n\r\nz,2\n", "t.csv");
    TRAINYARD_VERIFY(csv);
    QCOMPARE(csv->line(0), uint64_t{3});
    QCOMPARE(csv->line(1), uint64_t{6});
    QCOMPARE(csv->place(1), std::string("t.csv:6"));
  }

  void options() {
    CsvOptions options;
    options.header = CsvOptions::Header::No;
    QCOMPARE(shown(*parseCsv("a,b\nx,y\n", "t.csv", options)), QString("column 1|column 2/a|b/x|y"));
    options.header = CsvOptions::Header::Yes;
    options.delimiter = ';';
    QCOMPARE(shown(*parseCsv("1,5;2\nx;y\n", "t.csv", options)), QString("1,5|2/x|y"));
    recipe::Choice format{"table", {{"delimiter", "tab"}, {"header", "no"}}};
    QCOMPARE(csvOptions(format).delimiter, '\t');
    QVERIFY(csvOptions(format).header == CsvOptions::Header::No);
    QCOMPARE(csvOptions({}).delimiter, '\0');
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("said");
    QTest::newRow("empty") << QByteArray() << QStringList{"no row"};
    QTest::newRow("header alone") << QByteArray("a,b\n") << QStringList{"no row"};
    QTest::newRow("too few cells") << QByteArray("a,b\nx,y\nz\n") << QStringList{"t.csv:3", "1 value", "has 2"};
    QTest::newRow("too many cells") << QByteArray("a,b\n\nx,y,z\n") << QStringList{"t.csv:3", "3 values", "has 2"};
    QTest::newRow("open quote") << QByteArray("a,b\nx,y\n\"z,w\n\n\n") << QStringList{"t.csv:3", "never closed"};
    QTest::newRow("text behind a quote") << QByteArray("a,b\n\"x\"y,z\n") << QStringList{"t.csv:2", "behind a closing quote"};
    QTest::newRow("no UTF-8") << QByteArray("a,b\nx,\xe9t\xe9\n") << QStringList{"t.csv:2", "UTF-8"};
    QTest::newRow("UTF-16") << QByteArray(
                                   "\xff\xfe"
                                   "a\0,\0b\0",
                                   8)
                            << QStringList{"UTF-16"};
    QTest::newRow("zero bytes") << QByteArray("a,b\nx,\0\n", 8) << QStringList{"t.csv:2", "zero byte"};
    QTest::newRow("a picture") << QByteArray("\x89PNG\r\n") << QStringList{"t.csv:1", "UTF-8"};
    QTest::newRow("absurdly many columns") << QByteArray(100'001, ',') << QStringList{"t.csv:1", "100,000 columns"};
  }

  void refused() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, said);
    const auto csv = parseCsv(text.toStdString(), "t.csv");
    QVERIFY(!csv);
    compareError(csv.error(), ErrorCode::Data, said);
  }

  void columnsByName() {
    const auto csv = parseCsv("file,label\nx,y\n", "t.csv");
    QCOMPARE(*csv->column("label", "data.target"), size_t{1});
    compareError(csv->column("lable", "data.target").error(), ErrorCode::Data, {"\"lable\"", "data.target", "t.csv", "did you mean \"label\"?"});
    compareError(csv->column("price", "data.target").error(), ErrorCode::Data, {"its columns are file, label"});
  }

  void numbers_data() {
    QTest::addColumn<QString>("cell");
    QTest::addColumn<QString>("value");  // empty: none
    QTest::addColumn<QString>("with_semicolons");
    QTest::newRow("whole") << "42"
                           << "42"
                           << "42";
    QTest::newRow("signs") << "-1.5e-3"
                           << "-0.0015"
                           << "-0.0015";
    QTest::newRow("plus") << "+7"
                          << "7"
                          << "7";
    QTest::newRow("blanks") << " 7 "
                            << "7"
                            << "7";
    QTest::newRow("decimal comma") << "1,5"
                                   << ""
                                   << "1.5";
    QTest::newRow("thousands") << "1,234,567"
                               << ""
                               << "";
    for (const char* text : {"", "x", "1x", "0x10", "inf", "nan", "1e39", "1e999", "--1", "+-1", "1 2"})
      QTest::newRow(text) << text << ""
                          << "";
  }

  void numbers() {
    QFETCH(QString, cell);
    QFETCH(QString, value);
    QFETCH(QString, with_semicolons);
    for (const auto& [delimiter, expected] : {std::pair{',', value}, {';', with_semicolons}}) {
      const auto number = numberIn(cell.toStdString(), delimiter);
      QCOMPARE(number.has_value(), !expected.isEmpty());
      if (number) QCOMPARE(*number, expected.toDouble());
    }
  }

  void missing() {
    for (const char* text : {"", "?", "NA", "na", "N/A", "NaN", "nan", "null", "NULL"}) QVERIFY2(isMissing(text), text);
    for (const char* text : {"0", "none", "-", "nano", "x"}) QVERIFY2(!isMissing(text), text);
  }

  void fileInAFolder() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    compareError(csvFileOf(root / "nowhere.csv").error(), ErrorCode::Data, {"nowhere.csv", "no such file"});
    compareError(csvFileOf(root).error(), ErrorCode::Data, {"no CSV file"});
    write(root / "notes.txt", "x");
    QCOMPARE(*csvFileOf(root), root / "notes.txt");
    write(root / "Labels.CSV", "x");
    write(root / "._labels.csv", "x");
    QCOMPARE(*csvFileOf(root), root / "Labels.CSV");
    QCOMPARE(*csvFileOf(root / "notes.txt"), root / "notes.txt");
    write(root / "more.csv", "x");
    compareError(csvFileOf(root).error(), ErrorCode::Data, {"2 tables", "Labels.CSV", "more.csv"});
  }

  // Damage of any kind gives an error or a table, and never more cells than bytes.
  void damaged() {
    const std::string whole = "\"a\",b;c\tx\r\n1,\"2\n3\",\"4\"\"5\"\n,,\n";
    uint64_t state = 1;
    const auto next = [&] { return state = state * 6364136223846793005ULL + 1442695040888963407ULL, state >> 33; };
    for (int round = 0; round < 20000; ++round) {
      std::string text = whole;
      for (int change = 0; change < 3; ++change) {
        const size_t at = next() % (text.size() + 1);
        if (next() % 3 == 0)
          text.resize(at);
        else if (at < text.size())
          text[at] = "\",;\t\r\nab\0\xff"[next() % 10];
        if (text.empty()) break;
      }
      const auto csv = parseCsv(text, "t.csv");
      if (csv)
        QVERIFY(csv->rows() * csv->columns() <= text.size() + 1);
      else
        QVERIFY(!csv.error().what.empty() && !csv.error().where.empty() && !csv.error().hint.empty());
    }
  }
};

QTEST_APPLESS_MAIN(TestCsv)
#include "tst_csv.moc"
