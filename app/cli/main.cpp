#include <malloc.h>

#include <algorithm>
#include <climits>
#include <csignal>
#include <iostream>
#include <optional>

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

// CLI11 would only say that a verb is missing.
std::optional<trainyard::Error> unknownVerb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> verbs;
  for (const auto* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), argv[1]) != verbs.end()) return {};
  const std::string near = trainyard::nearestWord(argv[1], verbs);
  return trainyard::Error{trainyard::ErrorCode::Usage, std::string("there is no verb \"") + argv[1] + "\"", "", near.empty() ? "see trainyard --help" : "did you mean \"" + near + "\"?"};
}

// What CLI11 said, with the option it is about and the help of the verb that was given.
trainyard::Error usageError(const CLI::App& app, std::string what) {
  std::string where, words;
  const size_t option = what.starts_with("--") ? 0 : what.find(" --") + 1;
  if (what.compare(option, 2, "--") == 0) where = what.substr(option, what.find_first_of(" :=,", option) - option);
  if (!where.empty() && what.starts_with(where + ": ")) what.erase(0, where.size() + 2);
  for (auto verbs = app.get_subcommands(); !verbs.empty(); verbs = verbs.front()->get_subcommands()) words += " " + verbs.front()->get_name();
  return {trainyard::ErrorCode::Usage, what, where, "see trainyard" + words + " --help"};
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
  for (auto* add : {cli::addDemo, cli::addTrain, cli::addResume, cli::addControl, cli::addEvaluate, cli::addPredict, cli::addData, cli::addSchedule, cli::addLrFind, cli::addRuns, cli::addHardware, cli::addModel, cli::addPlan, cli::addWeights, cli::addBench}) {
    add(app, context);
  }
  for (int i = 1; i < argc; ++i) context.json = context.json || std::string_view(argv[i]) == "--json";
  if (const auto error = unknownVerb(app, argc, argv)) return cli::reportError(context, *error);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return cli::reportError(context, usageError(app, error.what()));
  }
  std::cout.flush();
  return context.exit_code;
}
