#pragma once
// What a recipe asks of a step.
#include "core/train/input.h"
#include "core/train/train_step.h"

namespace trainyard::train {

// As the recipe asks for, with the weights of the classes (balanced ones from the training part). Error Recipe.
Result<LossOptions> lossOptions(const recipe::Recipe& recipe, const Input& input);

// Whether a step can be made as the recipe asks for: loss, weights of classes, balanced drawing, patterns of parameters. Error Recipe.
Result<void> checkStep(const recipe::Recipe& recipe, const Input& input, const models::Model& model);

// The options a recipe asks for. Without the data there are no weights of classes: for evaluation. Error Recipe.
StepOptions stepOptions(const recipe::Recipe& recipe, data::Task task);
Result<StepOptions> stepOptions(const recipe::Recipe& recipe, const Input& input);

}  // namespace trainyard::train
