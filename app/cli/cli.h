#pragma once
// What the verbs share. Each verb is one file with one add… function; its callback sets Context::exit_code.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::cli {

struct Context {
  bool json = false;    // stdout holds exactly one JSON document
  int exit_code = 0;
  double started = 0;   // steadySeconds() at the start of the process
};

// The verb's subcommand, with --json.
CLI::App* addVerb(CLI::App& app, Context& context, const std::string& name, const std::string& help);

// --set, which may be given several times.
void addOverrides(CLI::App* verb, std::vector<std::string>& overrides, const std::string& help = "Override a recipe key: --set train.epochs=3");

// Ends a verb: prints the JSON document (--json), or nothing.
void printJson(const Json& document);

// An error as {"error": …} on stdout with --json, else as text on stderr. Gives its exit code.
int reportError(const Context& context, const Error& error);

// Runs `body`, which gives a Result<void>, and reports its error.
template <class Body>
auto reporting(Context& context, Body body) {
  return [&context, body = std::move(body)] {
    const Result<void> result = body();
    if (!result) context.exit_code = reportError(context, result.error());
  };
}

void addDemo(CLI::App& app, Context& context);
void addTrain(CLI::App& app, Context& context);
void addResume(CLI::App& app, Context& context);
void addControl(CLI::App& app, Context& context);
void addEvaluate(CLI::App& app, Context& context);
void addPredict(CLI::App& app, Context& context);
void addSchedule(CLI::App& app, Context& context);
void addLrFind(CLI::App& app, Context& context);
void addRuns(CLI::App& app, Context& context);
void addHardware(CLI::App& app, Context& context);
void addData(CLI::App& app, Context& context);
void addModel(CLI::App& app, Context& context);
void addPlan(CLI::App& app, Context& context);
void addWeights(CLI::App& app, Context& context);
void addBench(CLI::App& app, Context& context);

}  // namespace trainyard::cli
