#include "core/schedule/schedule.h"
#include "tests/train/digits.h"

using namespace trainyard;
using namespace trainyard::train;

// Whole runs in this process, on the digits.
class TestEngine : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  fs::path path(const std::string& name) const { return fs::path(dir_.path().toStdString()) / name; }

 private Q_SLOTS:
  void resumeEqualsTheUninterruptedRun_data() {
    QTest::addColumn<QString>("override");
    QTest::newRow("fp32, adamw") << "optimizer.lr=0.002";
    QTest::newRow("bf16") << "precision.type=\"bf16\"";
    QTest::newRow("two threads") << "train.threads=2";
    QTest::newRow("accumulate, clip") << "train.accumulate=3";
    QTest::newRow("mlp") << "model.arch=\"mlp\"";
    QTest::newRow("average of the weights") << "train.ema_decay=0.9";
    QTest::newRow("early stopping") << "train.early_stop=9";
    QTest::newRow("activations computed twice") << "train.activation_checkpointing=true";
    QTest::newRow("balanced drawing") << "train.sampling=\"balanced\"";
    QTest::newRow("deterministic") << "train.deterministic=true";
    QTest::newRow("weighed classes") << "loss={type=\"cross_entropy\", weight=\"balanced\"}";
    QTest::newRow("one cycle") << "schedule={type=\"one_cycle\"}";
    QTest::newRow("plateau") << "schedule={type=\"reduce_on_plateau\", patience=0, threshold=100, threshold_mode=\"abs\"}";
  }
  void resumeEqualsTheUninterruptedRun() {
    QFETCH(QString, override);
    const std::string tag = QTest::currentDataTag();
    const auto chosen = digits({override.toStdString(), "train.clip_norm=1.0"});
    const auto straight = trainyardEngine()->train(chosen, path(tag + " straight"), {});
    QVERIFY2(straight, straight ? "" : toText(straight.error()).c_str());
    QCOMPARE(straight->state, std::string("finished"));
    QCOMPARE(straight->steps, uint64_t{45});

    std::atomic<int> stop{0};
    const auto stopped = trainyardEngine()->train(chosen, path(tag + " stopped"), stopAt(stop, "step", 20));
    QVERIFY2(stopped, stopped ? "" : toText(stopped.error()).c_str());
    QCOMPARE(stopped->state, std::string("stopped"));
    QCOMPARE(stopped->steps, uint64_t{20});  // in the middle of the second epoch
    stop = 0;
    const runs::Layout run{path(tag + " stopped")};
    const auto again = trainyardEngine()->resume(run, {}, stopAt(stop, "step", 28));
    QVERIFY2(again, again ? "" : toText(again.error()).c_str());
    const auto finished = trainyardEngine()->resume(run, {}, {});
    QVERIFY2(finished, finished ? "" : toText(finished.error()).c_str());
    QCOMPARE(finished->state, std::string("finished"));
    QCOMPARE(essence(path(tag + " stopped")), essence(path(tag + " straight")));
    QCOMPARE(compactJson(finished->best), compactJson(straight->best));

    const auto nothing_left = trainyardEngine()->resume(run, {}, {});
    QVERIFY(!nothing_left);
    QCOMPARE(nothing_left.error().code, ErrorCode::Usage);
  }

  // The curve that is drawn beforehand is the one that is followed; a schedule that watches the evaluation follows what was logged.
  void theLogEqualsThePreview_data() {
    QTest::addColumn<QString>("schedule");
    QTest::newRow("step") << "{type=\"step\", step_size=1}";
    QTest::newRow("cosine, warm-up") << "{type=\"cosine\", unit=\"step\", warmup=7}";
    QTest::newRow("one cycle") << "{type=\"one_cycle\"}";
    QTest::newRow("plateau") << "{type=\"reduce_on_plateau\", patience=0, factor=0.5, threshold=100, threshold_mode=\"abs\"}";
  }
  void theLogEqualsThePreview() {
    QFETCH(QString, schedule);
    const auto chosen = digits({"schedule=" + schedule.toStdString(), "train.log_every=1"});
    const fs::path run = path(std::string("preview ") + QTest::currentDataTag());
    QVERIFY(trainyardEngine()->train(chosen, run, {}));
    const auto made = schedule::make(chosen, 15, 45);
    QVERIFY(made.has_value());
    schedule::ScheduleState state;
    uint64_t logged = 0;
    const auto history = runs::readHistory(runs::Layout{run}.events());
    QVERIFY(history);
    for (const auto& event : *history) {
      if (event.type == "step") {
        QCOMPARE(event.fields["lr"].get<double>(), (*made)->at(logged, state).lr);
        ++logged;
      } else if (event.type == "eval") {
        (*made)->evaluated(event.fields["loss"].get<double>(), logged, state);
      }
    }
    QCOMPARE(logged, uint64_t{45});
    if (!(*made)->watches().empty()) QCOMPARE((*made)->at(44, state).lr, chosen.optimizer.number("lr") * 0.25);
  }

  void workersChangeNothing() {
    const auto one = trainyardEngine()->train(digits({}), path("one"), {});
    const auto three = trainyardEngine()->train(digits({"data.workers=3"}), path("three"), {});
    QVERIFY(one && three);
    QCOMPARE(essence(path("three")), essence(path("one")));
  }

  void aLossThatIsNotFiniteEndsTheRun() {
    const auto result = trainyardEngine()->train(digits({"optimizer.type=\"sgd\"", "optimizer.lr=1e5", "model.arch=\"mlp\"", "model.hidden=[64, 64, 64]"}), path("diverged"), {});
    QVERIFY(!result);
    QVERIFY2(result.error().what.find("no longer finite at step") != std::string::npos, result.error().what.c_str());
    const auto seen = runs::readState({path("diverged")});
    QVERIFY(seen);
    QVERIFY(seen->state.state == runs::State::Failed);
    QVERIFY(!seen->unexpected_end);
    const auto events = runs::readHistory(runs::Layout{path("diverged")}.events());
    QCOMPARE(events->back().type, std::string("failed"));
    QVERIFY(fs::is_empty(runs::Layout{path("diverged")}.checkpoints()));
  }

  void unsoundRecipesLeaveNothingBehind_data() {
    QTest::addColumn<QString>("override");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("where");
    QTest::newRow("no such folder") << "data.path=\"/no/such/folder\"" << 3 << "/no/such/folder";
    QTest::newRow("batch too large") << "train.batch_size=5000" << 2 << "train.batch_size";
    QTest::newRow("too many passes") << "train.accumulate=101" << 2 << "train.accumulate";
    QTest::newRow("no such GPU") << "parallel.devices=[\"cuda:300\"]" << 5 << "parallel.devices";
    QTest::newRow("a pipeline on one device") << "parallel.strategy=\"pipeline\"" << 2 << "parallel.devices";
    QTest::newRow("fewer classes than the data") << "model.classes=3" << 2 << "model.classes";
    QTest::newRow("crop larger than the picture") << "data.size=0" << 2 << "";
  }
  void unsoundRecipesLeaveNothingBehind() {
    QFETCH(QString, override);
    QFETCH(int, code);
    QFETCH(QString, where);
    auto chosen = digits({override.toStdString()});
    if (where.isEmpty()) chosen.augment = {{"random_crop", {{"size", 99}, {"padding", 0}, {"fill", 0}}}};
    const auto result = trainyardEngine()->train(chosen, path("unsound"), {});
    QVERIFY(!result);
    QCOMPARE(exitCode(result.error().code), code);
    QVERIFY2(QString::fromStdString(result.error().where).contains(where), result.error().where.c_str());
    QVERIFY(!result.error().hint.empty());
    QVERIFY(!fs::exists(path("unsound")));
  }

  void weightsOfAnotherNetworkAreNamed() {
    const auto donor = trainyardEngine()->train(digits({"train.epochs=1", "model.arch=\"mlp\""}), path("donor"), {});
    QVERIFY(donor);
    const std::string weights = displayPath(path("donor") / donor->checkpoint / "model.safetensors");
    QVERIFY(trainyardEngine()->train(digits({"train.epochs=1", "model.arch=\"mlp\"", "model.weights=\"" + weights + "\""}), path("from donor"), {}));
    const auto foreign = trainyardEngine()->train(digits({"model.weights=\"" + weights + "\""}), path("foreign"), {});
    QVERIFY(!foreign);
    QCOMPARE(foreign.error().code, ErrorCode::Data);
    QVERIFY2(foreign.error().what.find("features.0.0.weight") != std::string::npos, foreign.error().what.c_str());
  }

  void evaluationsAndPredictions() {
    const auto trained = trainyardEngine()->train(digits({"train.epochs=6"}), path("answers"), {});
    QVERIFY(trained);
    const auto evaluated = trainyardEngine()->evaluate({path("answers")}, {});
    QVERIFY2(evaluated, evaluated ? "" : toText(evaluated.error()).c_str());
    QCOMPARE(compactJson((*evaluated)["metrics"]["accuracy"]), compactJson(trained->best["value"]));
    uint64_t counted = 0, right = 0;
    for (size_t k = 0; k < 10; ++k) {
      for (const auto& count : (*evaluated)["confusion"][k]) counted += count.get<uint64_t>();
      right += (*evaluated)["confusion"][k][k].get<uint64_t>();
    }
    QCOMPARE(counted, (*evaluated)["samples"].get<uint64_t>());
    QCOMPARE(static_cast<double>(right) / static_cast<double>(counted), (*evaluated)["metrics"]["accuracy"].get<double>());
    const auto missing = trainyardEngine()->predict({path("answers")}, {path("missing.png")}, 3);
    QVERIFY(!missing);
    QCOMPARE(missing.error().code, ErrorCode::Data);
  }
};

QTEST_APPLESS_MAIN(TestEngine)
#include "tst_engine.moc"
