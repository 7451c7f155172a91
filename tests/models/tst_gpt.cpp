#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/parallel/tape.h"
#include "core/runs/event_log.h"
#include "core/train/engine.h"
#include "core/train/tensors.h"
#include "core/train/input.h"
#include "tests/golden/golden.h"

using namespace trainyard;

namespace {

constexpr int64_t kVocabulary = 256, kContext = 32;

std::unique_ptr<models::Model> build(Json options = Json::object(), uint64_t seed = 0) {
  Json params{{"layers", 2}, {"width", 64}, {"heads", 2}};
  params.update(options);
  auto made = models::make({"gpt", params}, {1, 1, kContext}, kVocabulary, seed);
  if (!made) qFatal("%s", toText(made.error()).c_str());
  return std::move(*made);
}

at::Tensor draw(uint64_t seed, at::IntArrayRef sizes) { return at::empty(sizes, at::kFloat).uniform_(-1, 1, at::detail::createCPUGenerator(seed)); }

// The rules of make_gpt.py.
void fill(const models::Model& model) {
  at::NoGradGuard no_grad;
  uint64_t k = 0;
  for (const auto& [name, tensor] : model.state()) {
    const at::Tensor values = draw(k++, tensor.sizes()) * 0.1;
    tensor.detach().copy_(tensor.dim() == 1 && name.ends_with("weight") ? values + 1 : values);
  }
}

at::Tensor drawnIds() { return at::randint(0, kVocabulary, {3, kContext + 1}, at::detail::createCPUGenerator(1), at::TensorOptions(at::kLong)); }

at::Tensor forward(const models::Model& model, const at::Tensor& ids_NT, bool training = false, uint64_t step = 0) {
  models::RunContext context;
  context.training = training;
  context.step = step;
  return models::forward(model, ids_NT, context);
}

at::Tensor lossOf(const at::Tensor& logits_NTV, const at::Tensor& targets_NT) { return at::cross_entropy_loss(logits_NTV.flatten(0, 1), targets_NT.flatten()); }

void compareAll(const at::Tensor& actual, const Json& expected) {
  const at::Tensor flat = actual.detach().flatten().to(at::kDouble);
  QCOMPARE(static_cast<size_t>(flat.numel()), expected.size());
  for (int64_t i = 0; i < flat.numel(); ++i) COMPARE_NEAR(flat[i].item<double>(), expected[static_cast<size_t>(i)].get<double>(), 0, 1e-5, "logit");
}

// Sentences of few words: soon learned.
std::string story(int sentences) {
  std::string text;
  for (int i = 0; i < sentences; ++i) text += "The quick brown fox jumps over the lazy dog. ";
  return text;
}

}  // namespace

