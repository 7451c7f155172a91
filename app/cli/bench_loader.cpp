#include "app/cli/bench_loader.h"

#include <chrono>
#include <numeric>
#include <vector>

#include "core/base/random.h"
#include "core/loader/loader.h"

namespace trainyard::cli {

namespace {

// 50,000 colour pictures of 32×32 noise in memory.
class Noise : public data::Dataset {
 public:
  Noise() : pixels_(kSamples * kBytes), classes_(10, "class") {
    Random random({1});
    for (size_t i = 0; i < pixels_.size(); ++i) pixels_[i] = static_cast<unsigned char>(random.next());
  }
  uint64_t size() const override { return kSamples; }
  data::Part part(uint64_t) const override { return data::Part::Unassigned; }
  std::string name(uint64_t sample) const override { return std::to_string(sample); }
  int label(uint64_t sample) const override { return static_cast<int>(sample % 10); }
  const std::vector<std::string>& classes() const override { return classes_; }
  bool inMemory() const override { return true; }
  Result<cv::Mat> picture(uint64_t sample) const override {
    return cv::Mat(kEdge, kEdge, CV_8UC3, const_cast<unsigned char*>(pixels_.data() + sample * kBytes));
  }

 private:
  static constexpr uint64_t kSamples = 50'000;
  static constexpr int kEdge = 32;
  static constexpr size_t kBytes = 3 * kEdge * kEdge;

  std::vector<unsigned char> pixels_;
  std::vector<std::string> classes_;
};

// As the peer's: crop, flip, normalise.
recipe::Recipe recipeFor(const LoaderBench& options) {
  recipe::Recipe recipe;
  recipe.data.format = {"image-folder", {{"path", options.folder}}};
  recipe.data.path = expandUser(options.folder);
  recipe.data.channels = 3;
  recipe.data.cache = "off";
  const Json scale = {0.08, 1.0}, ratio = {3.0 / 4, 4.0 / 3};
  if (options.workload == "full") recipe.augment.push_back({"random_resized_crop", {{"size", 224}, {"scale", scale}, {"ratio", ratio}}});
  if (options.workload == "crop") recipe.augment.push_back({"random_crop", {{"size", 224}}});
  if (options.workload == "cifar") recipe.augment.push_back({"random_crop", {{"size", 32}, {"padding", 4}}});
  recipe.augment.push_back({"random_horizontal_flip", {{"p", 0.5}}});
  recipe.augment.push_back({"normalize", {{"mean", {0.485, 0.456, 0.406}}, {"std", {0.229, 0.224, 0.225}}}});
  return recipe;
}

Result<std::shared_ptr<const data::Dataset>> datasetFor(const LoaderBench& options, const recipe::Recipe& recipe) {
  if (options.workload == "cifar") return std::make_shared<const Noise>();
  if (options.folder.empty()) return fail(ErrorCode::Usage, "the folder of the pictures is missing", "bench loader", "name a folder of class folders");
  TRAINYARD_TRY(auto opened, data::open(recipe.data));
  return std::shared_ptr<const data::Dataset>(std::move(opened));
}

Result<uint64_t> epochOf(loader::Loader& loader) {
  uint64_t samples = 0;
  while (true) {
    TRAINYARD_TRY(const auto batch, loader.next());
    if (!batch) return samples;
    samples += batch->samples.size();
  }
}

}  // namespace

Result<Json> benchLoader(const LoaderBench& options) {
  const recipe::Recipe recipe = recipeFor(options);
  TRAINYARD_TRY(const auto dataset, datasetFor(options, recipe));
  TRAINYARD_TRY(const cv::Mat first, dataset->picture(0));
  TRAINYARD_TRY(auto chain, augment::Chain::make(recipe, {first.channels(), first.rows, first.cols}, true));
  std::vector<uint64_t> indices(dataset->size());
  std::iota(indices.begin(), indices.end(), 0);
  const auto preparer = loader::pictures(std::make_shared<const augment::Chain>(std::move(chain)));
  auto loader = loader::make(dataset, std::move(indices), preparer, {.batch_size = options.batch, .workers = options.workers});
  TRAINYARD_CHECK(epochOf(*loader));  // warms the page cache and the workers
  const auto begun = std::chrono::steady_clock::now();
  TRAINYARD_TRY(const uint64_t samples, epochOf(*loader));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  return Json{{"workload", options.workload}, {"workers", options.workers}, {"images_per_s", static_cast<double>(samples) / seconds.count()}};
}

}  // namespace trainyard::cli
