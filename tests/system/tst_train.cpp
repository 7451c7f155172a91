// One small training, and everything that can be asked of it afterwards.
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "core/data/dataset.h"
#include "core/data/image_decode.h"
#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestTrain : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void resultHasItsShape();
  void runFolderIsComplete();
  void eventsTellTheWholeStory();
  void learningRateIsThePreviewed();
  void evaluateAgreesWithTheRun();
  void predictReadsPictures();
  void predictRefuses_data();
  void predictRefuses();
  void runsAreListedAndShown();
  void sameSeedSameWeights();
  void otherSeedOtherWeights();
  void twoRunsInTheSameSecond();

 private:
  const Json& result() const { return result_; }

  Sandbox sandbox_;
  QString recipe_, run_;
  Json result_;
  int steps_ = 0;
};

void TestTrain::initTestCase() {
  recipe_ = sandbox_.recipe("probe.toml", {{"schedule.type", "\"step\""}, {"schedule.step_size", "1"}, {"schedule.gamma", "0.5"}});
  const Ended ended = sandbox_.run({"train", recipe_, "--json", "--set", "train.epochs=3"});
  QVERIFY2(ended.code == 0, ended.text());
  result_ = ended.json();
  QVERIFY2(result_.is_object(), ended.text());
  run_ = QString::fromStdString(result_.at("dir").get<std::string>());
  steps_ = result_.at("steps").get<int>();
}

void TestTrain::resultHasItsShape() {
  QCOMPARE(QString::fromStdString(result().at("state").get<std::string>()), QString("finished"));
  QCOMPARE(result().at("epochs").get<int>(), 3);
  QCOMPARE(steps_, 3 * 23);
  QVERIFY(result().at("seconds").get<double>() > 0);
  const Json& best = result().at("best");
  QCOMPARE(QString::fromStdString(best.at("metric").get<std::string>()), QString("accuracy"));
  QVERIFY(best.at("value").get<double>() > 0.5 && best.at("value").get<double>() <= 1);
  QVERIFY(best.at("step").get<int>() % 23 == 0);
  const Json& last = result().at("last");
  QVERIFY(last.at("train_loss").get<double>() > 0 && last.at("loss").get<double>() > 0);
  QVERIFY(last.at("metrics").at("accuracy").get<double>() <= best.at("value").get<double>());
  const QString checkpoint = QString::fromStdString(result().at("checkpoint").get<std::string>());
  QCOMPARE(QFileInfo(checkpoint).fileName(), QString("step-00000069"));
}