// The language model against PyTorch (tests/golden/make_gpt.py), and texts from file to trained network.
class TestGpt : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  fs::path path(const std::string& name) const { return fs::path(dir_.path().toStdString()) / name; }

  recipe::Recipe storyRecipe(const std::vector<std::string>& overrides = {}) const {
    std::ofstream(path("story.txt")) << story(120);
    std::ofstream(path("story.toml"))
        << "[run]\nname = 'story'\n[data]\nformat = 'text'\npath = 'story.txt'\ncontext = 32\n"
           "[model]\narch = 'gpt'\nlayers = 1\nwidth = 32\nheads = 2\n"
           "[train]\nepochs = 6\nbatch_size = 8\nlog_every = 1\n[optimizer]\ntype = 'adamw'\nlr = 0.005\n[checkpoint]\nmetric = 'loss'\n";
    auto loaded = recipe::load(path("story.toml"), overrides);
    if (!loaded) qFatal("%s", toText(loaded.error()).c_str());
    return std::move(*loaded);
  }

  static std::vector<double> valuesOf(const fs::path& run, const std::string& type) {
    const auto events = runs::readHistory(runs::Layout{run}.events());
    std::vector<double> values;
    for (const auto& event : *events) {
      if (event.type == type) values.push_back(numberFrom(event.fields.at("loss")));
    }
    return values;
  }

 private Q_SLOTS:
  void equalsPyTorch() {
    const Json expected = golden::readFrom("models/gpt.json");
    const auto model = build();
    QByteArray listing;
    for (const auto& [name, tensor] : model->state()) {
      QStringList sizes;
      for (const int64_t size : tensor.sizes()) sizes << QString::number(size);
      listing += QString("%1 %2\n").arg(QString::fromStdString(name), sizes.join(',')).toUtf8();
    }
    QVERIFY2(QCryptographicHash::hash(listing, QCryptographicHash::Sha256).toHex().toStdString() == expected.at("state_sha256").get<std::string>(),
             listing.constData());
    QCOMPARE(models::parameterCount(*model), expected.at("parameters").get<uint64_t>());
    fill(*model);
    const at::Tensor ids = drawnIds(), inputs_NT = ids.narrow(1, 0, kContext), targets_NT = ids.narrow(1, 1, kContext);
    compareAll(forward(*model, inputs_NT).slice(1, 0, {}, 8).slice(2, 0, {}, 32), expected.at("logits"));
    compareAll(forward(*model, inputs_NT.narrow(1, 0, 20)).slice(1, 0, {}, 5).slice(2, 0, {}, 32), expected.at("shorter"));
    const at::Tensor loss = lossOf(forward(*model, inputs_NT, true), targets_NT);
    COMPARE_NEAR(loss.item<double>(), expected.at("loss").get<double>(), 1e-6, 0, "loss");
    loss.backward();
    const auto parameters = model->parameters();
    for (size_t k = 0; k < parameters.size(); ++k) {
      const at::Tensor gradient = parameters[k].tensor.grad().flatten().to(at::kDouble);
      const double size = expected.at("gradients")[k][0].get<double>();
      COMPARE_NEAR(at::norm(gradient).item<double>(), size, 1e-4, 1e-7, "norm of the gradient of " + parameters[k].name);
      COMPARE_NEAR(at::dot(gradient, draw(k, {gradient.numel()}).to(at::kDouble)).item<double>(), expected.at("gradients")[k][1].get<double>(), 0,
                   1e-4 * size + 1e-6, "gradient of " + parameters[k].name);
    }
  }

  void firstWeightsAreAFunctionOfTheSeed() {
    const auto a = build(Json::object(), 1), b = build(Json::object(), 1), c = build(Json::object(), 2);
    for (size_t k = 0; k < a->parameters().size(); ++k) {
      const auto parameter = a->parameters()[k];
      const auto& [name, tensor] = parameter;
      QVERIFY(at::equal(tensor, b->parameters()[k].tensor));
      if (tensor.dim() == 2) {
        QVERIFY(!at::equal(tensor, c->parameters()[k].tensor));
        COMPARE_NEAR(tensor.detach().std().item<double>(), 0.02, 0.08, 0, "deviation of " + name);
      } else {
        QVERIFY2(tensor.detach().eq(name.ends_with("weight") ? 1 : 0).all().item<bool>(), name.c_str());
      }
    }
    QCOMPARE(a->ties().size(), size_t{1});
    QCOMPARE(a->ties()[0][0], std::string("wte.weight"));
  }

  void aPlaceSeesNoLaterOne_data() {
    QTest::addColumn<double>("dropout");
    QTest::newRow("fused attention") << 0.0;
    QTest::newRow("with dropout") << 0.2;
  }
  void aPlaceSeesNoLaterOne() {
    QFETCH(double, dropout);
    const auto model = build({{"dropout", dropout}});
    fill(*model);
    const at::Tensor ids = drawnIds().narrow(1, 0, kContext).contiguous();
    at::Tensor changed = ids.clone();
    changed.select(1, 20).add_(1).remainder_(kVocabulary);
    const at::Tensor a = forward(*model, ids, true), b = forward(*model, changed, true);
    QVERIFY(at::allclose(a.narrow(1, 0, 20), b.narrow(1, 0, 20), 0, 1e-6));
    QVERIFY(!at::allclose(a.narrow(1, 20, 1), b.narrow(1, 20, 1), 0, 1e-3));
    QVERIFY(!at::allclose(a.narrow(1, 31, 1), b.narrow(1, 31, 1), 0, 1e-6));
  }

  void droppingNothingIsTheFusedAttention() {
    const auto plain = build(), own = build({{"dropout", 1e-12}});
    fill(*plain);
    fill(*own);
    const at::Tensor ids = drawnIds().narrow(1, 0, kContext);
    QVERIFY(at::allclose(forward(*plain, ids, true), forward(*own, ids, true), 0, 1e-5));
    const auto dropped = build({{"dropout", 0.3}});
    fill(*dropped);
    QVERIFY(at::equal(forward(*dropped, ids), forward(*plain, ids)));  // evaluation
    QVERIFY(at::equal(forward(*dropped, ids, true, 5), forward(*dropped, ids, true, 5)));
    QVERIFY(!at::allclose(forward(*dropped, ids, true, 5), forward(*dropped, ids, true, 6), 0, 1e-3));
  }

  void blocksCanBeRunTwice() {
    const at::Tensor ids = drawnIds(), inputs_NT = ids.narrow(1, 0, kContext), targets_NT = ids.narrow(1, 1, kContext);
    std::vector<at::Tensor> once;
    for (const auto keep : {parallel::Keep::Graph, parallel::Keep::InputOnly}) {
      const auto model = build({{"dropout", 0.1}}, 3);
      models::RunContext context;
      context.training = true;
      parallel::Tape tape;
      tape.backwardFrom(lossOf(tape.forward(model->blocks(), {inputs_NT}, keep, context).front(), targets_NT));
      const auto parameters = model->parameters();
      for (size_t k = 0; k < parameters.size(); ++k) {
        if (keep == parallel::Keep::Graph)
          once.push_back(parameters[k].tensor.grad());
        else
          QVERIFY2(at::equal(parameters[k].tensor.grad(), once[k]), parameters[k].name.c_str());
      }
    }
  }

  void wrongShapesAreRefused() {
    const auto errorOf = [](const Json& params, models::InputShape input) {
      Json all{{"layers", 1}, {"width", 64}, {"heads", 2}};
      all.update(params);
      const auto made = models::make({"gpt", all}, input, 10, 0);
      return made ? Error{} : made.error();
    };
    QCOMPARE(errorOf(Json::object(), {3, 64, 64}).where, std::string("model.arch"));
    QCOMPARE(errorOf({{"heads", 3}}, {1, 1, 8}).where, std::string("model.heads"));
    const Error shorter = errorOf({{"context", 7}}, {1, 1, 8});
    QCOMPARE(shorter.where, std::string("model.context"));
    QVERIFY(shorter.what.find('7') != std::string::npos && shorter.hint.find('8') != std::string::npos);
    const auto longer = models::make({"gpt", {{"layers", 1}, {"width", 64}, {"heads", 2}, {"context", 100}}}, {1, 1, 8}, 10, 0);
    QVERIFY(longer);
    QCOMPARE((*longer)->parameters()[1].tensor.sizes().vec(), (std::vector<int64_t>{100, 64}));
    const auto checked = recipe::check({{"data", {{"path", "x"}}}, {"model", {{"arch", "gpt"}, {"width", 100}, {"heads", 3}}}});
    QVERIFY(std::any_of(checked.problems.begin(), checked.problems.end(), [](const auto& problem) { return problem.key == "model.width"; }));
  }

  void textAndPicturesNeedTheirOwnNetworks() {
    const auto cnn = train::openInput(storyRecipe({"model={arch=\"smallcnn\"}"}));
    QVERIFY(!cnn);
    QVERIFY2(cnn.error().where == "model.arch" && cnn.error().hint.find("gpt") != std::string::npos, toText(cnn.error()).c_str());
    auto flipped = storyRecipe();
    flipped.augment.push_back({"random_horizontal_flip", Json::object()});
    const auto augmented = train::openInput(flipped);
    QVERIFY(!augmented);
    QCOMPARE(augmented.error().where, std::string("augment"));
    const auto pictures = recipe::load(resourcesFolder() / "recipes/digits.toml", {"model={arch=\"gpt\"}"});
    QVERIFY2(pictures, pictures ? "" : toText(pictures.error()).c_str());
    const auto gpt = train::openInput(*pictures);
    QVERIFY(!gpt);
    QVERIFY2(gpt.error().where == "model.arch" && gpt.error().what.find("text") != std::string::npos, toText(gpt.error()).c_str());
  }

  // Inputs, targets and their place in the text.
  void batchesHoldTokensAndThoseThatFollow() {
    const auto input = train::openInput(storyRecipe());
    QVERIFY2(input, input ? "" : toText(input.error()).c_str());
    QCOMPARE(input->outputs, kVocabulary);
    loader::Options options;
    options.batch_size = 6;
    options.accumulate = 2;
    auto loader = loader::make(input->dataset, input->parts.train, input->training, options);
    const std::string text = story(120);
    uint64_t seen = 0;
    for (auto batch = loader->next(); batch && *batch; batch = loader->next()) {
      QCOMPARE((*batch)->weight, static_cast<double>((*batch)->samples.size()));
      const train::Tensors tensors = train::toTensors(**batch, at::kCPU);
      const auto samples = static_cast<int64_t>((*batch)->samples.size());
      QCOMPARE(tensors.images_NCHW.sizes().vec(), (std::vector<int64_t>{samples, kContext}));
      QCOMPARE(tensors.targets.sizes().vec(), (std::vector<int64_t>{samples, kContext}));
      for (int64_t i = 0; i < samples; ++i) {
        const uint64_t first = (*batch)->samples[static_cast<size_t>(i)] * kContext;
        for (int64_t t = 0; t < kContext; ++t) {
          QCOMPARE(tensors.images_NCHW[i][t].item<int64_t>(), int64_t{text[first + static_cast<uint64_t>(t)]});
          QCOMPARE(tensors.targets[i][t].item<int64_t>(), int64_t{text[first + static_cast<uint64_t>(t) + 1]});
        }
      }
      seen += (*batch)->samples.size();
    }
    QCOMPARE(seen, input->parts.train.size());
  }

  void aTextIsLearned() {
    const auto report = trainyardEngine()->train(storyRecipe(), path("learned"), {});
    QVERIFY2(report, report ? "" : toText(report.error()).c_str());
    QCOMPARE(report->state, std::string("finished"));
    const auto losses = valuesOf(path("learned"), "step"), evaluations = valuesOf(path("learned"), "eval");
    COMPARE_NEAR(losses.front(), std::log(256.0), 0.05, 0, "first loss: of a token, and nothing is known");
    QVERIFY2(losses.back() < 1.0, qPrintable(QString::number(losses.back())));
    QCOMPARE(evaluations.size(), size_t{6});
    COMPARE_NEAR(evaluations.back(), losses.back(), 0, 0.5, "held out");
  }

  void resumeEqualsTheUninterruptedRun() {
    const auto recipe = storyRecipe({"model.dropout=0.1", "train.accumulate=2"});
    const auto straight = trainyardEngine()->train(recipe, path("straight"), {});
    QVERIFY2(straight, straight ? "" : toText(straight.error()).c_str());
    std::atomic<int> stop{0};
    const auto at_step = [&stop](const runs::Event& event) {
      if (event.type == "step" && event.step.value_or(0) >= 17) stop = 1;
    };
    QVERIFY(trainyardEngine()->train(recipe, path("stopped"), {.event = at_step, .stop_requests = &stop}));
    const auto resumed = trainyardEngine()->resume(runs::Layout{path("stopped")}, {}, {});
    QVERIFY2(resumed, resumed ? "" : toText(resumed.error()).c_str());
    QCOMPARE(valuesOf(path("stopped"), "step"), valuesOf(path("straight"), "step"));
    QCOMPARE(valuesOf(path("stopped"), "eval"), valuesOf(path("straight"), "eval"));
  }
};

QTEST_APPLESS_MAIN(TestGpt)
#include "tst_gpt.moc"
