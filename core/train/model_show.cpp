#include "core/train/model_show.h"

#include <algorithm>

#include "core/base/pattern.h"
#include "core/models/summary.h"
#include "core/train/network_facts.h"

namespace trainyard::train {

namespace {

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
  TRAINYARD_TRY(const NetworkFacts known, networkFacts(recipe));
  TRAINYARD_TRY(const auto model, models::make(recipe.model.arch, known.shape, known.classes, recipe.run.seed));
  const models::Summary summary = models::summarize(*model, known.shape, known.tokens, [&](const std::string& name) { return isFrozen(recipe, name); });
  Json layers = Json::array();
  for (const auto& row : summary.layers) layers.push_back(toJson(row));
  const auto& shape = known.shape;
  const Json input = known.tokens ? Json::array({shape.width}) : Json::array({shape.channels, shape.height, shape.width});
  return Json{{"arch", recipe.model.arch.id},
              {"input", input},
              {"classes", known.classes},
              {"from_data", known.from_data},
              {"parameters", summary.parameters},
              {"trainable", summary.trainable},
              {"bytes", summary.bytes},
              {"multiply_adds", summary.multiply_adds},
              {"activation_bytes", summary.activation_bytes},
              {"layers", layers}};
}

}  // namespace trainyard::train
