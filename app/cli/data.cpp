#include "app/cli/data.h"

namespace trainyard::cli {

void addData(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("data", "What is in a dataset, and what the network sees of it");
  verb->require_subcommand(1);
  addScan(*verb, context);
  addPreview(*verb, context);
}

}  // namespace trainyard::cli
