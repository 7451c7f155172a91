#include <memory>

#include "app/cli/run_verb.h"

namespace trainyard::cli {

void addResume(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "resume", "Go on with a stopped or failed run from its newest whole checkpoint");
  struct Words {
    std::string run;
    train::ResumeOptions options;
    NodeOptions nodes;
  };
  auto words = std::make_shared<Words>();
  verb->add_option("run", words->run, "A run's folder, its id or the beginning of it, or \"latest\"")->required();
  verb->add_option("--epochs", words->options.epochs, "Train until so many epochs are done; a finished run goes on, too")->check(CLI::Range(1, 1000000));
  verb->add_option("--recipe", words->options.recipe, "Compare this recipe with the run's: what may change midway is taken, anything else is named and refused")->check(CLI::ExistingFile);
  verb->add_option("--lr-factor", words->options.lr_factor, "Times the learning rate from here on: 0.1 after the loss broke")->check(CLI::Range(1e-9, 1e9));
  addNodes(verb, words->nodes);
  verb->callback(reporting(context, [words, &context]() -> Result<void> {
    TRAINYARD_TRY(const runs::Layout layout, runs::findRun(words->run));
    return runVerb(context, words->nodes.value(), [&](train::Engine& engine, const train::Observer& observer) { return engine.resume(layout, words->options, observer); });
  }));
}

}  // namespace trainyard::cli
