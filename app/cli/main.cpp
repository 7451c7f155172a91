#include <malloc.h>

#include <climits>
#include <csignal>
#include <iostream>

#include "app/cli/cli.h"
#include "core/base/units.h"

namespace {

// Training frees and takes the same large blocks at every step: keep them in the process instead of handing them to the kernel and back.
void keepMemory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, 64 << 20);
  mallopt(M_ARENA_MAX, 1);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace trainyard;
  cli::Context context;
  context.started = steadySeconds();
  keepMemory();
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Trainyard trains neural networks on this computer.", "trainyard");
  app.set_version_flag("--version", "trainyard " TRAINYARD_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 done, 1 failed, 2 usage or recipe, 3 data, 4 out of memory, 5 device, 130 interrupted.\nEach verb has its own --help.");
  for (auto* add : {cli::addDemo, cli::addTrain, cli::addResume, cli::addControl, cli::addEvaluate, cli::addPredict, cli::addSchedule, cli::addRuns, cli::addHardware, cli::addBench}) {
    add(app, context);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    for (int i = 1; i < argc; ++i) context.json = context.json || std::string_view(argv[i]) == "--json";
    return cli::reportError(context, {ErrorCode::Usage, error.what(), "", "see trainyard --help"});
  }
  std::cout.flush();
  return context.exit_code;
}
