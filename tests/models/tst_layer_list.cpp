#include <QTest>
#include <set>

#include "core/catalogue/layers.h"
#include "core/models/layer_kinds.h"
#include "core/models/summary.h"
#include "core/parallel/tape.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using models::InputShape;

namespace {

// [model] layers as a recipe has it after its check, defaults filled in.
Json checkedLayers(const Json& layers) {
  const Json document{{"run", {{"name", "x"}}}, {"data", {{"path", "x"}}}, {"model", {{"arch", "layers"}, {"layers", layers}}}};
  const auto checked = recipe::check(document);
  if (!checked.problems.empty()) qFatal("%s", toText(checked.problems.front().error).c_str());
  return checked.document.at("model").at("layers");
}

Result<std::unique_ptr<models::Model>> make(const Json& layers, InputShape input = {3, 16, 16}, int64_t classes = 10) { return models::make({"layers", {{"layers", checkedLayers(layers)}}}, input, classes, 5); }

golden::Data drawn() {
  at::Generator generator = at::detail::createCPUGenerator(1);
  golden::Data made;
  made.images_NCHW = at::randn({4, 3, 16, 16}, generator, at::TensorOptions(at::kFloat));
  made.labels_N = at::randint(0, 10, {4}, generator, at::TensorOptions(at::kLong));
  return made;
}

Json layer(const char* type, Json more = Json::object()) {
  Json table{{"type", type}};
  table.update(more);
  return table;
}

}  // namespace

