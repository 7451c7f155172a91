#include "ui/pages/data/normalise.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {
namespace {

constexpr double kDigits = 10000;
constexpr double kSmallestStd = 0.001;  // of pictures that are all one colour
constexpr double kGreyOf[] = {0.299, 0.587, 0.114};
constexpr auto kOp = "normalize";

double rounded(double value) { return std::round(value * kDigits) / kDigits; }

Json* stepIn(Json& chain) {
  for (auto& step : chain) {
    if (step.is_object() && step.value("op", std::string()) == kOp) return &step;
  }
  return nullptr;
}

void write(Json& document, const char* key, const ColourStatistics& statistics) {
  Json& chain = document[key];
  if (!chain.is_array()) chain = Json::array();
  Json* step = stepIn(chain);
  if (step == nullptr) {
    chain.push_back({{"op", kOp}});
    step = &chain.back();
  }
  (*step)["mean"] = statistics.mean;
  (*step)["std"] = statistics.std;
  step->erase("enabled");
}

}  // namespace

ColourStatistics statisticsFor(const data::ScanReport& report, const RecipeDocument& recipe) {
  ColourStatistics found{report.mean, report.std};
  if (found.mean.size() != found.std.size()) return {};
  if (recipe.value("data.channels") == Json("grey") && found.mean.size() == 3) {
    double mean = 0, std = 0;
    for (size_t c = 0; c < 3; ++c) {
      mean += kGreyOf[c] * found.mean[c];
      // The channels of photos rise and fall together; then this is the deviation of their grey.
      std += kGreyOf[c] * found.std[c];
    }
    found = {{mean}, {std}};
  }
  for (double& value : found.mean) value = rounded(value);
  for (double& value : found.std) value = std::max(rounded(value), kSmallestStd);
  return found;
}

bool normalisesWith(const RecipeDocument& recipe, const ColourStatistics& statistics) {
  Json chain = recipe.value("augment");
  if (!chain.is_array()) return false;
  const Json* step = stepIn(chain);
  return step != nullptr && step->value("enabled", true) && step->value("mean", Json()) == Json(statistics.mean) &&
         step->value("std", Json()) == Json(statistics.std);
}

void normaliseWith(RecipeDocument& recipe, const ColourStatistics& statistics) {
  if (statistics.mean.empty()) return;
  Json next = recipe.given();
  write(next, "augment", statistics);
  const Json apart = valueAt(next, "eval_augment");
  if (apart.is_array() && !apart.empty()) write(next, "eval_augment", statistics);
  recipe.replaceAll(next);
}

}  // namespace trainyard::ui
