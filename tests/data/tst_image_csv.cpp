#include <QTemporaryDir>

#include "core/data/split.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

class TestImageCsv : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;

  // A folder with this labels.csv and pictures; their first level is their number.
  fs::path folderWith(const QByteArray& csv, const QStringList& pictures = {"1.png", "2.png", "3.png", "4.png"}) {
    const fs::path root = pathOf(temporary_.path()) / std::to_string(count_++);
    write(root / "labels.csv", csv.toStdString());
    for (int i = 0; i < pictures.size(); ++i) write(root / pictures[i].toStdString(), png(2, 2, cv::Vec3b(static_cast<uchar>(i + 1), 0, 0)));
    return root;
  }

  static recipe::Data dataWith(const fs::path& root, const Json& params = Json::object()) {
    recipe::Data data = dataOf("image-csv", root);
    data.format.params = params;
    return data;
  }

  // "name=target …" of each sample: the class's name, the labels, or the numbers.
  static QString listing(const Dataset& dataset) {
    QStringList samples;
    for (uint64_t i = 0; i < dataset.size(); ++i) {
      QStringList targets;
      std::vector<float> values(dataset.classes().size());
      dataset.target(i, values);
      if (dataset.task() == Task::Classes) targets << QString::fromStdString(dataset.classes()[static_cast<size_t>(dataset.label(i))]);
      for (size_t c = 0; c < values.size() && dataset.task() != Task::Classes; ++c) {
        if (dataset.task() == Task::Numbers)
          targets << QString::number(values[c]);
        else if (values[c] == 1)
          targets << QString::fromStdString(dataset.classes()[c]);
      }
      samples << QString::fromStdString(dataset.name(i)) + "=" + targets.join("+");
    }
    return samples.join(" ");
  }

  static QString classesOf(const Dataset& dataset) {
    QStringList names;
    for (const auto& name : dataset.classes()) names << QString::fromStdString(name);
    return names.join("|");
  }

 private Q_SLOTS:
  void targets_data() {
    QTest::addColumn<QByteArray>("csv");
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("classes");
    QTest::addColumn<QString>("samples");
    const QByteArray none = "{}";
    QTest::newRow("classes") << QByteArray("file,label\n1.png,dog\n2.png,cat\n3.png,dog\n") << none << "classes"
                             << "cat|dog"
                             << "1.png=dog 2.png=cat 3.png=dog";
    QTest::newRow("without a header") << QByteArray("1.png,dog\n2.png,cat\n") << none << "classes"
                                      << "cat|dog"
                                      << "1.png=dog 2.png=cat";
    QTest::newRow("whole numbers are classes, by value") << QByteArray("file,label\n1.png,10\n2.png,9\n3.png,0\n") << none << "classes"
                                                         << "0|9|10"
                                                         << "1.png=10 2.png=9 3.png=0";
    QTest::newRow("as a column with gaps is written") << QByteArray("file,label\n1.png,1.0\n2.png,0.0\n") << none << "classes"
                                                      << "0|1"
                                                      << "1.png=1 2.png=0";
    QTest::newRow("a number of classes") << QByteArray("file,label\n1.png,2\n2.png,0\n") << QByteArray(R"({"classes": 4})") << "classes"
                                         << "0|1|2|3"
                                         << "1.png=2 2.png=0";
    QTest::newRow("numbers") << QByteArray("file,age\n1.png,1.5\n2.png,-2\n") << none << "numbers"
                             << "age"
                             << "1.png=1.5 2.png=-2";
    QTest::newRow("whole numbers, if said so") << QByteArray("file,age\n1.png,3\n2.png,4\n") << QByteArray(R"({"task": "numbers"})") << "numbers"
                                               << "age"
                                               << "1.png=3 2.png=4";
    QTest::newRow("several numbers") << QByteArray("file,x,y\n1.png,0.5,2\n2.png,1,3\n") << QByteArray(R"({"label_columns": ["y", "x"]})") << "numbers"
                                     << "y|x"
                                     << "1.png=2+0.5 2.png=3+1";
    QTest::newRow("several labels") << QByteArray("file,tags\n1.png,sea|sun\n2.png,\n3.png, sun | sun\n") << QByteArray(R"({"separator": "|"})") << "labels"
                                    << "sea|sun"
                                    << "1.png=sea+sun 2.png= 3.png=sun";
    QTest::newRow("a column for each label") << QByteArray("file,sea,sun\n1.png,1,1\n2.png,0,0\n3.png,0,1\n")
                                             << QByteArray(R"({"label_columns": ["sea", "sun"]})") << "labels"
                                             << "sea|sun"
                                             << "1.png=sea+sun 2.png= 3.png=sun";
    QTest::newRow("minus one says no too") << QByteArray("file,sea,sun\n1.png,1,-1\n") << QByteArray(R"({"label_columns": ["sea", "sun"], "task": "labels"})")
                                           << "labels"
                                           << "sea|sun"
                                           << "1.png=sea";
    QTest::newRow("chosen columns") << QByteArray("id,what,picture\n7,dog,1.png\n8,cat,2.png\n")
                                    << QByteArray(R"({"path_column": "picture", "label_columns": ["what"]})") << "classes"
                                    << "cat|dog"
                                    << "1.png=dog 2.png=cat";
    QTest::newRow("label is found by its name") << QByteArray("file,size,Label\n1.png,3,dog\n2.png,4,cat\n") << none << "classes"
                                                << "cat|dog"
                                                << "1.png=dog 2.png=cat";
    QTest::newRow("a row that comes twice counts once") << QByteArray("file,label\n1.png,dog\n1.png,dog\n2.png,cat\n") << none << "classes"
                                                        << "cat|dog"
                                                        << "1.png=dog 2.png=cat";
    QTest::newRow("endings left out, and ./") << QByteArray("id,breed\n1,pug\n./2.png,tosa\n") << QByteArray(R"({"header": "yes"})") << "classes"
                                              << "pug|tosa"
                                              << "1.png=pug 2.png=tosa";
  }

  void targets() {
    QFETCH(QByteArray, csv);
    QFETCH(QByteArray, params);
    QFETCH(QString, task);
    QFETCH(QString, classes);
    QFETCH(QString, samples);
    const auto dataset = open(dataWith(folderWith(csv), Json::parse(params.toStdString())));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(QString::fromStdString(taskName((*dataset)->task())), task);
    QCOMPARE(classesOf(**dataset), classes);
    QCOMPARE(listing(**dataset), samples);
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("csv");
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<bool>("recipe");
    QTest::addColumn<QStringList>("said");
    const QByteArray none = "{}";
    const auto row = [](const char* name, const QByteArray& csv, const QByteArray& params, const QStringList& said) {
      QTest::newRow(name) << csv << params << false << said;
    };
    row("a label equal to the number of classes", "file,label\n1.png,0\n2.png,2\n", R"({"classes": 2})", {"labels.csv:3", "\"2\"", "from 0 to 1"});
    row("a negative label", "file,label\n1.png,-1\n", R"({"classes": 2})", {"labels.csv:2", "\"-1\"", "from 0 to 1"});
    row("a name where a number belongs", "file,label\n1.png,cat\n", R"({"classes": 2})", {"labels.csv:2", "\"cat\"", "no whole number"});
    row("text in a number column", "file,age\n1.png,3\n2.png,old\n", R"({"task": "numbers"})", {"labels.csv:3", "\"old\"", "\"age\""});
    row("no label", "file,label\n1.png,cat\n2.png,\n", none, {"labels.csv:3", "\"label\"", "no value"});
    row("no number", "file,age\n1.png,1.5\n2.png,?\n", none, {"labels.csv:3", "\"age\"", "no value"});
    row("neither 0 nor 1", "file,sea,sun\n1.png,1,2\n", R"({"label_columns": ["sea", "sun"], "task": "labels"})", {"labels.csv:2", "\"2\"", "\"sun\""});
    row("no labels at all", "file,tags\n1.png,\n2.png,\n", R"({"separator": " "})", {"labels.csv", "\"tags\""});
    row("missing pictures", "file,label\n1.png,a\n7.png,b\n8.png,a\n", none, {"labels.csv:3", "\"7.png\"", "2 of 3", "data.root"});
    row("no picture named", "file,label\n1.png,a\n,b\n", none, {"labels.csv:3", "\"file\""});
    row("two labels for one picture", "file,label\n1.png,a\n2.png,a\n1.png,b\n", none, {"labels.csv:4", "1.png", "line 2", "separator"});
    row("an unknown column", "file,label\n1.png,a\n", R"({"label_columns": ["lable"]})", {"\"lable\"", "data.label_columns", "did you mean \"label\"?"});
    row("an unknown picture column", "file,label\n1.png,a\n", R"({"path_column": "files"})", {"\"files\"", "data.path_column", "did you mean \"file\"?"});
    row("one column", "file\n1.png\n2.png\n", none, {"one column"});
    QTest::newRow("the picture column as label") << QByteArray("file,label\n1.png,a\n") << QByteArray(R"({"label_columns": ["file"]})") << true
                                                 << QStringList{"\"file\"", "data.label_columns"};
    QTest::newRow("labels without a separator") << QByteArray("file,label\n1.png,a\n") << QByteArray(R"({"task": "labels"})") << true
                                                << QStringList{"data.separator"};
    QTest::newRow("several classes") << QByteArray("file,a,b\n1.png,x,y\n") << QByteArray(R"({"task": "classes", "label_columns": ["a", "b"]})") << true
                                     << QStringList{"data.task", "2 label columns"};
    QTest::newRow("a separator and columns") << QByteArray("file,a,b\n1.png,1,0\n") << QByteArray(R"({"separator": "|", "label_columns": ["a", "b"]})") << true
                                             << QStringList{"data.separator"};
  }

  void refused() {
    QFETCH(QByteArray, csv);
    QFETCH(QByteArray, params);
    QFETCH(bool, recipe);
    QFETCH(QStringList, said);
    const auto dataset = open(dataWith(folderWith(csv), Json::parse(params.toStdString())));
    QVERIFY(!dataset);
    compareError(dataset.error(), recipe ? ErrorCode::Recipe : ErrorCode::Data, said);
  }

  void everyRowItsOwnClass() {
    QByteArray csv = "file,id\n";
    QStringList pictures;
    for (int i = 0; i < 20; ++i) {
      pictures << QString("%1.png").arg(i);
      csv += pictures.last().toUtf8() + ",name" + QByteArray::number(i) + "\n";
    }
    compareError(open(dataWith(folderWith(csv, pictures))).error(), ErrorCode::Data, {"\"id\"", "20 rows", "a class of its own"});
  }

  void filesAndNames() {
    const fs::path root = folderWith("file,label\nété ñ/図 1.png,é\nb\\2.png,f\n", {"pics/été ñ/図 1.png", "pics/b/2.png"});
    const auto dataset = open(dataWith(root / "labels.csv", {{"root", "pics"}}));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->name(0), std::string("été ñ/図 1.png"));
    QCOMPARE((*dataset)->name(1), std::string("b/2.png"));
    QCOMPARE((*dataset)->file(1), root / "pics/b/2.png");
    QCOMPARE((*dataset)->labelPlace(1), displayPath(root / "labels.csv") + ":3");
    QCOMPARE(hexOf(*(*dataset)->picture(1)), QByteArray("020000").repeated(4));
    const auto source = (*dataset)->source(1);
    TRAINYARD_VERIFY(source);
    QCOMPARE(hexOf(*(*source)->all()), QByteArray("020000").repeated(4));
    QCOMPARE(*(*dataset)->fileBytes(1), *readFile(root / "pics/b/2.png"));
    QCOMPARE((*dataset)->stamp(1).bytes, uint64_t{fs::file_size(root / "pics/b/2.png")});
    QVERIFY((*dataset)->stamp(1).modified_ns > 0);
    fs::remove(root / "pics/b/2.png");
    QVERIFY((*dataset)->stamp(1) == Dataset::Stamp());
    compareError((*dataset)->picture(1).error(), ErrorCode::Data, {"b/2.png"});
    // A picture that went away does not matter once it is left out.
    recipe::Data data = dataWith(root / "labels.csv", {{"root", "pics"}});
    compareError(open(data).error(), ErrorCode::Data, {"labels.csv:3"});
    data.exclude = {"b/2.png"};
    TRAINYARD_VERIFY(open(data));
  }

  void validationTable() {
    const fs::path root = folderWith("file,label\n1.png,b\n2.png,a\n3.png,c\n");
    write(root / "held/check.csv", "file,label\n../4.png,c\n");
    recipe::Data data = dataWith(root / "labels.csv");
    data.validation = displayPath(root / "held/check.csv");
    const auto opened = openWithSplit(data, 1);
    TRAINYARD_VERIFY(opened);
    QCOMPARE(listing(*opened->dataset), QString("1.png=b 2.png=a 3.png=c ../4.png=c"));
    QCOMPARE(opened->parts.validation, std::vector<uint64_t>{3});
    write(root / "held/check.csv", "file,label\n../1.png,a\n../4.png,d\n");
    compareError(openWithSplit(data, 1).error(), ErrorCode::Data, {"\"d\"", "not in training", "check.csv:3"});
  }

  // Whole numbers in the held-out table are numbers too where training has numbers; labels are matched by name.
  void validationOfOtherTasks() {
    const fs::path root = folderWith("file,age\n1.png,1.5\n2.png,2\n");
    write(root / "check.csv", "file,age\n3.png,7\n");
    recipe::Data data = dataWith(root / "labels.csv");
    data.validation = displayPath(root / "check.csv");
    auto opened = openWithSplit(data, 1);
    TRAINYARD_VERIFY(opened);
    QCOMPARE(listing(*opened->dataset), QString("1.png=1.5 2.png=2 3.png=7"));
    write(root / "labels.csv", "file,tags\n1.png,b a\n2.png,c\n");
    write(root / "check.csv", "file,tags\n3.png,c\n4.png,\n");
    data.format.params = {{"separator", " "}};
    opened = openWithSplit(data, 1);
    TRAINYARD_VERIFY(opened);
    QCOMPARE(listing(*opened->dataset), QString("1.png=a+b 2.png=c 3.png=c 4.png="));
    QCOMPARE(classCounts(*opened->dataset, {0, 1, 2}), (std::vector<uint64_t>{1, 1, 2}));
  }
};

QTEST_APPLESS_MAIN(TestImageCsv)
#include "tst_image_csv.moc"