void TestTrain::runFolderIsComplete() {
  QCOMPARE(QFileInfo(run_).path(), QFileInfo(sandbox_.runs()).absoluteFilePath());
  const QString id = QFileInfo(run_).fileName();
  QVERIFY2(QRegularExpression("^\\d{8}-\\d{6}-probe$").match(id).hasMatch(), qPrintable(id));
  QCOMPARE(QString::fromStdString(result().at("run").get<std::string>()), id);
  for (const char* name : {"recipe.toml", "plan.json", "classes.json", "state.json", "events.jsonl", "run.lock"}) {
    QVERIFY2(QFileInfo(run_ + "/" + name).isFile(), name);
  }
  const auto classes = readJson(run_ + "/classes.json").get<std::vector<std::string>>();
  QCOMPARE(classes, (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
  QCOMPARE(stateOf(run_), std::string("finished"));
  const QByteArray recipe = readBytes(run_ + "/recipe.toml");
  QVERIFY2(QRegularExpression("epochs\\s*=\\s*3").match(recipe).hasMatch(), recipe);
  QVERIFY2(recipe.contains("label_smoothing"), "defaults are written out");
  QVERIFY(!(QFileInfo(run_ + "/recipe.toml").permissions() & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)));
  QCOMPARE(checkpoints(run_).size(), 3);
  for (const QString& checkpoint : checkpoints(run_)) {
    for (const char* name : {"model.safetensors", "optimizer.safetensors", "trainer.json"}) QVERIFY2(QFileInfo(checkpoint + "/" + name).size() > 0, name);
  }
  QVERIFY(!newestCheckpoint(run_).isEmpty());
  QCOMPARE(readJson(run_ + "/checkpoints.json").at("best").at("value").get<double>(), result().at("best").at("value").get<double>());
}

void TestTrain::eventsTellTheWholeStory() {
  QVERIFY2(eventsFault(run_).isEmpty(), eventsFault(run_));
  Watcher watcher(run_);
  const auto& events = watcher.events();
  QCOMPARE(events.front().type, std::string("run_started"));
  QCOMPARE(events.back().type, std::string("finished"));
  QCOMPARE(events.front().number("steps_total"), double(steps_));
  QCOMPARE(events.front().number("epochs"), 3.0);
  QCOMPARE(events.front().number("parameters"), 64.0 * 128 + 128 + 128 * 10 + 10);
  QCOMPARE(watcher.count("step"), steps_);
  QCOMPARE(watcher.count("eval"), 3);
  QCOMPARE(watcher.count("checkpoint"), 3);
  int64_t step = 0;
  for (const auto& event : events) {
    if (event.type != "step") continue;
    QCOMPARE(event.step.value_or(-1), ++step);
    QCOMPARE(event.epoch.value_or(-1), (step - 1) / 23);
    for (const char* field : {"loss", "grad_norm", "step_ms", "samples_per_s"}) QVERIFY2(event.number(field) > 0, field);
  }
  const runs::Event* eval = watcher.last("eval");
  QCOMPARE(eval->number("loss"), result().at("last").at("loss").get<double>());
  QCOMPARE(eval->fields.at("metrics").at("accuracy").get<double>(), result().at("last").at("metrics").at("accuracy").get<double>());
  QVERIFY(watcher.last("step")->number("loss") < series(run_, "step", "loss").at(1));
}

void TestTrain::learningRateIsThePreviewed() {
  const Ended ended = sandbox_.run({"schedule", recipe_, "--json", "--set", "train.epochs=3"});
  QVERIFY2(ended.code == 0, ended.text());
  const auto preview = ended.json().at("lr").get<std::vector<double>>();
  const auto logged = series(run_, "step", "lr");
  QCOMPARE(preview.size(), size_t(steps_));
  QCOMPARE(logged.size(), preview.size());
  for (const auto& [step, lr] : logged) QCOMPARE(lr, preview[size_t(step - 1)]);
}

void TestTrain::evaluateAgreesWithTheRun() {
  const Ended ended = sandbox_.run({"evaluate", run_, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json document = ended.json();
  const auto confusion = document.at("confusion").get<std::vector<std::vector<int>>>();
  QCOMPARE(confusion.size(), size_t(10));
  int all = 0, right = 0;
  for (size_t row = 0; row < confusion.size(); ++row) {
    QCOMPARE(confusion[row].size(), size_t(10));
    for (size_t column = 0; column < 10; ++column) all += confusion[row][column];
    right += confusion[row][row];
  }
  QCOMPARE(document.at("samples").get<int>(), all);
  QCOMPARE(all, 359);  // a fifth of each class, rounded
  const double accuracy = document.at("metrics").at("accuracy").get<double>();
  QVERIFY(std::abs(accuracy - double(right) / all) < 1e-6);
  QVERIFY(std::abs(accuracy - result().at("best").at("value").get<double>()) < 1e-6);  // the best checkpoint is what one evaluates
  QVERIFY(document.at("loss").get<double>() > 0);
}

void TestTrain::predictReadsPictures() {
  recipe::Data where;
  where.format.id = "idx";
  where.path = digitsFolder().toStdString();
  where.validation = 0.2;
  const auto digits = data::open(where);
  QVERIFY(digits);
  QStringList words = {"predict", run_, "--json"};
  std::vector<std::string> labels;
  for (uint64_t index = 0; index < 40; ++index) {
    const auto picture = (*digits)->picture(index);
    QVERIFY(picture);
    const auto png = data::encodePng(*picture);
    QVERIFY(png);
    words += sandbox_.write(QString("图 %1.png").arg(index), QByteArray::fromStdString(*png));
    labels.push_back(std::to_string((*digits)->label(index)));
  }
  const Ended ended = sandbox_.run(words);
  QVERIFY2(ended.code == 0, ended.text());
  const Json document = ended.json();
  QCOMPARE(document.size(), size_t(40));
  int right = 0;
  for (size_t i = 0; i < document.size(); ++i) {
    QCOMPARE(QString::fromStdString(document[i].at("file").get<std::string>()), words[int(i) + 3]);
    const Json& top = document[i].at("top");
    QVERIFY(top.size() >= 1 && top.size() <= 10);
    double sum = 0, previous = 1;
    for (const Json& entry : top) {
      const double probability = entry.at("probability").get<double>();
      QVERIFY(probability <= previous && probability >= 0);
      QCOMPARE(entry.at("class").get<std::string>(), std::to_string(entry.at("index").get<int>()));
      sum += previous = probability;
    }
    QVERIFY(sum < 1 + 1e-5);
    right += top[0].at("class").get<std::string>() == labels[i];
  }
  QVERIFY2(right >= 28, ended.out);
}

void TestTrain::predictRefuses_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::newRow("text") << QByteArray("this is not a picture\n");
  QTest::newRow("empty") << QByteArray();
}

void TestTrain::predictRefuses() {
  QFETCH(QByteArray, bytes);
  const QString file = sandbox_.write("broken.png", bytes);
  const Ended ended = sandbox_.run({"predict", run_, file, "--json"});
  QVERIFY2(ended.code == 3, ended.text());
  QVERIFY2(ended.error("code") == "data" && ended.error("where").find("broken.png") != std::string::npos, ended.text());
  QCOMPARE(sandbox_.run({"predict", run_, sandbox_.path("absent.png")}).code, 3);
}

void TestTrain::runsAreListedAndShown() {
  const Ended list = sandbox_.run({"runs", "list", "--json"});
  QVERIFY2(list.code == 0 && list.json().is_array(), list.text());
  bool found = false;
  for (const Json& entry : list.json()) {
    if (entry.at("run") != result().at("run")) continue;
    found = true;
    QCOMPARE(entry.at("state").get<std::string>(), std::string("finished"));
    QCOMPARE(entry.at("dir").get<std::string>(), run_.toStdString());
  }
  QVERIFY2(found, list.text());
  for (const QString& word : {run_, QFileInfo(run_).fileName(), QString("latest"), QString("probe")}) {
    const Ended show = sandbox_.run({"runs", "show", word, "--json"});
    QVERIFY2(show.code == 0, show.text());
    QCOMPARE(show.json().at("run").get<std::string>(), result().at("run").get<std::string>());
    QCOMPARE(show.json().at("step").get<int>(), steps_);
    QCOMPARE(show.json().at("best").get<Json>().at("value").get<double>(), result().at("best").at("value").get<double>());
  }
  const Ended plain = sandbox_.run({"runs", "list"});
  QVERIFY2(plain.code == 0 && plain.out.contains("probe") && plain.out.contains("finished"), plain.text());
  const Ended near = sandbox_.run({"runs", "show", "prode", "--json"});
  QVERIFY2(near.code == 2 && near.error("hint").find("probe") != std::string::npos, near.text());
}

void TestTrain::sameSeedSameWeights() {
  const QString again = sandbox_.path("again");
  const Ended ended = sandbox_.run({"train", recipe_, "--run-dir", again, "--set", "train.epochs=3", "--set", "data.workers=3"});
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(series(again, "step", "loss"), series(run_, "step", "loss"));
  QVERIFY(!weights(run_).isEmpty());
  QVERIFY(weights(again) == weights(run_));
}

void TestTrain::otherSeedOtherWeights() {
  const QString other = sandbox_.path("other");
  const Ended ended = sandbox_.run({"train", recipe_, "--run-dir", other, "--set", "train.epochs=1", "--set", "run.seed=8"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY(series(other, "step", "loss").at(1) != series(run_, "step", "loss").at(1));
}

void TestTrain::twoRunsInTheSameSecond() {
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("twin.toml", {{"train.epochs", "1"}});
  std::vector<std::unique_ptr<Program>> programs;
  for (int i = 0; i < 3; ++i) programs.push_back(sandbox.start({"train", recipe, "--json"}));
  QSet<QString> folders;
  for (auto& program : programs) {
    const Ended ended = program->wait();
    QVERIFY2(ended.code == 0, ended.text());
    folders += QString::fromStdString(ended.json().at("dir").get<std::string>());
  }
  QCOMPARE(folders.size(), 3);
}

QTEST_GUILESS_MAIN(TestTrain)
#include "tst_train.moc"
