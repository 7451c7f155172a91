#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/load_engine.h"
#include "core/base/units.h"

namespace trainyard::cli {

namespace {

void printPlan(const Json& plan) {
  std::printf("%-10s  %7s  %12s  %s\n", "strategy", "devices", "memory each", "speed, about");
  for (const auto& row : plan["strategies"]) {
    const std::string id = row["id"].get<std::string>();
    if (!row["possible"].get<bool>()) {
      std::printf("%-10s  %7s  %12s  %s\n", id.c_str(), "–", "–", row["why"].get<std::string>().c_str());
      continue;
    }
    std::printf("%-10s  %7d  %12s  %.1f ×\n", id.c_str(), row["devices"].get<int>(), formatBytes(row["memory_bytes"].get<uint64_t>()).c_str(), row["speed_up"].get<double>());
  }
  if (!plan["stages"].empty()) std::printf("\nStages of a pipeline (%d parts of a batch, idle %.0f %%):\n", plan["micro_batches"].get<int>(), plan["idle_share"].get<double>() * 100);
  for (const auto& stage : plan["stages"]) {
    std::printf("  %s … %s: %.0f %% of the work, %s parameters, %s\n", stage["first"].get<std::string>().c_str(), stage["last"].get<std::string>().c_str(), stage["cost_share"].get<double>() * 100,
                formatCount(stage["parameters"].get<uint64_t>()).c_str(), formatBytes(stage["memory_bytes"].get<uint64_t>()).c_str());
  }
  for (const auto& note : plan["notes"]) std::printf("\n%s\n", note["text"].get<std::string>().c_str());
}

}  // namespace

void addPlan(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "plan", "What each strategy for several devices would need and gain, without training");
  struct Options {
    std::string recipe;
    std::vector<std::string> overrides;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("recipe", options->recipe, "The recipe, a .toml file")->required();
  addOverrides(verb, options->overrides);
  verb->callback(reporting(context, [options, &context]() -> Result<void> {
    TRAINYARD_TRY(const recipe::Recipe recipe, recipe::load(options->recipe, options->overrides));
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json plan, engine->plan(recipe));
    if (context.json) printJson(plan);
    else printPlan(plan);
    return {};
  }));
}

}  // namespace trainyard::cli
