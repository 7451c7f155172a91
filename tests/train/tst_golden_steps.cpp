#include <QTest>

#include "core/catalogue/catalogue.h"
#include "core/train/train_step.h"
#include "tests/golden/golden.h"

#include <ATen/Parallel.h>

using namespace trainyard;

namespace {

// Weight decay on all parameters, as torch's.
recipe::Choice optimizerOf(const Json& entry) {
  const auto id = entry.at("optimizer").get<std::string>();
  recipe::Choice choice{id, Json::object()};
  for (const auto& spec : catalogue::find(catalogue::optimizers(), id)->params) choice.params[spec.key] = spec.fallback;
  choice.params["weight_decay_on"] = "all";
  if (id == "sgd") choice.params["momentum"] = 0.0;
  for (const auto& [key, value] : entry.at("params").items()) choice.params[key] = value;
  return choice;
}

train::StepOptions optionsOf(double clip_norm, double label_smoothing) {
  train::StepOptions options;
  options.clip_norm = clip_norm;
  options.loss.label_smoothing = label_smoothing;
  return options;
}

// Loss and norm of the given number of steps; micros > 1 cuts every step.
struct Trained {
  std::vector<double> losses, norms;
  std::unique_ptr<models::Model> model;
};
Trained trainSteps(const std::string& arch, const recipe::Choice& optimizer, const train::StepOptions& options, size_t steps, int64_t micros) {
  Trained out;
  out.model = golden::model(arch);
  auto step = train::makeSingleStep(*out.model, optimizer, options);
  if (!step) qFatal("%s", toText(step.error()).c_str());
  golden::Data data = golden::data(arch, 64);
  if (out.model->convolutional()) data.images_NCHW = data.images_NCHW.contiguous(at::MemoryFormat::ChannelsLast);
  const schedule::Hyper hyper = schedule::hyperOf(optimizer);
  for (size_t s = 0; s < steps; ++s) {
    std::vector<loader::Batch> batches;
    const int64_t part = 16 / micros;
    for (int64_t m = 0; m < micros; ++m) {
      const int64_t begin = static_cast<int64_t>(s) % 4 * 16 + m * part;
      batches.push_back(golden::batch(data.images_NCHW.narrow(0, begin, part), data.labels_N.narrow(0, begin, part), 16));
    }
    models::RunContext context;
    context.training = true;
    const auto report = (*step)->run(batches, hyper, context, true);
    if (!report) qFatal("%s", toText(report.error()).c_str());
    out.losses.push_back(report->loss_sum.item<double>());
    out.norms.push_back(report->grad_norm.item<double>());
  }
  return out;
}

}  // namespace

