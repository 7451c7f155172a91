#include "ui/pages/train/presets.h"

#include <algorithm>
#include <cmath>

#include "core/recipe/recipe.h"
#include "ui/pages/model/known_networks.h"
#include "ui/recipe_keys.h"

namespace trainyard::ui {
namespace {

constexpr int kSmallPicture = 40;       // pixels: weights learned on photos do not suit below it
constexpr int kPublishedSize = 224;     // the edge that published weights were trained on
constexpr double kWarmUpShare = 0.05;   // of all updates
constexpr uint64_t kShortTraining = 5000;  // updates: below it an average over a thousand of them lags behind
constexpr auto kUsualNetwork = "resnet18";

enum class Kind { Pictures, SmallPictures, Table, Text };

std::string textAt(const Json& document, const char* key) {
  const Json value = valueAt(document, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

Kind kindOf(const Json& document) {
  const std::string format = textAt(document, "data.format");
  if (format == "text") return Kind::Text;
  if (format == "table") return Kind::Table;
  const Json size = valueAt(document, "data.size");
  const bool small = size.is_number_integer() && size.get<int>() > 0 && size.get<int>() <= kSmallPicture;
  return small || format == "idx" || format == "cifar10" || format == "cifar100" ? Kind::SmallPictures : Kind::Pictures;
}

// A list of pictures may be of labels or numbers; which is known where the recipe says it.
bool isOfClasses(const Json& document) { return textAt(document, "data.format") != "image-csv" || textAt(document, "data.task") == "classes"; }

bool startsWith(const std::string& text, std::initializer_list<const char*> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](const char* beginning) { return text.rfind(beginning, 0) == 0; });
}

// Networks that want a lower rate than convolutions with batch norm.
bool isGentle(const std::string& architecture) { return startsWith(architecture, {"vit", "swin", "gpt", "convnext"}); }

bool hasStep(const Json& given, const char* op) {
  const Json steps = given.value("augment", Json::array());
  return std::any_of(steps.begin(), steps.end(), [&](const Json& step) { return step.is_object() && step.value("op", std::string()) == op; });
}

void addStep(Json& given, Json step) {
  Json& steps = given["augment"];
  if (!steps.is_array()) steps = Json::array();
  // Normalising stays last.
  const auto last = std::find_if(steps.begin(), steps.end(), [](const Json& one) { return one.is_object() && one.value("op", std::string()) == "normalize"; });
  steps.insert(last, std::move(step));
}

void setKeys(Json& given, std::initializer_list<std::pair<const char*, Json>> values) {
  for (const auto& [key, value] : values) putAt(given, key, value);
}

void setOptimizer(Json& given, double rate, double weight_decay) {
  Json table = given.value("optimizer", Json::object());
  if (table.value("type", std::string("adamw")) != "adamw") table = Json::object();
  table["type"] = "adamw";
  table["lr"] = rate;
  table["weight_decay"] = weight_decay;
  given["optimizer"] = std::move(table);
}

// A schedule over the updates, with a warm-up. One that is there already stays as long as it is.
void setSchedule(Json& given, const char* type, bool warm_up, uint64_t updates) {
  const Json old = given.value("schedule", Json::object());
  const bool same = old.is_object() && old.value("type", std::string()) == type && old.value("unit", std::string()) == "step";
  Json table = {{"type", type}, {"unit", "step"}};
  if (warm_up) {
    const bool kept = same && old.contains("warmup") && old["warmup"].is_number_integer() && old["warmup"].get<int64_t>() > 0;
    table["warmup"] = kept ? old["warmup"] : Json(std::max<int64_t>(1, std::llround(kWarmUpShare * double(updates))));
  }
  given["schedule"] = std::move(table);
}

uint64_t updatesOf(const Json& given, const PresetFacts& facts) {
  const Json epochs = valueAt(given, "train.epochs");
  const uint64_t per_epoch = facts.updates_per_epoch > 0 ? facts.updates_per_epoch : 100;
  return per_epoch * (epochs.is_number_unsigned() || epochs.is_number_integer() ? epochs.get<uint64_t>() : 1);
}

void setArchitecture(Json& given, const char* id) {
  if (textAt(given, "model.arch") == id) return;
  given["model"] = {{"arch", id}};
}

void quick(Json& given, Kind kind, const PresetFacts& facts) {
  if (kind == Kind::Pictures || kind == Kind::SmallPictures) setArchitecture(given, "smallcnn");
  setKeys(given, {{"train.epochs", kind == Kind::Text ? 1 : 5}, {"train.early_stop", nullptr}, {"train.ema_decay", nullptr}, {"train.label_smoothing", nullptr}});
  setOptimizer(given, isGentle(textAt(given, "model.arch")) ? 1e-3 : 3e-3, 0.01);
  setSchedule(given, "one_cycle", false, updatesOf(given, facts));
}

void balanced(Json& given, Kind kind, const PresetFacts& facts) {
  setKeys(given, {{"train.epochs", kind == Kind::Text ? 5 : 20}, {"train.early_stop", nullptr}, {"train.ema_decay", nullptr}, {"train.label_smoothing", nullptr}});
  setOptimizer(given, isGentle(textAt(given, "model.arch")) ? 3e-4 : 1e-3, 0.01);
  setSchedule(given, "cosine", true, updatesOf(given, facts));
}

void startFromPublished(Json& given) {
  putAt(given, "model.weights", knownNetwork(textAt(given, "model.arch")).weights);
  const Json size = valueAt(given, "data.size");
  const int edge = size.is_number_integer() ? size.get<int>() : 0;
  if (edge < kPublishedSize) {
    setKeys(given, {{"data.size", kPublishedSize}, {"data.channels", "rgb"}});
    if (given.contains("augment") && given["augment"].is_array()) {
      for (Json& step : given["augment"]) {
        if (step.is_object() && step.contains("size") && step["size"] == Json(edge)) step["size"] = kPublishedSize;
      }
    }
  }
  // What those networks saw: ImageNet's colours.
  if (!hasStep(given, "normalize")) addStep(given, {{"op", "normalize"}, {"mean", {0.485, 0.456, 0.406}}, {"std", {0.229, 0.224, 0.225}}});
}

void best(Json& given, Kind kind, const PresetFacts& facts) {
  const std::string arch = textAt(given, "model.arch");
  if (kind == Kind::Pictures && !hasPublishedWeights(arch)) setArchitecture(given, kUsualNetwork);
  const bool published = kind == Kind::Pictures && hasPublishedWeights(textAt(given, "model.arch"));
  if (published) startFromPublished(given);
  const bool pictures = kind == Kind::Pictures || kind == Kind::SmallPictures;
  if (pictures && !hasStep(given, "mixup") && !hasStep(given, "cutmix")) addStep(given, {{"op", "mixup"}, {"alpha", 0.2}});
  setKeys(given, {{"train.epochs", kind == Kind::Text ? 20 : published ? 30 : 60}, {"train.early_stop", 10}, {"train.clip_norm", 1.0}});
  putAt(given, "train.label_smoothing", pictures && isOfClasses(given) ? Json(0.1) : Json());
  const uint64_t updates = updatesOf(given, facts);
  if (!valueAt(given, "train.ema_decay").is_number()) putAt(given, "train.ema_decay", updates < kShortTraining ? 0.99 : 0.999);
  const bool gentle = isGentle(textAt(given, "model.arch"));
  setOptimizer(given, published ? (gentle ? 1e-4 : 3e-4) : gentle ? 3e-4 : 1e-3, 0.05);
  setSchedule(given, "cosine", true, updates);
}

// As the checked recipe has it: a default that is written out is no difference.
Json normal(const Json& given) { return recipe::check(given).document; }

}  // namespace

bool hasPublishedWeights(const std::string& architecture) { return !knownNetwork(architecture).weights.empty(); }

Json withPreset(const Json& given, Preset preset, const PresetFacts& facts) {
  Json next = given;
  const Kind kind = kindOf(given);
  switch (preset) {
    case Preset::Quick:
      quick(next, kind, facts);
      break;
    case Preset::Balanced:
      balanced(next, kind, facts);
      break;
    case Preset::Best:
      best(next, kind, facts);
      break;
  }
  return next;
}

std::optional<Preset> presetOf(const Json& given, const PresetFacts& facts) {
  const Json now = normal(given);
  for (const Preset preset : {Preset::Quick, Preset::Balanced, Preset::Best}) {
    if (normal(withPreset(given, preset, facts)) == now) return preset;
  }
  return std::nullopt;
}

}  // namespace trainyard::ui
