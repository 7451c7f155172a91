#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/load_engine.h"

namespace trainyard::cli {

namespace {

std::string metricText(const std::string& name, double value) {
  const bool share = name == "accuracy" || name == "exact_match" || name == "top5";
  char text[32];
  std::snprintf(text, sizeof text, share ? " %.2f %%" : " %.4g", share ? value * 100 : value);
  return (name == "exact_match" ? "all labels right" : name == "top5" ? "right among five" : name) + text;
}

constexpr const char* kColumns[] = {"samples", "precision", "recall", "f1", "mae", "rmse", "r2"};

void printEvaluation(const Json& result) {
  std::string metrics;
  for (const auto& [name, value] : result["metrics"].items()) metrics += metricText(name, numberFrom(value)) + ", ";
  std::printf("%s samples, %sloss %.4f (%s)\n", result["samples"].dump().c_str(), metrics.c_str(), numberFrom(result["loss"]), result["checkpoint"].get<std::string>().c_str());
  if (!result["test_openings"].is_null()) std::printf("Look number %s at the test part.\n", result["test_openings"].dump().c_str());
  if (result["per_class"].empty()) return;
  std::printf("%-24s", "class");
  for (const char* column : kColumns) {
    if (result["per_class"][0].contains(column)) std::printf(" %9s", column);
  }
  std::puts("");
  for (const auto& entry : result["per_class"]) {
    if (entry.value("samples", 1) == 0) continue;
    std::printf("%-24s", entry.value("class", "").c_str());
    for (const char* column : kColumns) {
      if (entry.contains(column)) std::printf(" %9.5g", numberFrom(entry[column]));
    }
    std::puts("");
  }
}

}  // namespace

void addEvaluate(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "evaluate", "Loss, accuracy and confusion of a run's best checkpoint");
  struct Options {
    std::string run;
    train::EvaluateOptions what;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("run", options->run, "A run's folder, its id or the beginning of it, or \"latest\"")->required();
  verb->add_option("--data", options->what.data, "Evaluate on this folder or file (same format and classes) instead of the run's validation part");
  verb->add_flag("--test", options->what.test, "Evaluate on the part that was set aside; that it was opened is recorded");
  verb->add_option("--predictions", options->what.predictions, "Write what the network said of each sample to this CSV file");
  verb->callback(reporting(context, [options, &context]() -> Result<void> {
    TRAINYARD_TRY(const runs::Layout run, runs::findRun(options->run));
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json result, engine->evaluate(run, options->what));
    if (context.json) printJson(result);
    else printEvaluation(result);
    return {};
  }));
}

}  // namespace trainyard::cli
