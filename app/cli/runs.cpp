#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "core/base/files.h"
#include "core/base/units.h"
#include "core/runs/event_log.h"
#include "core/runs/run_directory.h"

namespace trainyard::cli {

namespace {

std::string shownState(const runs::RunSummary& run) {
  if (!run.problem.empty()) return "unreadable";
  return std::string(runs::stateName(run.seen.state.state)) + (run.seen.unexpected_end ? " (ended unexpectedly)" : "");
}

Json toJson(const runs::RunSummary& run) {
  Json json{{"run", run.id},     {"name", run.name},     {"dir", displayPath(run.dir)}, {"state", runs::stateName(run.seen.state.state)}, {"unexpected_end", run.seen.unexpected_end},
            {"step", run.step},  {"steps", run.steps_total}, {"epoch", run.epoch},      {"epochs", run.epochs},                            {"arch", run.arch},
            {"started", run.started}, {"seconds", run.seconds}};
  json["best"] = std::isnan(run.best) ? Json() : Json{{"metric", run.metric}, {"value", jsonNumber(run.best)}};
  json["last_loss"] = std::isnan(run.last_loss) ? Json() : jsonNumber(run.last_loss);
  if (!run.problem.empty()) json["problem"] = run.problem;
  return json;
}

void printRun(const runs::RunSummary& run) {
  char best[48] = "";
  if (!std::isnan(run.best)) std::snprintf(best, sizeof best, run.metric == "accuracy" ? "%.2f %%" : "%.4f", run.metric == "accuracy" ? run.best * 100 : run.best);
  std::printf("%-36s %-10s %-28s %8lld/%-8lld %10s  %s\n", run.id.c_str(), run.arch.c_str(), shownState(run).c_str(), static_cast<long long>(run.step), static_cast<long long>(run.steps_total), best,
              run.problem.c_str());
}

Result<void> list(const Context& context) {
  const auto all = runs::listRuns(runsHome());
  if (context.json) {
    Json array = Json::array();
    for (const auto& run : all) array.push_back(toJson(run));
    printJson(array);
    return {};
  }
  if (all.empty()) std::cout << "Nothing trained yet. Try: trainyard demo\n";
  for (const auto& run : all) printRun(run);
  return {};
}

Result<void> show(const Context& context, const std::string& name) {
  TRAINYARD_TRY(const runs::Layout run, runs::findRun(name));
  const runs::RunSummary summary = runs::summarize(run.dir);
  TRAINYARD_TRY(const auto events, runs::readHistory(run.events()));
  Json evaluations = Json::array();
  Json failure;
  for (const auto& event : events) {
    if (event.type == "eval") evaluations.push_back({{"step", event.step.value_or(0)}, {"epoch", event.epoch.value_or(0)}, {"loss", event.fields.value("loss", Json())}, {"metrics", event.fields.value("metrics", Json::object())}});
    if (event.type == "failed") failure = event.fields;
    if (event.type == "resumed") failure = nullptr;
  }
  if (context.json) {
    Json json = toJson(summary);
    json["evaluations"] = evaluations;
    if (failure.is_object()) json["error"] = failure;
    const auto index = readFile(run.checkpointIndex());
    json["checkpoints"] = index ? Json::parse(*index, nullptr, false) : Json();
    printJson(json);
    return {};
  }
  printRun(summary);
  for (const auto& evaluation : evaluations) {
    std::printf("  epoch %-5s step %-8s loss %.4f  accuracy %.2f %%\n", evaluation["epoch"].dump().c_str(), evaluation["step"].dump().c_str(), numberFrom(evaluation["loss"]),
                numberFrom(evaluation["metrics"].value("accuracy", Json())) * 100);
  }
  if (failure.is_object()) std::printf("  failed: %s (%s)\n", failure.value("what", "").c_str(), failure.value("hint", "").c_str());
  else if (summary.seen.unexpected_end) std::printf("  the engine ended unexpectedly; go on with: trainyard resume %s\n", summary.id.c_str());
  return {};
}

}  // namespace

void addRuns(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("runs", "What was trained");
  verb->require_subcommand(1);
  CLI::App* list_verb = addVerb(*verb, context, "list", "All runs, newest first");
  list_verb->callback(reporting(context, [&context] { return list(context); }));
  CLI::App* show_verb = addVerb(*verb, context, "show", "One run: its state and every evaluation");
  auto name = std::make_shared<std::string>();
  show_verb->add_option("run", *name, "A run's folder, its id or the beginning of it, or \"latest\"")->required();
  show_verb->callback(reporting(context, [name, &context] { return show(context, *name); }));
}

}  // namespace trainyard::cli
