#include "core/train/input.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <thread>

namespace trainyard::train {

namespace {

at::Tensor viewOf(const loader::TensorView& view, const std::shared_ptr<void>& lease) {
  const at::ScalarType type = view.element == loader::Element::F32 ? at::kFloat : view.element == loader::Element::I64 ? at::kLong : view.element == loader::Element::BF16 ? at::kBFloat16 : at::kByte;
  return at::from_blob(view.data, view.sizes, view.strides, [lease](void*) {}, at::TensorOptions(type));
}

// Height, width and channels of the first picture that can be read; broken ones are the loader's to replace.
Result<augment::Shape> storedShape(const Input& input) {
  std::optional<Error> first_error;
  for (const uint64_t index : input.parts.train) {
    const auto picture = input.dataset->picture(index);
    if (picture) return augment::Shape{picture->channels(), picture->rows, picture->cols};
    if (!first_error) first_error = picture.error();
  }
  return tl::unexpected(*first_error);
}

}  // namespace

Result<Input> openInput(const recipe::Recipe& recipe) {
  TRAINYARD_TRY(data::Opened opened, data::openWithSplit(recipe.data, recipe.run.seed));
  Input input;
  input.dataset = std::move(opened.dataset);
  input.parts = std::move(opened.parts);
  if (recipe.train.batch_size > input.parts.train.size()) {
    return fail(ErrorCode::Recipe, "the batch of " + std::to_string(recipe.train.batch_size) + " is larger than the training part of " + std::to_string(input.parts.train.size()) + " samples",
                "train.batch_size", "use at most " + std::to_string(input.parts.train.size()));
  }
  if (recipe.train.accumulate > recipe.train.batch_size) {
    return fail(ErrorCode::Recipe, "a batch of " + std::to_string(recipe.train.batch_size) + " cannot be split into " + std::to_string(recipe.train.accumulate) + " passes", "train.accumulate",
                "use at most train.batch_size passes");
  }
  input.classes = static_cast<int64_t>(input.dataset->classes().size());
  if (recipe.model.classes != 0) {
    if (recipe.model.classes < input.classes) {
      return fail(ErrorCode::Recipe, "model.classes = " + std::to_string(recipe.model.classes) + ", but the data has " + std::to_string(input.classes) + " classes", "model.classes",
                  "leave it out, or use at least " + std::to_string(input.classes));
    }
    input.classes = recipe.model.classes;
  }
  TRAINYARD_TRY(const augment::Shape stored, storedShape(input));
  TRAINYARD_TRY(auto training, augment::Chain::make(recipe, stored, true));
  TRAINYARD_TRY(auto evaluation, augment::Chain::make(recipe, stored, false));
  const augment::Shape shape = training.shape(), evaluated = evaluation.shape();
  if (shape.height != evaluated.height || shape.width != evaluated.width) {
    return fail(ErrorCode::Recipe, "training pictures are " + std::to_string(shape.width) + " × " + std::to_string(shape.height) + ", validation pictures would be " + std::to_string(evaluated.width) + " × " + std::to_string(evaluated.height),
                "augment", "set data.size so that both get the same size");
  }
  input.shape = {shape.channels, shape.height, shape.width};
  input.training = loader::pictures(std::make_shared<const augment::Chain>(std::move(training)));
  input.evaluation = loader::pictures(std::make_shared<const augment::Chain>(std::move(evaluation)));
  return input;
}

int loaderWorkers(const recipe::Recipe& recipe, const Input& input) {
  if (recipe.data.workers > 0) return recipe.data.workers;
  if (input.dataset->inMemory()) return 1;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) - 1, 1, 16);
}

Tensors toTensors(const loader::Batch& batch, at::Device device) {
  Tensors tensors{viewOf(batch.inputs, batch.lease), viewOf(batch.targets, batch.lease)};
  if (device.is_cpu()) return tensors;
  return {tensors.images_NCHW.to(device, tensors.images_NCHW.scalar_type(), true), tensors.labels_N.to(device, tensors.labels_N.scalar_type(), true)};
}

}  // namespace trainyard::train
