#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/load_engine.h"

namespace trainyard::cli {

namespace {

void printEvaluation(const Json& result) {
  const Json& confusion = result["confusion"];
  std::printf("%s samples, accuracy %.2f %%, loss %.4f (%s)\n", result["samples"].dump().c_str(), numberFrom(result["metrics"]["accuracy"]) * 100, numberFrom(result["loss"]),
              result["checkpoint"].get<std::string>().c_str());
  std::printf("%-24s %8s %8s\n", "class", "samples", "right");
  for (size_t k = 0; k < confusion.size(); ++k) {
    uint64_t samples = 0;
    for (const auto& count : confusion[k]) samples += count.get<uint64_t>();
    if (samples == 0) continue;
    const std::string name = k < result["classes"].size() ? result["classes"][k].get<std::string>() : std::to_string(k);
    std::printf("%-24s %8llu %7.1f%%\n", name.c_str(), static_cast<unsigned long long>(samples), 100.0 * static_cast<double>(confusion[k][k].get<uint64_t>()) / static_cast<double>(samples));
  }
}

}  // namespace

void addEvaluate(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "evaluate", "Loss, accuracy and confusion of a run's best checkpoint");
  struct Options {
    std::string run, data;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("run", options->run, "A run's folder, its id or the beginning of it, or \"latest\"")->required();
  verb->add_option("--data", options->data, "Evaluate on this folder (same format and classes) instead of the run's validation part");
  verb->callback(reporting(context, [options, &context]() -> Result<void> {
    TRAINYARD_TRY(const runs::Layout run, runs::findRun(options->run));
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json result, engine->evaluate(run, options->data));
    if (context.json) printJson(result);
    else printEvaluation(result);
    return {};
  }));
}

}  // namespace trainyard::cli
