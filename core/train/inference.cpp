#include "core/train/inference.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

#include "core/data/image_decode.h"
#include "core/train/evaluator.h"
#include "core/train/session.h"

namespace trainyard::train {

namespace {

struct Trained {
  recipe::Recipe recipe;
  DeviceName device;
  std::vector<std::string> classes;
  models::InputShape shape;
  Loaded checkpoint;
  std::unique_ptr<models::Model> model;
};

// What a run needs to answer questions, without its data: shape and classes come from plan.json and classes.json.
Result<Trained> open(const runs::Layout& run) {
  TRAINYARD_TRY(recipe::Recipe recipe, recipe::load(run.recipe()));
  TRAINYARD_TRY(const std::string plan_text, readFile(run.plan()));
  TRAINYARD_TRY(const std::string class_text, readFile(run.classes()));
  const Json plan = Json::parse(plan_text, nullptr, false), classes = Json::parse(class_text, nullptr, false);
  if (!plan.is_object() || !plan.contains("input") || !classes.is_array()) return fail(ErrorCode::Data, "plan.json or classes.json is damaged", displayPath(run.dir));
  const models::InputShape shape{plan["input"][0].get<int64_t>(), plan["input"][1].get<int64_t>(), plan["input"][2].get<int64_t>()};
  TRAINYARD_TRY(const DeviceName device, resolveDevice(recipe.parallel.devices.front()));
  TRAINYARD_CHECK(openDevice(device));
  at::init_num_threads();
  at::set_num_threads(arithmeticThreads(recipe));
  TRAINYARD_TRY(Loaded checkpoint, loadBest(run));
  TRAINYARD_TRY(auto model, modelFrom(recipe, shape, plan.value("classes", int64_t{0}), device, checkpoint));
  return Trained{std::move(recipe), device, classes.get<std::vector<std::string>>(), shape, std::move(checkpoint), std::move(model)};
}

Json topOf(const at::Tensor& probabilities_K, const std::vector<std::string>& classes, int top) {
  const auto count = std::min<int64_t>(std::max(top, 1), probabilities_K.numel());
  const auto [values, indices] = probabilities_K.topk(count);
  Json list = Json::array();
  for (int64_t i = 0; i < count; ++i) {
    const auto index = indices[i].item<int64_t>();
    const std::string name = static_cast<size_t>(index) < classes.size() ? classes[static_cast<size_t>(index)] : std::to_string(index);
    list.push_back({{"class", name}, {"index", index}, {"probability", values[i].item<double>()}});
  }
  return list;
}

}  // namespace

Result<Json> evaluateRun(const runs::Layout& run, const fs::path& data) {
  TRAINYARD_TRY(Trained trained, open(run));
  recipe::Recipe recipe = trained.recipe;
  if (!data.empty()) recipe.data.validation = displayPath(fs::absolute(data));
  TRAINYARD_TRY(const Input input, openInput(recipe));
  if (input.dataset->classes() != trained.classes) return fail(ErrorCode::Data, "the data's classes are not those the run was trained with", displayPath(run.classes()));
  TRAINYARD_TRY(const Evaluation evaluation, evaluate(*trained.model, input, input.parts.validation, recipe));
  return Json{{"samples", evaluation.samples},
              {"loss", jsonNumber(evaluation.loss)},
              {"metrics", evaluation.metrics()},
              {"confusion", evaluation.confusion},
              {"classes", trained.classes},
              {"checkpoint", displayPath(trained.checkpoint.folder.lexically_relative(run.dir))}};
}

Result<Json> predictFiles(const runs::Layout& run, const std::vector<fs::path>& files, int top) {
  TRAINYARD_TRY(Trained trained, open(run));
  const augment::Shape stored{static_cast<int>(trained.shape.channels), static_cast<int>(trained.shape.height), static_cast<int>(trained.shape.width)};
  recipe::Recipe recipe = trained.recipe;
  if (recipe.data.size == 0) recipe.data.size = stored.height;
  recipe.data.channels = stored.channels;
  TRAINYARD_TRY(const auto chain, augment::Chain::make(recipe, stored, false));
  Json answers = Json::array();
  for (const auto& file : files) {
    TRAINYARD_TRY(const cv::Mat picture, data::decodeImageFile(file));
    at::Tensor image_NHWC = at::empty({1, stored.height, stored.width, stored.channels});
    TRAINYARD_CHECK(chain.apply(picture, {}, {image_NHWC.mutable_data_ptr<float>(), static_cast<size_t>(image_NHWC.numel())}));
    const at::Device device = trained.model->parameters().front().tensor.device();
    const at::Tensor probabilities_NK = probabilities(*trained.model, image_NHWC.permute({0, 3, 1, 2}).to(device), stepOptions(trained.recipe));
    answers.push_back({{"file", displayPath(file)}, {"top", topOf(probabilities_NK[0], trained.classes, top)}});
  }
  return answers;
}

}  // namespace trainyard::train
