#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/load_engine.h"
#include "core/base/units.h"

namespace trainyard::cli {

namespace {

std::string sizesText(const Json& sizes) {
  std::string text;
  for (const auto& size : sizes) text += (text.empty() ? "" : " × ") + size.dump();
  return text;
}

// "1.8 G": multiply-adds for people.
std::string largeNumber(uint64_t count) {
  constexpr const char* kUnits[] = {"", " k", " M", " G", " T"};
  auto value = static_cast<double>(count);
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f%s" : "%.3g%s", value, kUnits[unit]);
  return text;
}

// × takes two bytes: padded by hand.
std::string padded(std::string text, size_t width) {
  size_t shown = 0;
  for (const char c : text) shown += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return shown < width ? text + std::string(width - shown, ' ') : text;
}

void printLayers(const Json& shown) {
  const auto count = [](const Json& value) { return value.get<uint64_t>(); };
  std::printf("%s  %s  %s  %12s  %9s  %10s\n", padded("layer", 40).c_str(), padded("kind", 18).c_str(), padded("output", 18).c_str(), "parameters", "mult-adds", "output");
  for (const auto& row : shown["layers"]) {
    std::printf("%s  %s  %s  %12s  %9s  %10s%s\n", padded(row["name"].get<std::string>(), 40).c_str(), padded(row["kind"].get<std::string>(), 18).c_str(), padded(sizesText(row["output"]), 18).c_str(),
                formatCount(count(row["parameters"])).c_str(), largeNumber(count(row["multiply_adds"])).c_str(), formatBytes(count(row["activation_bytes"])).c_str(), row["frozen"].get<bool>() ? "  frozen" : "");
  }
  std::printf("\n%s for %s, %s outputs%s\n", shown["arch"].get<std::string>().c_str(), sizesText(shown["input"]).c_str(), shown["classes"].dump().c_str(),
              shown["from_data"].get<bool>() ? "" : " (assumed: the data could not be opened)");
  std::printf("%s parameters, %s of them trained; %s; %s multiply-adds a sample\n", formatCount(count(shown["parameters"])).c_str(), formatCount(count(shown["trainable"])).c_str(), formatBytes(count(shown["bytes"])).c_str(),
              largeNumber(count(shown["multiply_adds"])).c_str());
}

}  // namespace

void addModel(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("model", "The network of a recipe");
  verb->require_subcommand(1);
  CLI::App* show = addVerb(*verb, context, "show", "Its layers: what each gives, holds and costs");
  struct Options {
    std::string recipe;
    std::vector<std::string> overrides;
  };
  auto options = std::make_shared<Options>();
  show->add_option("recipe", options->recipe, "The recipe, a .toml file")->required();
  addOverrides(show, options->overrides);
  show->callback(reporting(context, [options, &context]() -> Result<void> {
    TRAINYARD_TRY(const recipe::Recipe recipe, recipe::load(options->recipe, options->overrides));
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json shown, engine->modelShow(recipe));
    if (context.json) printJson(shown);
    else printLayers(shown);
    return {};
  }));
}

}  // namespace trainyard::cli
