#include <unistd.h>

#include <atomic>
#include <memory>

#include "app/cli/data.h"
#include "app/cli/signals.h"
#include "app/cli/work_bar.h"

namespace trainyard::cli {

namespace {

struct Options {
  std::string path, format;
  std::vector<std::string> overrides;
  bool no_cache = false, all = false;
};

std::atomic<bool> stop{false}, looking{false};

// Before the first picture there is nothing to keep.
void onSignal(int) {
  if (!looking || stop.exchange(true)) _exit(exitCode(ErrorCode::Interrupted));
}

bool isRecipe(const fs::path& path) {
  std::error_code ignored;
  return path.extension() == ".toml" && !fs::is_directory(path, ignored);
}

// A folder or file as the data of a recipe that leaves everything else as it is.
Result<recipe::Recipe> recipeFor(const Options& options) {
  const fs::path path = fs::absolute(expandUser(options.path)).lexically_normal();
  Json document = recipe::draftFor(path, options.format.empty() ? data::guessFormat(path) : options.format);
  document["data"]["channels"] = "auto";
  for (const auto& assignment : options.overrides) TRAINYARD_CHECK(recipe::applyOverride(document, assignment));
  const recipe::Checked checked = recipe::check(document);
  for (const auto& problem : checked.problems) {
    if (!problem.key.starts_with("data.")) continue;
    Error error = problem.error;
    error.hint += (error.hint.empty() ? "" : "; ") + std::string("give it with --set ") + problem.key + "=…";
    return tl::unexpected(std::move(error));
  }
  return recipe::toRecipe(checked.document);
}

Result<void> scan(const Context& context, const Options& options) {
  onInterrupt(onSignal);
  if (isRecipe(options.path) && !options.format.empty())
    return fail(ErrorCode::Usage, "--format is for folders and files; a recipe says its own", "--format", "override it with --set data.format=…");
  TRAINYARD_TRY(const recipe::Recipe recipe, isRecipe(options.path) ? recipe::load(options.path, options.overrides) : recipeFor(options));
  data::ScanOptions how;
  how.use_cache = !options.no_cache;
  how.cancelled = &stop;
  Result<data::ScanReport> report = fail(ErrorCode::Failed, "");
  {
    WorkBar bar("pictures");
    how.progress = [&](uint64_t done, uint64_t total) {
      looking = true;
      bar.show(done, total);
    };
    report = data::scan(recipe.data, recipe.run.seed, how);
  }
  if (!report) return tl::unexpected(std::move(report.error()));
  if (context.json)
    printJson(toJson(*report));
  else
    printReport(*report, displayPath(recipe.data.path), options.all);
  return {};
}

}  // namespace

void addScan(CLI::App& data, Context& context) {
  CLI::App* verb = addVerb(data, context, "scan", "Looks at every picture once: what is there, and what is wrong with it. Nothing is changed");
  auto options = std::make_shared<Options>();
  verb->add_option("path", options->path, "A folder, a file, or a recipe (.toml)")->required();
  verb->add_option("--format", options->format, "The format; default: guessed");
  addOverrides(verb, options->overrides, "Set a recipe key: --set data.validation=0.2");
  verb->add_flag("--all", options->all, "List every class and every file");
  verb->add_flag("--no-cache", options->no_cache, "Decode every picture, also those seen before");
  verb->callback(reporting(context, [options, &context] { return scan(context, *options); }));
}

}  // namespace trainyard::cli
