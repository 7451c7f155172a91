#include "app/cli/run_verb.h"

#include <iostream>

#include "app/cli/load_engine.h"
#include "app/cli/progress.h"
#include "app/cli/signals.h"
#include "core/base/units.h"

namespace trainyard::cli {

namespace {

void printReport(const train::RunReport& report) {
  std::string text = (report.state == "finished" ? "Done in " : "Stopped after ") + formatDuration(report.seconds) + ", " + formatCount(report.steps) + " steps.";
  if (report.best.is_object()) {
    const double value = numberFrom(report.best["value"]);
    const bool share = report.best["metric"] == "accuracy";
    char best[64];
    std::snprintf(best, sizeof best, share ? " Best accuracy %.2f %%" : " Best loss %.4f", share ? value * 100 : value);
    text += best + (" at step " + formatCount(report.best["step"].get<uint64_t>()) + ".");
  }
  std::cout << text << '\n' << displayPath(report.dir) << '\n';
}

void printOperators(const Json& operators) {
  std::printf("\n%-44s %8s %10s %10s %7s\n", "operator", "calls", "self ms", "total ms", "share");
  for (const auto& entry : operators) {
    std::printf("%-44s %8llu %10.2f %10.2f %6.1f%%\n", entry["name"].get<std::string>().c_str(), static_cast<unsigned long long>(entry["calls"].get<uint64_t>()), entry["self_ms"].get<double>(),
                entry["total_ms"].get<double>(), entry["share"].get<double>() * 100);
  }
}

}  // namespace

Result<void> runVerb(Context& context, const std::optional<train::Nodes>& nodes, const std::function<Result<train::RunReport>(train::Engine&, const train::Observer&)>& work) {
  const std::atomic<int>& stop_requests = countInterrupts();
  TRAINYARD_TRY(train::Engine * engine, loadEngine());
  Result<train::RunReport> report = fail(ErrorCode::Failed, "");
  {
    Progress progress;
    const train::Observer observer{[&progress](const runs::Event& event) { progress.show(event); }, &stop_requests, {}, 0, nodes};
    report = work(*engine, observer);
  }
  if (!report) return tl::unexpected(report.error());
  if (context.json) printJson(toJson(*report));
  else if (!report->dir.empty()) printReport(*report);
  if (report->state == "stopped" && stop_requests > 0) context.exit_code = exitCode(ErrorCode::Interrupted);
  return {};
}

Result<void> trainRecipe(Context& context, const fs::path& recipe, const std::vector<std::string>& overrides, const fs::path& run_dir, uint64_t profile_steps,
                         const std::optional<train::Nodes>& nodes) {
  TRAINYARD_TRY(const recipe::Recipe loaded, recipe::load(recipe, overrides));
  Json operators;
  const auto work = [&](train::Engine& engine, const train::Observer& observer) {
    train::Observer profiling = observer;
    profiling.profile_steps = profile_steps;
    profiling.event = [&](const runs::Event& event) {
      if (event.type == "notice" && event.fields.value("code", "") == "profile") operators = event.fields["values"]["operators"];
      observer.event(event);
    };
    return engine.train(loaded, run_dir.empty() ? run_dir : fs::absolute(run_dir), profiling);
  };
  TRAINYARD_CHECK(runVerb(context, nodes, work));
  if (operators.is_array() && !context.json) printOperators(operators);
  return {};
}

void addNodes(CLI::App* verb, NodeOptions& options) {
  options.given = verb->add_option("--nnodes", options.nodes.nodes, "Train with so many processes, on as many machines; each is started with the same recipe and its own --node-rank");
  CLI::Option* rank = verb->add_option("--node-rank", options.nodes.node_rank, "Which of them this is, from 0; rank 0 owns the run's folder")->needs(options.given);
  CLI::Option* place = verb->add_option("--rendezvous", options.nodes.rendezvous, "HOST:PORT where rank 0 listens. Not encrypted: for private networks only")->needs(options.given);
  options.given->needs(rank)->needs(place);
}

}  // namespace trainyard::cli
