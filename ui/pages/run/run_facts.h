#pragma once
// What a run's directory says besides its events: the recipe it was started with, devices, classes. Read on the window's thread: small files.
#include <QString>
#include <QVector>
#include <optional>
#include <string>

#include "core/recipe/recipe.h"

namespace trainyard::ui {

struct RunFacts {
  QString id, name;     // name: the recipe's; else the id
  QString recipe_text;  // recipe.toml as it is
  QString problem;      // why the recipe could not be understood; the rest is then as empty as need be
  std::optional<recipe::Recipe> recipe;
  std::string metric = "accuracy";
  double largest_class_share = 0;  // of the validation part; 0: unknown
  bool practice = false;           // the digits on board
};

RunFacts readFacts(const QString& run_dir);

// "ResNet-18 · CPU · fp32", "ResNet-18 · 2 × GPU · bf16". `devices`: where it really trains, as its events say; empty: as the recipe says.
QString chipText(const RunFacts& facts, const std::vector<std::string>& devices);

struct PlannedRate {
  QVector<double> step, rate;  // at most some 400 points; empty when unknown
};
PlannedRate plannedRate(const recipe::Recipe& recipe, int64_t steps_total, int64_t epochs);

// Whether the rate still falls after `step`.
bool dropAhead(const PlannedRate& plan, int64_t step);

}  // namespace trainyard::ui
