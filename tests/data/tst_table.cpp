#include <QTemporaryDir>
#include <cmath>

#include "core/data/split.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

class TestTable : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;

  fs::path tableOf(const QByteArray& text) {
    const fs::path file = pathOf(temporary_.path()) / std::to_string(count_++) / "t.csv";
    write(file, text.toStdString());
    return file;
  }

  static recipe::Data dataWith(const fs::path& file, const QByteArray& params = "{}") {
    recipe::Data data = dataOf("table", file);
    data.format.params = Json::parse(params.toStdString());
    return data;
  }

  // "name" for numbers, "name{a,b}" for categories.
  static QString columnsOf(const Dataset& dataset) {
    QStringList columns;
    for (const Column& column : *dataset.columns()) {
      QStringList categories;
      for (const auto& category : column.categories) categories << QString::fromStdString(category);
      columns << QString::fromStdString(column.name) + (column.numeric() ? "" : "{" + categories.join(",") + "}");
    }
    return columns.join(" ");
  }

  static QString rowsOf(const Dataset& dataset) {
    QStringList rows;
    for (uint64_t i = 0; i < dataset.size(); ++i) {
      QStringList values;
      for (const float value : dataset.row(i)) values << (std::isnan(value) ? QString("-") : QString::number(value));
      rows << values.join(" ");
    }
    return rows.join("/");
  }

  // Rows "<i>,<text of i>,…": long enough for the limits that depend on the number of rows.
  template <class TextOf>
  static QByteArray longTable(const QByteArray& header, int rows, const TextOf& textOf) {
    QByteArray text = header + "\n";
    for (int i = 0; i < rows; ++i) text += textOf(i) + "\n";
    return text;
  }

 private Q_SLOTS:
  void columns_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QString>("columns");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("task");
    QTest::addColumn<int>("outputs");
    const QByteArray none = "{}";
    QTest::newRow("numbers and texts") << QByteArray("x,colour,label\n1.5,red,no\n-2,blue,yes\n") << none << "x colour{blue,red}"
                                       << "1.5 1/-2 0"
                                       << "classes" << 2;
    QTest::newRow("missing values") << QByteArray("x,colour,label\n?,red,no\n-2,NA,yes\nnan,,yes\n") << none << "x colour{red}"
                                    << "- 0/-2 -/- -"
                                    << "classes" << 2;
    QTest::newRow("the target in front") << QByteArray("label,x\nno,1\nyes,2\n") << QByteArray(R"({"target": "label"})") << "x"
                                         << "1/2"
                                         << "classes" << 2;
    QTest::newRow("ignored columns") << QByteArray("id,x,label\n17,1,no\n18,2,yes\n") << QByteArray(R"({"ignore": ["id"]})") << "x"
                                     << "1/2"
                                     << "classes" << 2;
    QTest::newRow("numbers that are names") << QByteArray("code,label\n10,no\n9,yes\n10,no\n") << QByteArray(R"({"categorical": ["code"]})") << "code{10,9}"
                                            << "0/1/0"
                                            << "classes" << 2;
    QTest::newRow("an empty column is no column") << QByteArray("x,gone,label,\n1,,no,\n2,,yes,\n") << QByteArray(R"({"target": "label"})") << "x"
                                                  << "1/2"
                                                  << "classes" << 2;
    QTest::newRow("numbers to predict") << QByteArray("x,price\n1,1.5\n2,3\n") << none << "x"
                                        << "1/2"
                                        << "numbers" << 1;
    QTest::newRow("whole numbers, few: classes") << QByteArray("x,label\n1,0\n2,1\n") << none << "x"
                                                 << "1/2"
                                                 << "classes" << 2;
    QTest::newRow("whole numbers to predict") << QByteArray("x,price\n1,100\n2,300\n") << QByteArray(R"({"task": "numbers"})") << "x"
                                              << "1/2"
                                              << "numbers" << 1;
    QTest::newRow("without names, semicolons") << QByteArray("1,5;2;no\n2,5;3;yes\n") << none << "column 1 column 2"
                                               << "1.5 2/2.5 3"
                                               << "classes" << 2;
    QTest::newRow("a mixed column is one of texts") << QByteArray("x,label\n1,no\ntwo,yes\n3,no\n") << none << "x{1,3,two}"
                                                    << "0/2/1"
                                                    << "classes" << 2;
  }

  void columns() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, params);
    QFETCH(QString, columns);
    QFETCH(QString, rows);
    QFETCH(QString, task);
    QFETCH(int, outputs);
    const auto dataset = open(dataWith(tableOf(text), params));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(columnsOf(**dataset), columns);
    QCOMPARE(rowsOf(**dataset), rows);
    QCOMPARE(QString::fromStdString(taskName((*dataset)->task())), task);
    QCOMPARE(static_cast<int>((*dataset)->classes().size()), outputs);
    QVERIFY((*dataset)->inMemory());
  }

  void manyWholeNumbersAreNumbers() {
    const auto table = [](int different) {
      return longTable("x,y", 3 * different, [&](int i) { return QByteArray::number(i) + "," + QByteArray::number(100 + i % different); });
    };
    QVERIFY((*open(dataWith(tableOf(table(20)))))->task() == Task::Classes);
    QVERIFY((*open(dataWith(tableOf(table(21)))))->task() == Task::Numbers);
  }

  void placesAndTargets() {
    const fs::path file = tableOf("x,price\n1,10.5\n\n2,11\n");
    const auto dataset = open(dataWith(file));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->name(1), std::string("line 4"));
    QCOMPARE((*dataset)->labelPlace(1), displayPath(file) + ":4");
    float price = 0;
    (*dataset)->target(1, {&price, 1});
    QCOMPARE(price, 11.0F);
    QVERIFY(!(*dataset)->picture(0) && !(*dataset)->source(0));
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QStringList>("said");
    const QByteArray none = "{}";
    const auto mostlyNumbers = [](int texts) {
      return longTable("x,y,label", 30, [&](int i) {
        return QByteArray::number(i) + "," + (i >= 7 && i < 7 + texts ? QByteArray("oops") : QByteArray::number(i % 5)) + (i % 2 ? ",a" : ",b");
      });
    };
    QTest::newRow("text in a number column") << mostlyNumbers(1) << none << QStringList{"t.csv:9", "\"oops\"", "\"y\"", "number column", "data.categorical"};
    QTest::newRow("text in a number column to predict")
        << longTable("x,y", 30, [](int i) { return QByteArray("1,") + (i == 4 ? "n.a." : QByteArray::number(i + 0.5)); }) << none
        << QStringList{"t.csv:6", "\"n.a.\"", "\"y\"", "task"};
    QTest::newRow("a text for each row") << longTable("name,label", 20, [](int i) { return "n" + QByteArray::number(i) + (i % 2 ? ",a" : ",b"); }) << none
                                         << QStringList{"t.csv", "\"name\"", "20 different texts in 20 rows", "ignore = [\"name\"]"};
    QTest::newRow("too many categories") << longTable("name,label", 2002, [](int i) { return "n" + QByteArray::number(i / 2) + (i % 2 ? ",a" : ",b"); }) << none
                                         << QStringList{"\"name\"", "1,001 different texts", "1,000"};
    QTest::newRow("no value to predict") << QByteArray("x,label\n1,a\n2,\n") << none << QStringList{"t.csv:3", "\"label\""};
    QTest::newRow("a label equal to the number of classes")
        << QByteArray("x,label\n1,0\n2,3\n") << QByteArray(R"({"classes": 3})") << QStringList{"t.csv:3", "\"3\"", "from 0 to 2"};
    QTest::newRow("an unknown target") << QByteArray("x,label\n1,a\n") << QByteArray(R"({"target": "lable"})")
                                       << QStringList{"\"lable\"", "data.target", "\"label\""};
    QTest::newRow("an unknown column to ignore") << QByteArray("x,label\n1,a\n") << QByteArray(R"({"ignore": ["y"]})") << QStringList{"\"y\"", "data.ignore"};
    QTest::newRow("nothing to learn from") << QByteArray("x,label\n1,a\n") << QByteArray(R"({"ignore": ["x"]})")
                                           << QStringList{"no column to learn from", "data.ignore"};
    QTest::newRow("ragged") << QByteArray("x,label\n1,a\n2\n") << none << QStringList{"t.csv:3", "1 value"};
  }

  void refused() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, params);
    QFETCH(QStringList, said);
    const auto dataset = open(dataWith(tableOf(text), params));
    QVERIFY(!dataset);
    compareError(dataset.error(), ErrorCode::Data, said);
  }

  // As many texts as a tenth of the numbers and more make a column of texts.
  void moreTextsAreNoMistake() {
    const auto text = longTable("x,label", 30, [](int i) { return (i < 4 ? QByteArray("oops") : QByteArray::number(i % 5)) + (i % 2 ? ",a" : ",b"); });
    const auto dataset = open(dataWith(tableOf(text)));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(columnsOf(**dataset), QString("x{0,1,2,3,4,oops}"));
  }

  void encoded() {
    const fs::path golden = fs::path(TEST_DATA_DIR) / "../golden";
    const Json values = Json::parse(*readFile(golden / "table.json"));
    const auto dataset = open(dataWith(golden / "table.csv"));
    TRAINYARD_VERIFY(dataset);
    const std::vector<uint64_t> train = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const auto encoder = TableEncoder::learn(**dataset, train);
    QCOMPARE(encoder.width(), values.at("encoded")[0].size());
    const auto again = TableEncoder::fromJson(Json::parse(compactJson(encoder.toJson())));
    TRAINYARD_VERIFY(again);
    QVERIFY(again->toJson() == encoder.toJson());
    for (const TableEncoder* one : {&encoder, &*again}) {
      std::vector<float> out(one->width(), 7);
      for (uint64_t i = 0; i < (*dataset)->size(); ++i) {
        TRAINYARD_VERIFY(one->encode((*dataset)->row(i), out));
        for (size_t c = 0; c < out.size(); ++c) {
          const double expected = values.at("encoded")[i][c];
          QVERIFY2(std::abs(out[c] - expected) <= 1e-6 * std::max(1.0, std::abs(expected)),
                   qPrintable(QString("row %1, %2: %3, not %4").arg(i).arg(c).arg(out[c]).arg(expected)));
        }
      }
    }
    QCOMPARE(encoder.names()[0], std::string("age"));
    QCOMPARE(encoder.names()[2], std::string("colour = Red"));
  }

  void encoderForAnotherTable() {
    const auto training = open(dataWith(tableOf("x,colour,label\n1,red,a\n3,blue,b\n")));
    const auto encoder = TableEncoder::learn(**training, std::vector<uint64_t>{0, 1});
    // Columns and categories in another order, a category that is new, a column that nobody asked for.
    const auto other = open(dataWith(tableOf("colour,more,x,label\ngreen,1,5,a\nred,2,1,a\n")));
    const auto bound = encoder.forTable(*(*other)->columns());
    TRAINYARD_VERIFY(bound);
    std::vector<float> out(3);
    TRAINYARD_VERIFY(bound->encode((*other)->row(0), out));
    QCOMPARE(out, (std::vector<float>{3, 0, 0}));
    TRAINYARD_VERIFY(bound->encode((*other)->row(1), out));
    QCOMPARE(out, (std::vector<float>{-1, 0, 1}));
    compareError(encoder.encode((*other)->row(0), out).error(), ErrorCode::Data, {"3 columns", "had 2"});
    const auto misspelt = open(dataWith(tableOf("X,color,label\n1,red,a\n")));
    compareError(encoder.forTable(*(*misspelt)->columns()).error(), ErrorCode::Data, {"\"x\"", "missing"});
    const auto kind = open(dataWith(tableOf("x,colour,label\n1,7,a\n")));
    compareError(encoder.forTable(*(*kind)->columns()).error(), ErrorCode::Data, {"\"colour\"", "numbers here"});
  }

  void damagedEncoder_data() {
    QTest::addColumn<QByteArray>("json");
    for (const char* json :
         {"[]", "{}", R"({"columns": 3})", R"({"columns": [3]})", R"({"columns": [{"name": "x"}]})", R"({"columns": [{"name": "x", "mean": 1, "std": 0}]})",
          R"({"columns": [{"name": "x", "categories": ["a"], "places": [1]}]})", R"({"columns": [{"name": "x", "categories": [1], "places": [0]}]})",
          R"({"columns": [{"name": "x", "places": [0]}]})", R"({"columns": [{"name": "x", "categories": [], "places": []}]})"}) {
      QTest::newRow(json) << QByteArray(json);
    }
  }

  void damagedEncoder() {
    QFETCH(QByteArray, json);
    compareError(TableEncoder::fromJson(Json::parse(json.toStdString())).error(), ErrorCode::Data, {"damaged"});
  }

  // Held-out rows are read as the training table is: numbers stay texts where training has texts, text among numbers is named.
  void validationTable() {
    const fs::path file = tableOf("code,x,label\n7a,1,a\n8,2,b\n9,3,a\n");
    const fs::path held = file.parent_path() / "check.csv";
    write(held, "x,label,code,more\n5,b,9,z\n6,a,10,z\n");
    recipe::Data data = dataWith(file, R"({"target": "label"})");
    data.validation = displayPath(held);
    const auto opened = openWithSplit(data, 1);
    TRAINYARD_VERIFY(opened);
    QCOMPARE(columnsOf(*opened->dataset), QString("code{7a,8,9} x"));
    QCOMPARE(rowsOf(*opened->dataset), QString("0 1/1 2/2 3/2 5/- 6"));
    QCOMPARE(opened->dataset->label(3), 1);
    write(held, "x,label,code\n5,b,9\nmany,a,10\n");
    compareError(openWithSplit(data, 1).error(), ErrorCode::Data, {"check.csv:3", "\"many\"", "\"x\""});
    write(held, "label,code\nb,9\n");
    compareError(openWithSplit(data, 1).error(), ErrorCode::Data, {"\"x\"", "missing", "check.csv"});
  }

  void leftOut() {
    recipe::Data data = dataWith(tableOf("x,label\n1,a\n2,b\n3,c\n4,a\n"));
    data.exclude = {"line 2"};
    data.exclude_classes = {"b"};
    const auto dataset = open(data);
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(rowsOf(**dataset), QString("3/4"));
    QCOMPARE((*dataset)->classes(), (std::vector<std::string>{"a", "c"}));
    QCOMPARE((*dataset)->label(0), 1);
  }
};

QTEST_APPLESS_MAIN(TestTable)
#include "tst_table.moc"
