#include <memory>

#include "app/cli/run_verb.h"

namespace trainyard::cli {

void addResume(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "resume", "Go on with a stopped or failed run from its newest whole checkpoint");
  auto run = std::make_shared<std::string>();
  verb->add_option("run", *run, "A run's folder, its id or the beginning of it, or \"latest\"")->required();
  verb->callback(reporting(context, [run, &context]() -> Result<void> {
    TRAINYARD_TRY(const runs::Layout layout, runs::findRun(*run));
    return runVerb(context, [&](train::Engine& engine, const train::Observer& observer) { return engine.resume(layout, observer); });
  }));
}

}  // namespace trainyard::cli
