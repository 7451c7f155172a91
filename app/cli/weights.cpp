#include "core/catalogue/weights.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/signals.h"
#include "app/cli/work_bar.h"
#include "core/base/units.h"
#include "core/fetch/download.h"

namespace trainyard::cli {

namespace {

using catalogue::PublishedWeights;

std::atomic<bool> stop{false};

// $TRAINYARD_WEIGHTS_URL: a mirror with the same file names.
std::string addressOf(const PublishedWeights& weights) {
  const char* mirror = std::getenv("TRAINYARD_WEIGHTS_URL");
  std::string folder(mirror != nullptr && *mirror != '\0' ? std::string_view(mirror) : catalogue::kPublishedAt);
  if (!folder.ends_with('/')) folder += '/';
  return folder + weights.file;
}

bool isCached(const PublishedWeights& weights) {
  std::error_code ignored;
  return fs::exists(catalogue::cachedWeights(weights), ignored);
}

Json toJson(const PublishedWeights& weights) {
  return {{"name", weights.name},
          {"arch", weights.arch},
          {"licence", catalogue::kPublishedLicence},
          {"bytes", weights.bytes},
          {"accuracy", weights.accuracy},
          {"size", weights.size},
          {"sha256", weights.sha256},
          {"address", addressOf(weights)},
          {"cached", isCached(weights)}};
}

void listWeights(const Context& context) {
  if (context.json) {
    Json list = Json::array();
    for (const auto& weights : catalogue::publishedWeights()) list.push_back(toJson(weights));
    return printJson(list);
  }
  std::printf("%-24s %-22s %10s  %9s  %s\n", "name", "architecture", "size", "accuracy", "here");
  for (const auto& weights : catalogue::publishedWeights()) {
    std::printf("%-24s %-22s %10s  %7.2f %%  %s\n", weights.name, weights.arch, formatBytes(weights.bytes).c_str(), weights.accuracy * 100, isCached(weights) ? "yes" : "");
  }
  std::printf("\ntorchvision's, trained on ImageNet (1,000 classes); licence %s. Fetch with: trainyard weights get NAME\n", std::string(catalogue::kPublishedLicence).c_str());
}

Result<const PublishedWeights*> wanted(const std::string& name) {
  if (const auto* weights = catalogue::findWeights(name)) return weights;
  std::vector<std::string> names;
  for (const auto& weights : catalogue::publishedWeights()) names.emplace_back(weights.name);
  const std::string near = nearestWord(name, names);
  return fail(ErrorCode::Usage, "there are no published weights \"" + name + "\"", "name", near.empty() ? "see trainyard weights list" : "did you mean \"" + near + "\"?");
}

// Asks on the terminal; anything but y or yes is no.
Result<void> ask(const PublishedWeights& weights) {
  if (isatty(STDIN_FILENO) == 0) return fail(ErrorCode::Usage, "fetching asks first, and there is no terminal to ask on", "--yes", "give --yes to fetch without being asked");
  std::cerr << "Fetch " << weights.name << ", " << formatBytes(weights.bytes) << ", licence " << catalogue::kPublishedLicence << ", from\n  " << addressOf(weights) << "\n? [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "Y" || answer == "yes") return {};
  return fail(ErrorCode::Interrupted, "nothing was fetched", weights.name);
}

Result<void> get(const Context& context, const std::string& name, bool yes) {
  TRAINYARD_TRY(const auto* weights, wanted(name));
  const fs::path file = catalogue::cachedWeights(*weights);
  const bool here = isCached(*weights);
  if (!here) {
    if (!yes) TRAINYARD_CHECK(ask(*weights));
    onInterrupt([](int) { stop = true; });
    constexpr uint64_t kMiB = 1 << 20;
    WorkBar bar("MiB");
    fetch::Watcher watcher;
    watcher.cancelled = &stop;
    watcher.progress = [&](uint64_t done, uint64_t total) { bar.show(done / kMiB, (total > 0 ? total : weights->bytes) / kMiB); };
    TRAINYARD_CHECK(fetch::download({addressOf(*weights), weights->sha256, file}, watcher));
  }
  if (context.json)
    printJson({{"name", weights->name}, {"file", displayPath(file)}, {"fetched", !here}});
  else
    std::printf("%s%s\nStart from them with: weights = \"%s\" in [model]\n", here ? "Already here: " : "", displayPath(file).c_str(), weights->name);
  return {};
}

}  // namespace

void addWeights(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("weights", "Published weights to start training from");
  verb->require_subcommand(1);
  addVerb(*verb, context, "list", "Which there are, and which are on this computer")->callback([&context] { listWeights(context); });
  CLI::App* getting = addVerb(*verb, context, "get", "Fetch weights once, into the cache; asks first, goes on where an earlier try ended, and verifies them");
  struct Options {
    std::string name;
    bool yes = false;
  };
  auto options = std::make_shared<Options>();
  getting->add_option("name", options->name, "Their name, as trainyard weights list says it")->required();
  getting->add_flag("--yes", options->yes, "Do not ask");
  getting->callback(reporting(context, [options, &context] { return get(context, options->name, options->yes); }));
}

}  // namespace trainyard::cli