class TestGoldenSteps : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void stepsEqualPyTorchs() {
    for (const auto& entry : golden::read("steps.json")) {
      const auto arch = entry.at("arch").get<std::string>();
      const std::string name = arch + " " + entry.at("case").get<std::string>() + " " + compactJson(entry.at("label_smoothing")) + " " + compactJson(entry.at("clip_norm"));
      const bool mlp = arch == "mlp", sgd = entry.at("optimizer") == "sgd";
      const train::StepOptions options = optionsOf(numberFrom(entry.at("clip_norm")), numberFrom(entry.at("label_smoothing")));
      const auto after = entry.at("state_after").get<size_t>();
      const size_t steps = mlp ? entry.at("losses").size() : after;
      const double loss_bound = mlp ? 2e-6 : sgd ? 5e-4 : 3e-3, norm_bound = mlp ? 2e-6 : sgd ? 7e-3 : 3e-2;
      // A loss is a difference of logits of about ten: each is rounded to 5e-7, whatever is left over.
      const double rounding = 1e-7;
      const Trained trained = trainSteps(arch, optimizerOf(entry), options, steps, 1);
      for (size_t s = 0; s < steps; ++s) {
        COMPARE_NEAR(trained.losses[s], numberFrom(entry["losses"][s]), s == 0 ? 1e-6 : loss_bound, rounding, name + " loss " + std::to_string(s));
        COMPARE_NEAR(trained.norms[s], numberFrom(entry["grad_norms"][s]), s == 0 ? 1e-5 : norm_bound, rounding, name + " norm " + std::to_string(s));
      }
      for (const auto& [tensor_name, tensor] : trained.model->state()) {
        const auto digest = golden::digest(tensor);
        const Json& right = entry["state"].at(tensor_name);
        COMPARE_NEAR(digest[1], numberFrom(right[1]), mlp ? 2e-7 : 1e-3, 1e-6, name + " " + tensor_name);
        for (size_t i = 2; i < 6; ++i) COMPARE_NEAR(digest[i], numberFrom(right[i]), mlp ? 1e-6 : 1e-2, mlp ? 2e-7 : 1.4e-2, name + " " + tensor_name);
      }
    }
  }

  void cuttingAStepChangesNothing() {
    for (const auto& entry : golden::read("steps.json")) {
      if (entry.at("arch") != "mlp" || entry.at("label_smoothing") != 0.1) continue;
      const train::StepOptions options = optionsOf(numberFrom(entry.at("clip_norm")), 0.1);
      const Trained trained = trainSteps("mlp", optimizerOf(entry), options, entry.at("losses").size(), 2);
      for (size_t s = 0; s < trained.losses.size(); ++s) COMPARE_NEAR(trained.losses[s], numberFrom(entry["losses"][s]), 1e-5, 1e-7, entry.at("case").get<std::string>());
    }
  }

  void bf16FollowsPyTorchs() {
    for (const auto& entry : golden::read("steps_bf16.json")) {
      train::StepOptions options;
      options.autocast = at::kBFloat16;
      const Trained trained = trainSteps(entry.at("arch").get<std::string>(), optimizerOf(entry), options, entry.at("losses").size(), 1);
      for (size_t s = 0; s < trained.losses.size(); ++s) {
        COMPARE_NEAR(trained.losses[s], numberFrom(entry["losses"][s]), 0.01, 0.001, entry.at("arch").get<std::string>() + " " + std::to_string(s));
      }
    }
  }

  // A mean loss of 2.0 over 10 samples and 1.0 over 90 in one step is 1.1, not 1.5.
  void unevenMicrosAreWeighed() {
    const auto model = golden::model("mlp");
    auto step = train::makeSingleStep(*model, {"sgd", {{"lr", 0.1}, {"momentum", 0.0}}}, {});
    QVERIFY(step);
    const golden::Data data = golden::data("mlp", 100);
    std::vector<loader::Batch> cut{golden::batch(data.images_NCHW.narrow(0, 0, 10), data.labels_N.narrow(0, 0, 10), 100),
                                   golden::batch(data.images_NCHW.narrow(0, 10, 90), data.labels_N.narrow(0, 10, 90), 100)};
    models::RunContext context;
    context.training = true;
    const auto report = (*step)->run(cut, {0.1, 0}, context, false);
    QVERIFY(report);
    QCOMPARE(report->weight, 100.0);
    QVERIFY(!report->grad_norm.defined());
    const auto whole = golden::model("mlp");
    auto whole_step = train::makeSingleStep(*whole, {"sgd", {{"lr", 0.1}, {"momentum", 0.0}}}, {});
    std::vector<loader::Batch> one{golden::batch(data.images_NCHW, data.labels_N, 100)};
    const auto whole_report = (*whole_step)->run(one, {0.1, 0}, context, false);
    COMPARE_NEAR(report->loss_sum.item<double>(), whole_report->loss_sum.item<double>(), 1e-6, 0, "loss");
    for (size_t i = 0; i < model->parameters().size(); ++i) QVERIFY(at::allclose(model->parameters()[i].tensor, whole->parameters()[i].tensor, 1e-6, 1e-6));
  }
};

QTEST_APPLESS_MAIN(TestGoldenSteps)
#include "tst_golden_steps.moc"
