// A network in stages on threads of this process learns what one device learns.
#include <QTemporaryDir>
#include <QTest>

#include <set>

#include "core/parallel/pipeline_border.h"
#include "tests/parallel/pipeline_bench.h"

using namespace trainyard;
using namespace trainyard::pipeline_bench;

class TestPipeline : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void learnsWhatOneDeviceLearns_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<int>("stages");
    QTest::addColumn<bool>("gpipe");
    QTest::addColumn<int>("replicas");
    QTest::newRow("mlp") << "mlp" << 2 << false << 1;
    QTest::newRow("mlp, three stages, gpipe") << "mlp" << 3 << true << 1;
    QTest::newRow("mlp, two by two") << "mlp" << 2 << false << 2;
    QTest::newRow("gpt") << "gpt" << 2 << false << 1;
    QTest::newRow("gpt, three stages") << "gpt" << 3 << false << 1;
    QTest::newRow("gpt, gpipe") << "gpt" << 2 << true << 1;
    QTest::newRow("gpt, two by two") << "gpt" << 2 << false << 2;
    QTest::newRow("resnet18") << "resnet18" << 2 << false << 1;
    QTest::newRow("vit_tiny") << "vit_tiny" << 3 << false << 1;
  }
  void learnsWhatOneDeviceLearns() {
    QFETCH(QString, network);
    QFETCH(int, stages);
    QFETCH(bool, gpipe);
    QFETCH(int, replicas);
    Setting setting;
    setting.network = network.toStdString();
    setting.stages = stages;
    setting.replicas = replicas;
    if (gpipe) setting.order = PipelineOrder::GPipe;
    // AdamW makes whole steps of gradients that are nothing but rounding, as attention's key biases have.
    setting.optimizer = network == "mlp" ? adamw() : sgd();
    if (network == "resnet18" || network == "vit_tiny") setting.steps = 4;
    setting.options.ema_decay = 0.9;
    setting.options.clip_norm = 0.5;
    const Learned one = alone(setting);
    const auto ranks = together(setting);
    const QString difference = unequal(ranks, one, 1e-4);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
    QVERIFY(furthest(ranks[0].answers, one.answers) < 1e-4);
    for (size_t r = 1; r < ranks.size(); ++r) QCOMPARE(ranks[r].answers.defined(), r % static_cast<size_t>(stages) == 0);
    const QString missing = notSaved(ranks, one);
    QVERIFY2(missing.isEmpty(), qPrintable(missing));
    QCOMPARE(ranks[0].scalars == one.scalars, true);
  }

  // One device that accumulates the same parts adds up the same numbers in the same order.
  void accumulationGivesTheSameBits_data() {
    QTest::addColumn<QString>("network");
    QTest::newRow("mlp") << "mlp";
    QTest::newRow("resnet18") << "resnet18";
  }
  void accumulationGivesTheSameBits() {
    QFETCH(QString, network);
    Setting setting;
    setting.network = network.toStdString();
    setting.accumulate = 4;
    setting.steps = 3;
    const Learned one = alone(setting);
    const auto ranks = together(setting);
    for (const auto& rank : ranks) {
      QVERIFY2(rank.error.empty(), rank.error.c_str());
      QVERIFY(rank.losses == one.losses);
      for (const auto& [name, tensor] : rank.model) QVERIFY2(at::equal(tensor, one.model.at(name)), name.c_str());
    }
  }

  // The embedding's table is in the first stage and in the last.
  void sharedTablesStayEqualToTheBit() {
    for (const int replicas : {1, 2}) {
      Setting setting;
      setting.network = "gpt";
      setting.stages = 3;
      setting.replicas = replicas;
      setting.options.clip_norm = 0.1;
      const auto ranks = together(setting);
      for (const auto& rank : ranks) QVERIFY2(rank.error.empty(), rank.error.c_str());
      QVERIFY(!ranks[1].model.contains("wte.weight"));
      for (size_t r = 0; r < ranks.size(); ++r) {
        if (r % 3 != 1) QVERIFY(at::equal(ranks[r].model.at("wte.weight"), ranks[0].model.at("wte.weight")));
      }
    }
  }

  void anyBatchIsCut_data() {
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("accumulate");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<int>("parts");
    QTest::newRow("not divisible") << 7 << 1 << 1 << 4;
    QTest::newRow("fewer samples than parts") << 3 << 1 << 1 << 4;
    QTest::newRow("one part") << 6 << 1 << 1 << 1;
    QTest::newRow("accumulated") << 12 << 4 << 1 << 4;
    QTest::newRow("accumulated and cut") << 13 << 2 << 1 << 5;
    QTest::newRow("a replica without samples") << 1 << 1 << 2 << 4;
  }
  void anyBatchIsCut() {
    QFETCH(int, batch);
    QFETCH(int, accumulate);
    QFETCH(int, replicas);
    QFETCH(int, parts);
    Setting setting;
    setting.batch = batch;
    setting.accumulate = accumulate;
    setting.replicas = replicas;
    setting.micro_batches = static_cast<uint64_t>(parts);
    const Learned one = alone(setting);
    const auto ranks = together(setting);
    const QString difference = unequal(ranks, one, 1e-4);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void mixedAndWeightedTargets_data() {
    QTest::addColumn<int>("replicas");
    QTest::newRow("one network") << 1;
    QTest::newRow("two that share the batch") << 2;
  }
  void mixedAndWeightedTargets() {
    QFETCH(int, replicas);
    Setting setting;
    setting.replicas = replicas;
    setting.mixed = setting.class_weights = true;
    setting.options.loss.label_smoothing = 0.1;
    setting.options.clip_value = 0.05;
    const Learned one = alone(setting);
    QVERIFY(one.weights[0] != 8);
    const auto ranks = together(setting);
    const QString difference = unequal(ranks, one, 1e-4);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  // Whatever of the network is frozen, patterns that fit other stages' parameters alone included.
  void frozenPartsStay_data() {
    QTest::addColumn<QString>("freeze");
    QTest::newRow("the first stage") << "first";
    QTest::newRow("the last stage") << "last";
  }
  void frozenPartsStay() {
    QFETCH(QString, freeze);
    Setting setting;
    const auto model = modelOf(networkOf("mlp"));
    const auto cut = parallel::cutByCost(parallel::blockCosts(*model, {1, 8, 8}, false), 2);
    QVERIFY(cut);
    const auto& stage = freeze == "first" ? cut->stages.front() : cut->stages.back();
    for (size_t b = stage.first; b <= stage.last; ++b) {
      for (const auto& name : model->blocks()[b].parameters) setting.options.freeze.push_back(name);
    }
    for (const auto checkpointing : {parallel::Keep::Graph, parallel::Keep::InputOnly}) {
      setting.options.keep = checkpointing;
      const Learned one = alone(setting);
      const auto ranks = together(setting);
      const QString difference = unequal(ranks, one, 1e-4);
      QVERIFY2(difference.isEmpty(), qPrintable(difference));
      const QString missing = notSaved(ranks, one);
      QVERIFY2(missing.isEmpty(), qPrintable(missing));
    }
  }

  void activationsComputedTwice_data() {
    QTest::addColumn<QString>("network");
    QTest::newRow("gpt") << "gpt";
    QTest::newRow("batch norm") << "batch_norm";
  }
  void activationsComputedTwice() {
    QFETCH(QString, network);
    Setting setting, twice;
    setting.network = network.toStdString();
    setting.steps = 3;
    twice = setting;
    twice.options.keep = parallel::Keep::InputOnly;
    const auto once = together(setting), again = together(twice);
    for (size_t r = 0; r < once.size(); ++r) {
      QVERIFY2(once[r].error.empty() && again[r].error.empty(), (once[r].error + again[r].error).c_str());
      QVERIFY(once[r].losses == again[r].losses);
      for (const auto& [name, tensor] : once[r].model) QVERIFY2(at::equal(tensor, again[r].model.at(name)), name.c_str());
    }
  }

  // What dropout drops is a function of the part, not of the stage: as on one device that accumulates as many parts.
  void dropoutIsThatOfTheParts() {
    Setting setting;
    setting.network = "gpt_dropout";
    setting.accumulate = 4;
    setting.optimizer = sgd();
    const Learned one = alone(setting);
    const auto ranks = together(setting);
    const QString difference = unequal(ranks, one, 1e-4);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  // bf16 crosses borders as bf16, and the parts are those that accumulation makes on one device.
  void halfPrecisionCrossesBorders() {
    Setting setting;
    setting.network = "gpt";
    setting.accumulate = 4;
    setting.options.autocast = at::kBFloat16;
    const Learned one = alone(setting);
    const auto ranks = together(setting);
    for (const auto& rank : ranks) QVERIFY2(rank.error.empty(), rank.error.c_str());
    for (size_t s = 0; s < one.losses.size(); ++s) COMPARE_NEAR(ranks[0].losses[s], one.losses[s], 2e-3, 0, "loss of step " + std::to_string(s));
  }

  // Gradients of the first stage alone are not finite: all stages leave the step out and shrink the scale.
  void allSkipTogether() {
    Setting setting;
    setting.broken_step = 2;
    setting.steps = 5;
    setting.options.scaler = optim::ScalerOptions();
    const Learned one = alone(setting);
    QVERIFY((one.skipped == std::vector<bool>{false, false, true, false, false}));
    QVERIFY(std::isfinite(one.losses[2]));
    const auto ranks = together(setting);
    for (const auto& rank : ranks) {
      QVERIFY2(rank.error.empty(), rank.error.c_str());
      QVERIFY(rank.skipped == one.skipped);
      QVERIFY(rank.scales == one.scales);
      for (const auto& [name, tensor] : rank.model) QVERIFY2(furthest(tensor, one.model.at(name)) < 1e-4, name.c_str());
    }
  }

  // Whole tensors, as all ranks' parts make them, go on in any number of stages.
  void savedStateContinues() {
    Setting setting;
    setting.network = "gpt";
    setting.options.ema_decay = 0.9;
    const auto straight = together(setting);
    Setting half = setting;
    half.steps = 5;
    half.stages = 3;
    std::vector<models::NamedTensor> model, optimizer;
    for (const auto& rank : together(half)) {
      QVERIFY2(rank.error.empty(), rank.error.c_str());
      for (const auto& [name, tensor] : rank.optimizer) optimizer.push_back({name, tensor});
      for (const auto& [name, tensor] : rank.model) {
        if (std::none_of(model.begin(), model.end(), [&name = name](const auto& named) { return named.name == name; })) model.push_back({name, tensor});
      }
    }
    const Json scalars = together(half)[0].scalars;
    const fs::path dir = dir_.path().toStdString();
    QVERIFY(replaceFile(dir / "model", models::toSafetensors(model)));
    QVERIFY(replaceFile(dir / "optimizer", models::toSafetensors(optimizer)));
    const auto model_file = models::SafetensorsFile::open(dir / "model"), optimizer_file = models::SafetensorsFile::open(dir / "optimizer");
    QVERIFY(model_file && optimizer_file);
    const auto ranks = together(setting, 5, [&](train::TrainStep& step, int) {
      const auto restored = step.restoreParts({*model_file, scalars, "model"}, {*optimizer_file, scalars, "optimizer"});
      if (!restored) throw std::runtime_error(toText(restored.error()));
    });
    for (size_t r = 0; r < ranks.size(); ++r) {
      QVERIFY2(ranks[r].error.empty(), ranks[r].error.c_str());
      for (size_t s = 0; s < 5; ++s) COMPARE_NEAR(ranks[r].losses[s], straight[0].losses[s + 5], 1e-5, 0, "loss");
      for (const auto& [name, tensor] : ranks[r].model) QVERIFY2(furthest(tensor, straight[r].model.at(name)) < 1e-6, name.c_str());
      for (const auto& [name, tensor] : ranks[r].average) QVERIFY2(furthest(tensor, straight[r].average.at(name)) < 1e-6, name.c_str());
    }
    // What does not fit is named.
    const auto wrong = together(setting, 9, [&](train::TrainStep& step, int) {
      const auto restored = step.restoreParts({*optimizer_file, scalars, "model.safetensors"}, {*optimizer_file, scalars, "optimizer"});
      if (!restored) throw std::runtime_error(toText(restored.error()));
    });
    QVERIFY(QString::fromStdString(wrong[0].error).contains("model.safetensors"));
  }

  void answersAreThoseOfOneDevice() {
    for (const char* network : {"gpt", "resnet18"}) {
      Setting setting;
      setting.network = network;
      setting.steps = 0;
      setting.batch = 7;
      const Learned one = alone(setting);
      const auto ranks = together(setting);
      QVERIFY2(ranks[0].error.empty(), ranks[0].error.c_str());
      QCOMPARE(ranks[0].answers.sizes() == one.answers.sizes(), true);
      // Fewer pictures at once may take another way through a convolution (models/convolution.h).
      const double apart = furthest(ranks[0].answers, one.answers) / std::max(1.0, one.answers.abs().max().item<double>());
      QVERIFY2(apart < (setting.network == "gpt" ? 1e-6 : 5e-6), qPrintable(QString("%1: %2").arg(network).arg(apart)));
    }
  }

  void timesAddUp() {
    Setting setting;
    setting.steps = 2;
    const auto ranks = together(setting);
    for (const auto& rank : ranks) {
      QVERIFY(rank.times.compute_s > 0 && rank.times.comm_s > 0 && rank.times.wait_s > 0);
      QVERIFY(rank.times.compute_s + rank.times.comm_s + rank.times.wait_s < 20);
    }
  }

  void listsCrossBordersAsTheyAre() {
    const auto world = comm::localCommunicators(2, {5});
    parallel::Border out(*world[0], 1, 3), in(*world[1], 0, 3);
    const at::Tensor picture = at::randn({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast).requires_grad_(true);
    const models::Values values{picture, {}, at::arange(6).view({2, 3}), at::zeros({0, 4}), at::randn({3, 4}).to(at::kBFloat16).t(), at::full({}, 2.5)};
    for (int round = 0; round < 3; ++round) {
      QVERIFY(out.send(values, {2, round / 2}));  // the last of another key
      const auto received = in.receive({2, round / 2}, at::kCPU);
      QVERIFY(received);
      QCOMPARE(received->size(), values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        const at::Tensor &sent = values[i], &came = (*received)[i];
        QCOMPARE(came.defined(), sent.defined());
        if (!sent.defined()) continue;
        QVERIFY(came.scalar_type() == sent.scalar_type() && at::equal(came, sent) && !came.is_alias_of(sent));
        QCOMPARE(came.requires_grad(), sent.requires_grad());
      }
      QVERIFY((*received)[0].is_contiguous(at::MemoryFormat::ChannelsLast) && !(*received)[0].is_contiguous());
    }
    QVERIFY(out.flush());
    const auto changed = out.send({at::zeros({2, 2})}, {2, 0});
    QVERIFY(!changed);
    QVERIFY(changed.error().what.find("changed") != std::string::npos);
    const auto many = out.send(models::Values(9, at::zeros({1})), {3});
    QVERIFY(!many);
    QVERIFY(many.error().what.find("9 tensors") != std::string::npos);
  }

  // One rank's failure reaches those that wait for it.
  void aRankThatFailsEndsAll() {
    Setting setting;
    const auto ranks = together(setting, 0, [](train::TrainStep&, int rank) {
      if (rank == 1) throw std::runtime_error("out of memory on rank 1");
    });
    for (const auto& rank : ranks) QVERIFY2(rank.error.find("out of memory on rank 1") != std::string::npos, rank.error.c_str());
  }

  // Each device holds its stage alone, in the layout that one device would have.
  void stagesAreMovedAlone() {
    const Network network = networkOf("batch_norm");
    const auto whole = modelOf(network);
    const auto cut = parallel::cutByCost(parallel::blockCosts(*whole, network.shape, false), 3);
    QVERIFY(cut);
    uint64_t own = 0;
    for (size_t stage = 0; stage < 3; ++stage) {
      const auto model = modelOf(network);
      train::moveStage(*model, *cut, stage, at::kCPU);
      std::set<std::string> names;
      const auto kept = train::tensorsOf(*model, *cut, stage);
      for (const auto* list : {&kept.parameters, &kept.buffers}) {
        for (const auto& named : *list) names.insert(named.name);
      }
      own += names.size();
      const auto state = model->state(), expected = whole->state();
      for (size_t i = 0; i < state.size(); ++i) {
        const at::Tensor& tensor = state[i].tensor;
        QVERIFY(tensor.sizes() == expected[i].tensor.sizes());
        if (names.contains(state[i].name)) {
          QVERIFY(at::equal(tensor, expected[i].tensor) && tensor.strides() == expected[i].tensor.strides());
          QCOMPARE(tensor.requires_grad(), expected[i].tensor.requires_grad());
        } else {
          QVERIFY(tensor.storage().nbytes() <= 8 && !tensor.requires_grad());
        }
      }
    }
    QCOMPARE(own, whole->state().size());
    Setting setting;
    setting.moved_ahead = true;
    setting.replicas = 2;
    const QString difference = unequal(together(setting), alone(setting), 1e-4);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void stagesAreAsManyAsRanks() {
    const auto model = modelOf(networkOf("mlp"));
    const auto cut = parallel::cutByCost(parallel::blockCosts(*model, {1, 8, 8}, false), 3);
    const auto world = comm::localCommunicators(2, {5});
    const auto step = train::makePipelineStep(*model, adamw(), {}, {world[0].get(), nullptr}, {*cut, PipelineOrder::GPipe, 4});
    QVERIFY(!step);
    QVERIFY(step.error().code == ErrorCode::Recipe);
    QVERIFY(step.error().what.find("3 stages") != std::string::npos && step.error().what.find("2 devices") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestPipeline)
#include "tst_pipeline.moc"
