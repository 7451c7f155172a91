#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/load_engine.h"
#include "app/cli/signals.h"
#include "app/cli/work_bar.h"

namespace trainyard::cli {

namespace {

struct Options {
  std::string recipe;
  std::vector<std::string> overrides;
  train::RateTest test;
};

void printTable(const Json& found) {
  std::printf("%12s %12s %12s\n", "rate", "loss", "smoothed");
  for (size_t i = 0; i < found["lr"].size(); i += 5) {
    std::printf("%12.3g %12.5g %12.5g\n", found["lr"][i].get<double>(), numberFrom(found["loss"][i]), numberFrom(found["smoothed"][i]));
  }
  if (found["suggestion"].is_null()) std::printf("The loss never fell: try other rates with --from and --to.\n");
  else std::printf("Suggested: optimizer.lr = %.2g\n", found["suggestion"].get<double>());
}

}  // namespace

void addLrFind(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "lr-find", "Look for a learning rate: raise it with every update until the loss explodes (nothing is kept)");
  auto options = std::make_shared<Options>();
  verb->add_option("recipe", options->recipe, "The recipe, a .toml file")->required();
  addOverrides(verb, options->overrides);
  verb->add_option("--from", options->test.from, "The first rate")->check(CLI::Range(1e-12, 1e6))->capture_default_str();
  verb->add_option("--to", options->test.to, "The last rate")->check(CLI::Range(1e-12, 1e6))->capture_default_str();
  verb->add_option("--steps", options->test.steps, "Updates")->check(CLI::Range(20, 100000))->capture_default_str();
  verb->callback(reporting(context, [options, &context]() -> Result<void> {
    if (options->test.from >= options->test.to) return fail(ErrorCode::Usage, "must be less than --to", "--from", "the rate rises from one to the other, as in --from 1e-7 --to 10");
    TRAINYARD_TRY(const recipe::Recipe recipe, recipe::load(options->recipe, options->overrides));
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    Json found;
    {
      WorkBar bar("updates");
      train::Observer observer;
      observer.stop_requests = &countInterrupts();
      observer.progress = [&bar](uint64_t done, uint64_t total) { bar.show(done, total); };
      TRAINYARD_TRY(found, engine->findRate(recipe, options->test, observer));
    }
    if (context.json) printJson(found);
    else printTable(found);
    return {};
  }));
}

}  // namespace trainyard::cli
