#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/load_engine.h"

namespace trainyard::cli {

void addPredict(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "predict", "What a run's best checkpoint sees in pictures");
  struct Options {
    std::string run;
    std::vector<std::string> files;
    int top = 5;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("run", options->run, "A run's folder, its id or the beginning of it, or \"latest\"")->required();
  verb->add_option("files", options->files, "Pictures")->required();
  verb->add_option("--top", options->top, "How many classes to show")->check(CLI::Range(1, 1000));
  verb->callback(reporting(context, [options, &context]() -> Result<void> {
    TRAINYARD_TRY(const runs::Layout run, runs::findRun(options->run));
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json answers, engine->predict(run, {options->files.begin(), options->files.end()}, options->top));
    if (context.json) {
      printJson(answers);
      return {};
    }
    for (const auto& answer : answers) {
      std::printf("%s\n", answer["file"].get<std::string>().c_str());
      for (const auto& guess : answer["top"]) {
        const std::string name = guess["class"].get<std::string>();
        if (guess.contains("value")) std::printf("  %10.4g  %s\n", guess["value"].get<double>(), name.c_str());
        else std::printf("  %6.2f %%  %s\n", guess["probability"].get<double>() * 100, name.c_str());
      }
    }
    return {};
  }));
}

}  // namespace trainyard::cli
