#include "core/runs/control.h"

#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "core/runs/run_directory.h"

namespace trainyard::cli {

void addControl(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "control", "Send a command to a run that is going");
  struct Options {
    std::string run;
    std::vector<std::string> words;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("run", options->run, "A run's folder, its id or the beginning of it, or \"latest\"")->required();
  verb->add_option("command", options->words, "pause, release, resume, stop, checkpoint, evaluate, or: set lr 0.001")->required();
  verb->callback(reporting(context, [options, &context]() -> Result<void> {
    TRAINYARD_TRY(const Json request, runs::parseCommand(options->words));
    TRAINYARD_TRY(const runs::Layout run, runs::findRun(options->run));
    TRAINYARD_TRY(const Json answer, runs::control(run.dir, request));
    if (context.json) printJson(answer);
    else std::cout << (answer.value("queued", false) ? "accepted; the run is busy and will do it at its next step\n" : "done\n");
    return {};
  }));
}

}  // namespace trainyard::cli
