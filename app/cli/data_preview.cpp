#include <cstdio>
#include <memory>

#include "app/cli/data.h"
#include "core/data/image_decode.h"
#include "core/data/test_part.h"
#include "core/loader/preview.h"

namespace trainyard::cli {

namespace {

struct Options {
  std::string recipe, out;
  std::vector<std::string> overrides;
  std::vector<uint64_t> indices;
  uint64_t samples = 8, epoch = 0;
  bool evaluation = false;
};

// Spread over the part, so that more than the first class is seen.
Result<std::vector<uint64_t>> chosen(const Options& options, const data::Dataset& dataset, const std::vector<uint64_t>& part) {
  if (options.indices.empty()) {
    const uint64_t count = std::min<uint64_t>(options.samples, part.size());
    std::vector<uint64_t> spread;
    for (uint64_t i = 0; i < count; ++i) spread.push_back(part[i * part.size() / count]);
    return spread;
  }
  for (const uint64_t index : options.indices) {
    if (index < dataset.size()) continue;
    return fail(ErrorCode::Usage, "there is no sample " + std::to_string(index) + "; the data has " + std::to_string(dataset.size()), "--index",
                "indices go from 0 to " + std::to_string(dataset.size() - 1));
  }
  return options.indices;
}

Result<void> write(const cv::Mat& picture, const fs::path& file) {
  TRAINYARD_TRY(const std::string png, data::encodePng(picture));
  return replaceFile(file, png);
}

Result<Json> writeSample(const Options& options, const loader::Preview& preview, const data::Dataset& dataset, uint64_t sample) {
  const std::string stem = "sample-" + std::to_string(sample);
  const fs::path file = fs::path(options.out) / (stem + "-epoch-" + std::to_string(options.epoch) + ".png"),
                 original = fs::path(options.out) / (stem + "-original.png");
  TRAINYARD_TRY(const cv::Mat seen, preview.picture(dataset, sample, options.epoch));
  TRAINYARD_CHECK(write(seen, file));
  TRAINYARD_TRY(const cv::Mat stored, dataset.picture(sample));
  TRAINYARD_CHECK(write(stored, original));
  const bool labelled = dataset.task() == data::Task::Classes;
  return Json{{"index", sample},
              {"name", dataset.name(sample)},
              {"class", labelled ? Json(dataset.classes()[static_cast<size_t>(dataset.label(sample))]) : Json()},
              {"epoch", options.epoch},
              {"file", displayPath(file)},
              {"original", displayPath(original)}};
}

Result<void> preview(const Context& context, const Options& options) {
  TRAINYARD_TRY(const recipe::Recipe recipe, recipe::load(options.recipe, options.overrides));
  TRAINYARD_TRY(const data::Opened opened, data::openWithTestPart(recipe));
  const auto& parts = opened.parts;
  const auto& part = options.evaluation && !parts.validation.empty() ? parts.validation : parts.train;
  TRAINYARD_TRY(const augment::Shape stored, loader::storedShape(*opened.dataset, parts.train));
  TRAINYARD_TRY(const loader::Preview seen, loader::Preview::make(recipe, stored, !options.evaluation));
  TRAINYARD_TRY(const std::vector<uint64_t> samples, chosen(options, *opened.dataset, part));
  TRAINYARD_CHECK(makeFolder(options.out));
  Json written = Json::array();
  for (const uint64_t sample : samples) {
    TRAINYARD_TRY(Json one, writeSample(options, seen, *opened.dataset, sample));
    written.push_back(std::move(one));
  }
  const augment::Shape shape = seen.shape();
  if (context.json) {
    printJson({{"shape", {{"height", shape.height}, {"width", shape.width}, {"channels", shape.channels}}}, {"samples", written}});
    return {};
  }
  std::printf("The network gets %d × %d pixels, %s.\n", shape.width, shape.height, shape.channels == 1 ? "grey" : "in colour");
  for (const auto& one : written) std::printf("%s  %s\n", one["file"].get<std::string>().c_str(), one["name"].get<std::string>().c_str());
  return {};
}

}  // namespace

void addPreview(CLI::App& data, Context& context) {
  CLI::App* verb =
      addVerb(data, context, "preview", "Writes what the network gets as PNG files, made by the training's own code, and the originals beside them");
  auto options = std::make_shared<Options>();
  verb->add_option("recipe", options->recipe, "The recipe, a .toml file")->required();
  verb->add_option("--out", options->out, "Folder for the PNG files; made if it is not there")->required();
  verb->add_option("--samples", options->samples, "How many, spread over the training part")->check(CLI::Range(1, 10000));
  verb->add_option("--index", options->indices, "This sample of the data; may be given several times");
  verb->add_option("--epoch", options->epoch, "As training sees it in this epoch, counted from 0");
  verb->add_flag("--evaluation", options->evaluation, "As validation sees it, from the validation part");
  addOverrides(verb, options->overrides);
  verb->callback(reporting(context, [options, &context] { return preview(context, *options); }));
}

}  // namespace trainyard::cli
