#include <memory>

#include "app/cli/run_verb.h"

namespace trainyard::cli {

namespace {

struct Options {
  std::string recipe, run_dir;
  std::vector<std::string> overrides;
  uint64_t profile_steps = 0;
  NodeOptions nodes;
};

void addTrainOptions(CLI::App* verb, Options& options) {
  verb->add_option("--run-dir", options.run_dir, "Folder for this run (new or empty); default: a new one in the runs folder");
  addOverrides(verb, options.overrides);
  verb->add_option("--profile", options.profile_steps, "Record so many updates after the first ten: profile/trace.json for chrome://tracing, and the costliest operators")->check(CLI::Range(1, 10000));
}

}  // namespace

void addTrain(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "train", "Train a recipe");
  auto options = std::make_shared<Options>();
  verb->add_option("recipe", options->recipe, "The recipe, a .toml file")->required();
  addTrainOptions(verb, *options);
  addNodes(verb, options->nodes);
  verb->callback(reporting(context, [options, &context] { return trainRecipe(context, options->recipe, options->overrides, options->run_dir, options->profile_steps, options->nodes.value()); }));
}

void addDemo(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "demo", "Train a small CNN on the handwritten digits that come with Trainyard (about a minute)");
  auto options = std::make_shared<Options>();
  addTrainOptions(verb, *options);
  verb->callback(reporting(context, [options, &context] { return trainRecipe(context, resourcesFolder() / "recipes/digits.toml", options->overrides, options->run_dir, options->profile_steps, std::nullopt); }));
}

}  // namespace trainyard::cli
