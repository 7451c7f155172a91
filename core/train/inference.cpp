#include "core/train/inference.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

#include "core/data/image_decode.h"
#include "core/data/test_part.h"
#include "core/train/evaluator.h"
#include "core/train/recipe_compare.h"
#include "core/train/session.h"
#include "core/train/step_options.h"

namespace trainyard::train {

namespace {

struct Trained {
  recipe::Recipe recipe;
  DeviceName device;
  Json record;
  data::Task task = data::Task::Classes;
  std::vector<std::string> classes;
  models::InputShape shape;
  Loaded checkpoint;
  std::unique_ptr<models::Model> model;
  bool averaged = false;  // the moving average of the weights, which the best checkpoint is judged by
};

// Puts the checkpoint's average into the model; false where it has none.
bool useAverage(const models::Model& model, const Loaded& checkpoint) {
  at::NoGradGuard no_grad;
  bool found = false;
  for (auto& [name, tensor] : model.parameters()) {
    const at::Tensor* average = checkpoint.optimizer.find("ema." + name);
    if (average != nullptr) tensor.copy_(*average);
    found = found || average != nullptr;
  }
  return found;
}

// What a run needs to answer questions, without its data: shape and classes come from plan.json and classes.json.
Result<Trained> open(const runs::Layout& run) {
  TRAINYARD_TRY(recipe::Recipe recipe, currentRecipe(run));
  TRAINYARD_TRY(const std::string plan_text, readFile(run.plan()));
  TRAINYARD_TRY(const std::string class_text, readFile(run.classes()));
  const Json plan = Json::parse(plan_text, nullptr, false), classes = Json::parse(class_text, nullptr, false);
  if (!plan.is_object() || !plan.contains("input") || !classes.is_array()) return fail(ErrorCode::Data, "plan.json or classes.json is damaged", displayPath(run.dir));
  const models::InputShape shape{plan["input"][0].get<int64_t>(), plan["input"][1].get<int64_t>(), plan["input"][2].get<int64_t>()};
  TRAINYARD_TRY(Json record, readRecord(run));
  TRAINYARD_TRY(const DeviceName device, resolveDevice(recipe.parallel.devices.front()));
  TRAINYARD_CHECK(openDevice(device));
  at::init_num_threads();
  at::set_num_threads(arithmeticThreads(recipe));
  TRAINYARD_TRY(Loaded checkpoint, loadBest(run));
  TRAINYARD_TRY(auto model, modelFrom(recipe, shape, plan.value("classes", int64_t{0}), device, checkpoint));
  const bool averaged = useAverage(*model, checkpoint);
  const data::Task task = data::taskFrom(record);
  return Trained{std::move(recipe), device, std::move(record), task, classes.get<std::vector<std::string>>(), shape, std::move(checkpoint), std::move(model), averaged};
}

// Classes and labels: the likeliest, {class, index, probability}. Numbers: all of them, {class, index, value}.
Json topOf(const at::Tensor& answers_K, const Trained& trained, int top) {
  const bool numbers = trained.task == data::Task::Numbers;
  const int64_t count = numbers ? answers_K.numel() : std::min<int64_t>(std::max(top, 1), answers_K.numel());
  const at::Tensor order = numbers ? at::arange(count) : std::get<1>(answers_K.topk(count));
  Json list = Json::array();
  for (int64_t i = 0; i < count; ++i) {
    const auto index = order[i].item<int64_t>();
    const auto& names = trained.classes;
    const std::string name = static_cast<size_t>(index) < names.size() ? names[static_cast<size_t>(index)] : std::to_string(index);
    list.push_back({{"class", name}, {"index", index}, {numbers ? "value" : "probability", answers_K[index].item<double>()}});
  }
  return list;
}

// Evaluates, and writes what the network said of each sample to `file`; nowhere where that is empty.
Result<Evaluation> evaluateWriting(const fs::path& file, const models::Model& model, const Input& input, const std::vector<uint64_t>& part, const recipe::Recipe& recipe,
                                   const std::vector<std::string>& classes) {
  if (file.empty()) return evaluate(model, input, part, recipe);
  std::string table = csvHeader(input.task, classes);
  PredictionWishes wishes;
  wishes.each = [&](const Prediction& prediction) -> Result<void> {
    table += csvLine(prediction, input, classes);
    return {};
  };
  TRAINYARD_TRY(Evaluation evaluation, evaluate(model, input, part, recipe, {}, wishes));
  TRAINYARD_CHECK(replaceFile(file, table));
  return evaluation;
}

}  // namespace

Result<Json> evaluateRun(const runs::Layout& run, const EvaluateOptions& options) {
  TRAINYARD_TRY(Trained trained, open(run));
  recipe::Recipe recipe = trained.recipe;
  if (!options.data.empty()) recipe.data.validation = displayPath(fs::absolute(options.data));
  TRAINYARD_TRY(const Input input, openInput(recipe, trained.record));
  if (input.dataset->classes() != trained.classes) return fail(ErrorCode::Data, "the data's classes are not those the run was trained with", displayPath(run.classes()));
  const auto& part = options.test ? input.parts.test : input.parts.validation;
  const std::string name = options.test ? "test" : "validation";
  if (part.empty()) return fail(ErrorCode::Data, "there is no " + name + " part", "data." + name, "give a folder with --data");
  Json openings;
  if (options.test) {
    TRAINYARD_CHECK(data::recordOpening(recipe, displayPath(run.dir.filename()), part.size()));
    TRAINYARD_TRY(const data::TestPart record, data::testPartOf(recipe));
    openings = record.openings.size();
  }
  TRAINYARD_TRY(Evaluation evaluation, evaluateWriting(options.predictions, *trained.model, input, part, recipe, trained.classes));
  for (size_t k = 0; k < evaluation.per_class.size() && k < trained.classes.size(); ++k) evaluation.per_class[k]["class"] = trained.classes[k];
  return Json{{"split", name},
              {"samples", evaluation.samples},
              {"loss", jsonNumber(evaluation.loss)},
              {"metrics", evaluation.metrics},
              {"weights", trained.averaged ? "ema" : "raw"},
              {"per_class", evaluation.per_class},
              {"test_openings", openings},
              {"confusion", evaluation.confusion},
              {"classes", trained.classes},
              {"checkpoint", displayPath(trained.checkpoint.folder.lexically_relative(run.dir))}};
}

Result<Json> predictFiles(const runs::Layout& run, const std::vector<fs::path>& files, int top) {
  TRAINYARD_TRY(Trained trained, open(run));
  if (trained.record.contains("encoder")) {
    return fail(ErrorCode::Usage, "this run was trained on a table, and predict reads pictures", displayPath(run.dir), "evaluate it on another table: trainyard evaluate RUN --data FILE");
  }
  if (trained.task == data::Task::Tokens) {
    return fail(ErrorCode::Usage, "this run was trained on text, and predict reads pictures", displayPath(run.dir), "evaluate it on another text: trainyard evaluate RUN --data FILE");
  }
  const augment::Shape stored{static_cast<int>(trained.shape.channels), static_cast<int>(trained.shape.height), static_cast<int>(trained.shape.width)};
  recipe::Recipe recipe = trained.recipe;
  if (recipe.data.size == 0) recipe.data.size = stored.height;
  recipe.data.channels = stored.channels;
  TRAINYARD_TRY(const auto chain, augment::Chain::make(recipe, stored, false));
  Json answered = Json::array();
  for (const auto& file : files) {
    TRAINYARD_TRY(std::string bytes, readFile(file));
    TRAINYARD_TRY(const auto source, data::openImage(std::move(bytes), displayPath(file), data::decodeOptions(recipe.data)));
    at::Tensor image_NHWC = at::empty({1, stored.height, stored.width, stored.channels});
    TRAINYARD_CHECK(chain.apply(*source, {}, {image_NHWC.mutable_data_ptr<float>(), static_cast<size_t>(image_NHWC.numel())}));
    const at::Device device = trained.model->parameters().front().tensor.device();
    const at::Tensor answers_NK = answers(*trained.model, image_NHWC.permute({0, 3, 1, 2}).to(device), stepOptions(trained.recipe, trained.task));
    answered.push_back({{"file", displayPath(file)}, {"top", topOf(answers_NK[0], trained, top)}});
  }
  return answered;
}

}  // namespace trainyard::train
