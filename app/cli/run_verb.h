#pragma once
// What demo, train and resume share: signals, progress, the final report.
#include <functional>

#include "app/cli/cli.h"
#include "core/train/engine.h"

namespace trainyard::cli {

// Calls `work` with the engine and an observer; prints the report. SIGINT and SIGTERM stop the run at the next step with a checkpoint (exit code
// 130); a second one ends the process at once.
// `nodes`: where this process stands among several; without, the environment says.
Result<void> runVerb(Context& context, const std::optional<train::Nodes>& nodes, const std::function<Result<train::RunReport>(train::Engine&, const train::Observer&)>& work);

// Trains the recipe file with overrides, in run_dir or a new directory of runsHome(). profile_steps > 0: prints where the time of that many updates went.
Result<void> trainRecipe(Context& context, const fs::path& recipe, const std::vector<std::string>& overrides, const fs::path& run_dir, uint64_t profile_steps,
                         const std::optional<train::Nodes>& nodes);

// --nnodes, --node-rank and --rendezvous, of train and resume.
struct NodeOptions {
  train::Nodes nodes;
  CLI::Option* given = nullptr;
  std::optional<train::Nodes> value() const { return given->count() > 0 ? std::optional(nodes) : std::nullopt; }
};
void addNodes(CLI::App* verb, NodeOptions& options);

}  // namespace trainyard::cli
