#include "core/train/input.h"
#include "core/hardware/hardware.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <thread>

#include "core/hardware/readers.h"
#include "core/loader/kept_pictures.h"
#include "core/loader/preview.h"
#include "core/loader/texts.h"
#include "core/loader/workers.h"
#include "core/train/device.h"

namespace trainyard::train {

namespace {

uint64_t availableMemory() {
  const hardware::Memory memory = hardware::readMemory("/");
  return std::min(memory.available_bytes, memory.limit_bytes.value_or(UINT64_MAX));
}

// Where the first label stands that `classes` outputs have no place for.
std::string firstBeyond(const data::Dataset& dataset, int64_t classes) {
  for (uint64_t i = 0; i < dataset.size(); ++i) {
    if (dataset.label(i) >= classes) return dataset.labelPlace(i) + " is of class \"" + dataset.classes()[static_cast<size_t>(dataset.label(i))] + "\"";
  }
  return "no sample has the last";
}

Result<void> checkSizes(const recipe::Recipe& recipe, const Input& input) {
  if (recipe.train.accumulate > recipe.train.batch_size) {
    return fail(ErrorCode::Recipe, "a batch of " + std::to_string(recipe.train.batch_size) + " cannot be split into " + std::to_string(recipe.train.accumulate) + " passes", "train.accumulate",
                "use at most train.batch_size passes");
  }
  if (recipe.model.classes != 0 && input.task == data::Task::Classes && recipe.model.classes < input.outputs) {
    return fail(ErrorCode::Recipe, "model.classes = " + std::to_string(recipe.model.classes) + ", but the data has " + std::to_string(input.outputs) + " classes: " + firstBeyond(*input.dataset, recipe.model.classes), "model.classes",
                "leave it out, or use at least " + std::to_string(input.outputs));
  }
  return {};
}

Result<void> preparePictures(const recipe::Recipe& recipe, Input& input) {
  if (recipe.model.arch.id == "gpt") {
    return fail(ErrorCode::Recipe, "\"gpt\" is a network for text, and the data has pictures", "model.arch", "use a network for pictures, such as \"resnet18\"; or data.format = \"text\"");
  }
  TRAINYARD_TRY(const augment::Shape stored, loader::storedShape(*input.dataset, input.parts.train));
  TRAINYARD_TRY(auto training, augment::Chain::make(recipe, stored, true));
  TRAINYARD_TRY(auto evaluation, augment::Chain::make(recipe, stored, false));
  const augment::Shape shape = training.shape(), evaluated = evaluation.shape();
  if (shape.height != evaluated.height || shape.width != evaluated.width) {
    return fail(ErrorCode::Recipe, "training pictures are " + std::to_string(shape.width) + " × " + std::to_string(shape.height) + ", validation pictures would be " + std::to_string(evaluated.width) + " × " + std::to_string(evaluated.height),
                "augment", "set data.size so that both get the same size");
  }
  input.training = loader::pictures(std::make_shared<const augment::Chain>(std::move(training)));
  input.evaluation = loader::pictures(std::make_shared<const augment::Chain>(std::move(evaluation)));
  input.mixer = augment::Mixer::make(recipe);
  std::vector<uint64_t> used = input.parts.train;
  used.insert(used.end(), input.parts.validation.begin(), input.parts.validation.end());
  const auto keeping = loader::keeping(*input.dataset, used, recipe.data, shape, availableMemory());
  input.dataset = loader::withKeptPictures(input.dataset, keeping);
  return {};
}

Result<void> prepareRows(const recipe::Recipe& recipe, data::TableEncoder encoder, Input& input) {
  if (!recipe.augment.empty()) return fail(ErrorCode::Recipe, "a table has no pictures to augment", "augment", "remove the steps");
  if (recipe.model.arch.id != "mlp" && recipe.model.arch.id != "layers") {
    const std::string use = recipe.model.arch.id == "gpt" ? "text" : "pictures";
    return fail(ErrorCode::Recipe, "\"" + recipe.model.arch.id + "\" is a network for " + use + ", and the data is a table", "model.arch", "use \"mlp\", or \"layers\"");
  }
  input.training = input.evaluation = loader::rows(std::move(encoder));
  return {};
}

Result<void> prepareTexts(const recipe::Recipe& recipe, Input& input) {
  if (!recipe.augment.empty()) return fail(ErrorCode::Recipe, "a text has no pictures to augment", "augment", "remove the steps");
  if (recipe.model.arch.id != "gpt") {
    return fail(ErrorCode::Recipe, "\"" + recipe.model.arch.id + "\" is no network for text", "model.arch", "use \"gpt\"");
  }
  input.training = input.evaluation = loader::texts(recipe.data.format.params.value("context", 256));
  return {};
}

}  // namespace

Result<Input> openInput(const recipe::Recipe& recipe, const Json& record) {
  TRAINYARD_TRY(data::TrainingData opened, data::openForTraining(recipe, record));
  Input input;
  input.changed = data::changedSince(record, opened);
  input.record = record.is_object() ? record : data::recordOf(opened);
  input.dataset = opened.dataset;
  input.parts = std::move(opened.parts);
  input.task = input.dataset->task();
  input.outputs = static_cast<int64_t>(input.dataset->classes().size());
  TRAINYARD_CHECK(checkSizes(recipe, input));
  if (recipe.model.classes != 0 && input.task == data::Task::Classes) input.outputs = recipe.model.classes;
  if (opened.encoder) {
    TRAINYARD_CHECK(prepareRows(recipe, std::move(*opened.encoder), input));
  } else if (input.task == data::Task::Tokens) {
    TRAINYARD_CHECK(prepareTexts(recipe, input));
  } else {
    TRAINYARD_CHECK(preparePictures(recipe, input));
  }
  const augment::Shape shape = input.training->shape();
  input.shape = {shape.channels, shape.height, shape.width};
  TRAINYARD_TRY(const DeviceName device, resolveDevice(recipe.parallel.devices.front()));
  const int ranks = static_cast<int>(recipe.parallel.devices.size()), training_threads = device.cuda ? ranks : ranks * arithmeticThreads(recipe);
  input.workers = loader::workersFor(recipe.data.workers, input.dataset->inMemory(), static_cast<int>(std::thread::hardware_concurrency()), training_threads);
  return input;
}

Result<Json> readRecord(const runs::Layout& run) {
  std::error_code ignored;
  if (!fs::exists(run.data(), ignored)) return Json();
  TRAINYARD_TRY(const std::string text, readFile(run.data()));
  Json record = Json::parse(text, nullptr, false);
  if (!record.is_object()) return fail(ErrorCode::Data, "data.json is damaged", displayPath(run.data()));
  return record;
}

int arithmeticThreads(const recipe::Recipe& recipe) {
  if (recipe.train.threads > 0) return recipe.train.threads;
  return std::max(1, (static_cast<int>(std::thread::hardware_concurrency()) - 1) / static_cast<int>(recipe.parallel.devices.size()));
}

}  // namespace trainyard::train
