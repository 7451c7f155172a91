#include "core/schedule/schedule.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "core/data/training_data.h"
#include "core/loader/loader.h"

namespace trainyard::cli {

namespace {

// A curve in characters: 60 columns, 12 rows.
void printCurve(const std::vector<double>& rates) {
  constexpr size_t kColumns = 60, kRows = 12;
  const double top = *std::max_element(rates.begin(), rates.end());
  for (size_t row = 0; row < kRows; ++row) {
    std::printf("%10.3g |", top * static_cast<double>(kRows - row) / kRows);
    for (size_t column = 0; column < kColumns; ++column) {
      const double rate = rates[column * (rates.size() - 1) / (kColumns - 1)];
      std::putchar(rate >= top * (static_cast<double>(kRows - row) - 0.5) / kRows ? '#' : ' ');
    }
    std::putchar('\n');
  }
  std::printf("%10s +%s\n%10s  step 0%*zu\n", "", std::string(kColumns, '-').c_str(), "", static_cast<int>(kColumns - 6), rates.size());
}

}  // namespace

void addSchedule(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "schedule", "The learning rate of every step, without training");
  struct Options {
    std::string recipe;
    std::vector<std::string> overrides;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("recipe", options->recipe, "The recipe, a .toml file")->required();
  addOverrides(verb, options->overrides);
  verb->callback(reporting(context, [options, &context]() -> Result<void> {
    TRAINYARD_TRY(const recipe::Recipe recipe, recipe::load(options->recipe, options->overrides));
    TRAINYARD_TRY(const data::TrainingData opened, data::openForTraining(recipe));
    const uint64_t steps = loader::stepsPerEpoch(opened.parts.train.size(), recipe.train.batch_size);
    TRAINYARD_TRY(const auto schedule, schedule::make(recipe, steps, steps * recipe.train.epochs));
    const std::vector<schedule::Hyper> all = schedule::previewAll(*schedule, steps * recipe.train.epochs);
    std::vector<double> rates, momenta;
    for (const auto& hyper : all) {
      rates.push_back(hyper.lr);
      momenta.push_back(hyper.momentum);
    }
    if (const std::string watched = schedule->watches(); !watched.empty()) {
      std::fprintf(stderr, "note: the rate falls where the validation's %s stops improving, which only training can tell\n", watched.c_str());
    }
    if (context.json) printJson({{"lr", rates}, {"momentum", momenta}});
    else printCurve(rates);
    return {};
  }));
}

}  // namespace trainyard::cli