class TestLayerList : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void makersMatchTheCatalogue() {
    std::set<std::string> listed;
    for (const auto& entry : catalogue::layers()) QVERIFY(listed.insert(entry.id).second);
    const auto made = models::madeLayerIds();
    QCOMPARE(std::set<std::string>(made.begin(), made.end()), listed);
  }

  void equalPyTorchs_data() {
    QTest::addColumn<QString>("network");
    for (const char* network : {"sequence", "residual"}) QTest::newRow(network) << network;
  }
  void equalPyTorchs() {
    QFETCH(QString, network);
    const Json expected = golden::readFrom("layers.json").at(network.toStdString());
    const auto made = make(expected.at("layers"));
    QVERIFY2(made, made ? "" : toText(made.error()).c_str());
    const models::Model& model = **made;
    Json state = Json::array();
    for (const auto& [name, tensor] : model.state()) state.push_back({name, tensor.sizes().vec()});
    QCOMPARE(QString::fromStdString(compactJson(state)), QString::fromStdString(compactJson(expected.at("state"))));
    golden::fill(model);
    models::moveTo(model, at::kCPU);
    const auto [images_NCHW, labels_N] = drawn();
    models::RunContext context;
    {
      at::NoGradGuard no_grad;
      const at::Tensor logits = models::forward(model, images_NCHW, context).flatten();
      for (int64_t i = 0; i < logits.numel(); ++i) COMPARE_NEAR(logits[i].item<double>(), expected["logits"][static_cast<size_t>(i)].get<double>(), 1e-5, 1e-5, "logit");
    }
    context.training = true;
    const at::Tensor loss = at::cross_entropy_loss(models::forward(model, images_NCHW, context), labels_N);
    COMPARE_NEAR(loss.item<double>(), expected["loss"].get<double>(), 1e-5, 0, "loss");
    loss.backward();
    for (const auto& [name, tensor] : model.parameters()) {
      COMPARE_NEAR(tensor.grad().to(at::kDouble).abs().sum().item<double>(), expected["gradients"].at(name).get<double>(), 1e-4, 2e-6, name);
    }
    for (const auto& [name, tensor] : model.buffers()) {
      COMPARE_NEAR(tensor.to(at::kDouble).abs().sum().item<double>(), expected["buffers"].at(name).get<double>(), 1e-5, 1e-7, name);
    }
  }

  void everyKindWorksWithItsDefaults_data() {
    QTest::addColumn<QString>("kind");
    for (const auto& entry : catalogue::layers()) QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
  }
  void everyKindWorksWithItsDefaults() {
    QFETCH(QString, kind);
    Json probe = layer(kind.toUtf8().constData());
    if (kind == "conv2d") probe["out"] = 4;
    if (kind == "group_norm") probe["groups"] = 4;  // the default is for wide networks
    if (kind == "add" || kind == "multiply" || kind == "concat") probe["from"] = {"first"};
    const bool list = kind == "batch_norm1d" || kind == "layer_norm" || kind == "linear";
    Json layers = Json::array({layer("conv2d", {{"out", 4}, {"padding", 1}, {"name", "first"}})});
    if (list) layers.push_back(layer("flatten"));
    layers.push_back(probe);
    layers.push_back(layer("flatten"));
    layers.push_back(layer("linear"));
    if (kind == "linear") {
      layers.erase(3);
      layers.erase(3);
    }
    const auto made = make(layers);
    QVERIFY2(made, made ? "" : toText(made.error()).c_str());
    models::RunContext context;
    context.training = true;
    const at::Tensor logits = models::forward(**made, at::randn({2, 3, 16, 16}), context);
    QCOMPARE(logits.sizes().vec(), (std::vector<int64_t>{2, 10}));
    QVERIFY(at::isfinite(logits).all().item<bool>());
  }

  void theUsualLayersNeedNoMore() {
    QVERIFY(checkedLayers(catalogue::usualLayers()) == catalogue::usualLayers());
    QVERIFY(models::make({"layers", {{"layers", catalogue::usualLayers()}}}, {1, 28, 28}, 10, 0));
  }

  // Only where a single value crosses: so checkpointing and pipelines can cut there.
  void blocksEndWhereOneValueCrosses() {
    const auto made = make(golden::readFrom("layers.json").at("residual").at("layers"));
    QVERIFY(made);
    std::vector<std::string> names;
    for (const auto& block : (*made)->blocks()) names.push_back(block.name);
    QCOMPARE(names, (std::vector<std::string>{"c1", "9", "wide", "11", "shared", "18", "head"}));
    const auto [images_NCHW, labels_N] = drawn();
    std::vector<std::vector<at::Tensor>> gradients;
    for (const auto keep : {parallel::Keep::Graph, parallel::Keep::InputOnly}) {
      models::RunContext context;
      context.training = true;
      parallel::Tape tape;
      const auto outputs = tape.forward((*made)->blocks(), models::Values{images_NCHW}, keep, context);
      tape.backwardFrom(at::cross_entropy_loss(outputs.front(), labels_N));
      gradients.emplace_back();
      for (const auto& named : (*made)->parameters()) {
        gradients.back().push_back(named.tensor.grad().clone());
        named.tensor.mutable_grad().reset();
      }
    }
    for (size_t i = 0; i < gradients[0].size(); ++i) QVERIFY(at::equal(gradients[0][i], gradients[1][i]));
  }

  void dropoutForgetsWhileTraining() {
    const auto made = make(Json::array({layer("flatten"), layer("dropout", {{"p", 0.5}}), layer("linear")}));
    QVERIFY(made);
    models::RunContext context;
    const at::Tensor images = at::ones({2, 3, 16, 16});
    const at::Tensor still = models::forward(**made, images, context);
    QVERIFY(at::equal(still, models::forward(**made, images, context)));
    context.training = true;
    const at::Tensor first = models::forward(**made, images, context);
    QVERIFY(!at::equal(first, still));
    QVERIFY(at::equal(first, models::forward(**made, images, context)));
    context.step = 1;
    QVERIFY(!at::equal(first, models::forward(**made, images, context)));
  }

  void whatDoesNotFitIsSaid_data() {
    QTest::addColumn<QString>("layers");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const Json& layers, const char* where, const char* says) { QTest::newRow(name) << QString::fromStdString(layers.dump()) << where << says; };
    const Json conv = layer("conv2d", {{"out", 4}, {"name", "c"}}), end = layer("linear"), flat = layer("flatten");
    row("kernel too large", Json::array({layer("conv2d", {{"out", 4}, {"kernel", 17}}), flat, end}), "model.layers[0]", "layer \"0\" (conv2d) a kernel of 17 × 17 does not fit into 3 × 16 × 16");
    row("groups", Json::array({layer("conv2d", {{"out", 4}, {"groups", 2}}), flat, end}), "model.layers[0]", "cannot be cut into 2 groups");
    row("linear on a picture", Json::array({conv, end}), "model.layers[1]", "needs a list of numbers and gets 4 × 14 × 14");
    row("convolution on a list", Json::array({flat, conv}), "model.layers[1]", "layer \"c\" (conv2d) needs channels × height × width and gets 768");
    row("no outputs", Json::array({flat, end, end}), "model.layers[1]", "does not say how many");
    row("unequal sum", Json::array({conv, layer("conv2d", {{"out", 5}}), layer("add", {{"from", {"c"}}}), flat, end}), "model.layers[2]", "cannot add 4 × 14 × 14 to 5 × 12 × 12");
    row("unequal product", Json::array({conv, layer("conv2d", {{"out", 4}}), layer("multiply", {{"from", {"c"}}}), flat, end}), "model.layers[2]", "cannot multiply 4 × 12 × 12 by 4 × 14 × 14");
    row("unequal beside", Json::array({conv, layer("conv2d", {{"out", 4}}), layer("concat", {{"from", {"c"}}}), flat, end}), "model.layers[2]", "cannot put 4 × 14 × 14 beside 4 × 12 × 12");
    row("unknown name", Json::array({conv, layer("add", {{"from", {"d"}}}), flat, end}), "model.layers[1].from", "there is no layer \"d\"");
    row("later name", Json::array({conv, layer("add", {{"from", {"e"}}}), layer("flatten", {{"name", "e"}}), end}), "model.layers[1].from", "layer \"e\" comes later");
    row("its own name", Json::array({conv, layer("relu", {{"input", "r"}, {"name", "r"}}), flat, end}), "model.layers[1].input", "comes later");
    row("name twice", Json::array({conv, conv, flat, end}), "model.layers[1].name", "the name \"c\" is taken");
    row("name of a place", Json::array({layer("relu", {{"name", "1"}}), flat, end}), "model.layers[1].name", "the name \"1\" is taken");
    row("other outputs", Json::array({flat, layer("linear", {{"out", 9}})}), "model.layers[1]", "gives 9; 10 numbers are needed");
    row("picture at the end", Json::array({conv}), "model.layers[0]", "gives 4 × 14 × 14; 10 numbers");
    row("padding", Json::array({layer("max_pool2d", {{"kernel", 3}, {"padding", 2}}), flat, end}), "model.layers[0]", "more than half the window of 3");
  }
  void whatDoesNotFitIsSaid() {
    QFETCH(QString, layers);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const auto made = make(Json::parse(layers.toStdString()));
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::Recipe);
    QCOMPARE(QString::fromStdString(made.error().where), where);
    QVERIFY2(QString::fromStdString(made.error().what).contains(says), made.error().what.c_str());
  }

  void recipesAreCheckedLayerByLayer() {
    const auto problemOf = [](const Json& layers) {
      const Json document{{"run", {{"name", "x"}}}, {"data", {{"path", "x"}}}, {"model", {{"arch", "layers"}, {"layers", layers}}}};
      const auto checked = recipe::check(document);
      return checked.problems.empty() ? std::string("none") : checked.problems.front().key;
    };
    QCOMPARE(problemOf(Json::array({layer("conv2d")})), std::string("model.layers[0].out"));
    QCOMPARE(problemOf(Json::array({layer("conv3d")})), std::string("model.layers[0].type"));
    QCOMPARE(problemOf(Json::array({layer("relu", {{"p", 1}})})), std::string("model.layers[0].p"));
    QCOMPARE(problemOf(Json::array()), std::string("model.layers"));
    const auto checked = recipe::check({{"run", {{"name", "x"}}}, {"data", {{"path", "x"}}}, {"layer", Json::array()}});
    QVERIFY(!checked.problems.empty());
    QCOMPARE(checked.problems.front().key, std::string("layer"));
    // A list of tables survives being written and read.
    const Json document{{"run", {{"name", "x"}}}, {"data", {{"path", "x"}}}, {"model", {{"arch", "layers"}}}};
    const Json whole = recipe::check(document).document;
    const auto parsed = recipe::parseToml(recipe::writeToml(whole), "x");
    QVERIFY(parsed);
    QVERIFY(recipe::check(parsed->document).document == whole);
    QVERIFY(whole.at("model").at("layers") == catalogue::usualLayers());
  }

  // ---- the table of layers ----

  void resnetCountsAsPublished() {
    const auto model = models::make(golden::archOf("resnet18"), {3, 224, 224}, 1000, 0);
    QVERIFY(model);
    const auto summary = models::summarize(**model, {3, 224, 224}, false, [](const std::string& name) { return name.starts_with("conv1") || name.starts_with("layer1."); });
    QCOMPARE(summary.parameters, uint64_t{11689512});
    QCOMPARE(summary.multiply_adds, uint64_t{1814073344});  // torchvision publishes 1.814 G
    QCOMPARE(summary.layers.front().name, std::string("conv1"));
    QCOMPARE(summary.layers.front().kind, std::string("Conv2d"));
    QCOMPARE(summary.layers.front().output, (std::vector<int64_t>{64, 112, 112}));
    QCOMPARE(summary.layers.front().parameters, uint64_t{9408});
    QCOMPARE(summary.layers.front().multiply_adds, uint64_t{118013952});
    QCOMPARE(summary.layers.front().activation_bytes, uint64_t{64 * 112 * 112 * 4});
    QVERIFY(summary.layers.front().frozen);
    QCOMPARE(summary.layers.back().name, std::string("fc"));
    QCOMPARE(summary.layers.back().output, (std::vector<int64_t>{1000}));
    QVERIFY(!summary.layers.back().frozen);
    QCOMPARE(summary.trainable, summary.parameters - 9408 - 147968);
    uint64_t parameters = 0;
    for (const auto& row : summary.layers) parameters += row.parameters;
    QCOMPARE(parameters, summary.parameters);
    QCOMPARE(summary.bytes, (summary.parameters + 9600) * 4 + 20 * 8);  // running means and variances; counters
  }

  // Attention, a token that stands alone, a fused weight taken in parts, a weight used twice.
  void otherOperatorsAreCounted() {
    models::BlockList blocks(0);
    const at::Tensor token = blocks.store().parameter("token", {1, 1, 8}), fused = blocks.store().parameter("attention.qkv", {24, 8});
    blocks.add("attention", [=](const at::Tensor& x, models::RunContext&) {
      const at::Tensor sequence = at::cat({token, x.flatten(2).transpose(1, 2)}, 1);
      const auto parts = fused.chunk(3);
      return at::scaled_dot_product_attention(at::linear(sequence, parts[0]), at::linear(sequence, parts[1]), at::linear(sequence, parts[2]));
    });
    const at::Tensor weight = blocks.store().parameter("head.weight", {8, 8});
    blocks.add("head", [=](const at::Tensor& x, models::RunContext&) { return at::linear(at::matmul(x.select(1, 0), weight), weight); });
    const auto model = blocks.finish(false);
    const auto summary = models::summarize(*model, {8, 2, 2}, false, [](const std::string&) { return false; });
    std::vector<std::string> kinds;
    for (const auto& row : summary.layers) kinds.push_back(row.kind + " " + row.name + " " + std::to_string(row.parameters) + " " + std::to_string(row.multiply_adds));
    QCOMPARE(kinds, (std::vector<std::string>{"Parameter token 8 0", "Linear attention 192 320", "Linear attention 0 320", "Linear attention 0 320", "Attention attention 0 400", "MatMul head 64 64", "Linear head 0 64"}));
  }
};

QTEST_APPLESS_MAIN(TestLayerList)
#include "tst_layer_list.moc"
