#include "core/train/model_show.h"

#include <algorithm>
#include <numeric>

#include "core/augment/chain.h"
#include "core/base/pattern.h"
#include "core/loader/preview.h"
#include "core/models/summary.h"
#include "core/train/input.h"

namespace trainyard::train {

namespace {

struct Known {
  models::InputShape shape;
  int64_t classes = 0;
  bool tokens = false, from_data = true;
};

constexpr int kUsualSize = 224, kUsualClasses = 10;

// The size of pictures of which nothing is known but the recipe.
Result<Known> fromRecipe(const recipe::Recipe& recipe) {
  Known known;
  known.from_data = false;
  known.classes = recipe.model.classes != 0 ? recipe.model.classes : kUsualClasses;
  if (recipe.data.format.id == "text") {
    known.tokens = true;
    known.shape = {1, 1, static_cast<int64_t>(recipe.data.format.number("context", 256))};
    known.classes = 256;
    return known;
  }
  const int channels = recipe.data.channels != 0 ? recipe.data.channels : 3, size = recipe.data.size != 0 ? recipe.data.size : kUsualSize;
  TRAINYARD_TRY(const auto chain, augment::Chain::make(recipe, {channels, size, size}, false));
  known.shape = {chain.shape().channels, chain.shape().height, chain.shape().width};
  return known;
}

// Pictures without the scan of them all that training begins with.
Result<Known> fromData(const recipe::Recipe& recipe) {
  TRAINYARD_TRY(const auto dataset, data::open(recipe.data));
  Known known;
  if (dataset->columns() != nullptr || dataset->task() == data::Task::Tokens) {
    TRAINYARD_TRY(const Input input, openInput(recipe));
    known.shape = input.shape;
    known.classes = input.outputs;
    known.tokens = input.task == data::Task::Tokens;
    return known;
  }
  std::vector<uint64_t> all(dataset->size());
  std::iota(all.begin(), all.end(), uint64_t{0});
  TRAINYARD_TRY(const augment::Shape stored, loader::storedShape(*dataset, all));
  TRAINYARD_TRY(const auto chain, augment::Chain::make(recipe, stored, false));
  known.shape = {chain.shape().channels, chain.shape().height, chain.shape().width};
  const bool fixed = recipe.model.classes != 0 && dataset->task() == data::Task::Classes;
  known.classes = fixed ? recipe.model.classes : static_cast<int64_t>(dataset->classes().size());
  return known;
}

bool isFrozen(const recipe::Recipe& recipe, const std::string& name) {
  const auto& freeze = recipe.model.freeze;
  if (std::any_of(freeze.begin(), freeze.end(), [&](const std::string& pattern) { return matchesPattern(pattern, name); })) return true;
  const auto& rules = recipe.parameters;
  const auto last = std::find_if(rules.rbegin(), rules.rend(), [&](const auto& rule) { return matchesPattern(rule.match, name); });
  return last != rules.rend() && last->frozen;
}

Json toJson(const models::LayerRow& row) {
  return {{"name", row.name},
          {"kind", row.kind},
          {"output", row.output},
          {"parameters", row.parameters},
          {"multiply_adds", row.multiply_adds},
          {"activation_bytes", row.activation_bytes},
          {"frozen", row.frozen}};
}

}  // namespace

Result<Json> showModel(const recipe::Recipe& recipe) {
  auto known = fromData(recipe);
  if (!known) known = fromRecipe(recipe);
  if (!known) return tl::unexpected(std::move(known.error()));
  TRAINYARD_TRY(const auto model, models::make(recipe.model.arch, known->shape, known->classes, recipe.run.seed));
  const models::Summary summary = models::summarize(*model, known->shape, known->tokens, [&](const std::string& name) { return isFrozen(recipe, name); });
  Json layers = Json::array();
  for (const auto& row : summary.layers) layers.push_back(toJson(row));
  const auto& shape = known->shape;
  const Json input = known->tokens ? Json::array({shape.width}) : Json::array({shape.channels, shape.height, shape.width});
  return Json{{"arch", recipe.model.arch.id},
              {"input", input},
              {"classes", known->classes},
              {"from_data", known->from_data},
              {"parameters", summary.parameters},
              {"trainable", summary.trainable},
              {"bytes", summary.bytes},
              {"multiply_adds", summary.multiply_adds},
              {"activation_bytes", summary.activation_bytes},
              {"layers", layers}};
}

}  // namespace trainyard::train
