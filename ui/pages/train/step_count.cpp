#include "ui/pages/train/step_count.h"

#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

uint64_t countAt(const RecipeDocument& recipe, const char* key) {
  const Json value = recipe.value(key);
  return value.is_number_integer() && value.get<int64_t>() > 0 ? value.get<uint64_t>() : 0;
}

}  // namespace

StepCount countSteps(const Context& context) {
  StepCount count;
  if (const auto& facts = context.dataset->facts()) {
    count.training = facts->parts.train.size();
    count.validation = facts->parts.validation.size();
  }
  const uint64_t batch = countAt(*context.recipe, "train.batch_size");
  count.epochs = countAt(*context.recipe, "train.epochs");
  // The last update of an epoch takes what is left.
  if (batch > 0) count.per_epoch = (count.training + batch - 1) / batch;
  count.total = count.per_epoch * count.epochs;
  return count;
}

}  // namespace trainyard::ui
