#include "app/cli/cli.h"

#include <iostream>

namespace trainyard::cli {

CLI::App* addVerb(CLI::App& app, Context& context, const std::string& name, const std::string& help) {
  CLI::App* verb = app.add_subcommand(name, help);
  verb->add_flag("--json", context.json, "Print exactly one JSON document to stdout");
  return verb;
}

void addOverrides(CLI::App* verb, std::vector<std::string>& overrides, const std::string& help) {
  verb->add_option("--set", overrides, help)->take_all()->expected(1)->allow_extra_args(false);
}

void printJson(const Json& document) { std::cout << prettyJson(document) << '\n'; }

int reportError(const Context& context, const Error& error) {
  if (context.json) {
    printJson({{"error", toJson(error)}});
  } else {
    std::cerr << "trainyard: " << (error.where.empty() ? "" : error.where + ": ") << error.what << '\n';
    if (!error.hint.empty()) std::cerr << "  " << error.hint << '\n';
  }
  return exitCode(error.code);
}

}  // namespace trainyard::cli
