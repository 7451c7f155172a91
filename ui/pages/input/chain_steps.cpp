#include "ui/pages/input/chain_steps.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/catalogue/catalogue.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kPadding = 4;
constexpr size_t kSummaryParts = 3;

struct ChainSteps {
  Q_DECLARE_TR_FUNCTIONS(ChainSteps)
};

const std::vector<std::string> kAlone = {"mixup", "cutmix", "normalize"};  // on whole updates, or once at the end

// To begin with where a step has no default, or one that changes nothing.
const std::pair<const char*, double> kStarts[] = {{"degrees", 15},    {"kernel_size", 5},  {"sharpness_factor", 2}, {"bits", 4},
                                                  {"threshold", 128}, {"brightness", 0.2}, {"contrast", 0.2},       {"saturation", 0.2}};

bool standsAlone(const std::string& op) { return std::find(kAlone.begin(), kAlone.end(), op) != kAlone.end(); }

const catalogue::Descriptor* entryOf(const std::string& op) { return catalogue::find(catalogue::augmentations(), op); }

QString summaryOf(const Json& step, const catalogue::Descriptor& entry) {
  QStringList parts;
  for (const auto& spec : entry.params) {
    if (spec.kind == catalogue::ParamKind::Tables || size_t(parts.size()) >= kSummaryParts || !step.contains(spec.key)) continue;
    const Json& value = step.at(spec.key);
    if (spec.required) {
      parts << valueText(value);
    } else if (spec.key == "p" || value != spec.fallback) {
      parts << catalogueText(spec.title) + " " + valueText(value);
    }
  }
  return parts.join(" · ");
}

void collect(const Json& list, const QString& key, int depth, std::vector<Step>& out) {
  if (!list.is_array()) return;
  for (size_t i = 0; i < list.size(); ++i) {
    const Json& table = list[i];
    Step step;
    step.path = pathIn(key, int(i));
    step.depth = depth;
    step.op = table.is_object() ? table.value("op", std::string()) : std::string();
    step.enabled = !table.is_object() || table.value("enabled", Json(true)) != Json(false);
    const auto* entry = entryOf(step.op);
    step.title = entry != nullptr ? catalogueText(entry->title) : QString::fromStdString(step.op);
    if (entry != nullptr) step.summary = summaryOf(table, *entry);
    const size_t own = out.size();
    out.push_back(step);
    if (entry == nullptr) continue;
    for (const auto& spec : entry->params) {
      if (spec.kind != catalogue::ParamKind::Tables) continue;
      out[own].container = true;
      if (table.contains(spec.key)) collect(table.at(spec.key), step.path + "." + QString::fromStdString(spec.key), depth + 1, out);
    }
  }
}

// The list as it is given, so that defaults are not written out.
Json givenList(const RecipeDocument& recipe, const QString& list) {
  Json steps = valueAt(recipe.given(), list);
  return steps.is_array() ? steps : Json::array();
}

void putList(RecipeDocument& recipe, const QString& list, const Json& steps) {
  Json next = recipe.given();
  putAt(next, list, steps);
  recipe.replaceAll(next);
}

}  // namespace

QString listOf(const QString& path) { return path.left(path.lastIndexOf('[')); }

int placeOf(const QString& path) {
  const int bracket = int(path.lastIndexOf('['));
  return path.mid(bracket + 1, path.size() - bracket - 2).toInt();
}

QString pathIn(const QString& list, int place) { return QString("%1[%2]").arg(list).arg(place); }

std::vector<Step> stepsOf(const Json& document, const QString& chain) {
  std::vector<Step> steps;
  collect(valueAt(document, chain), chain, 0, steps);
  return steps;
}

Json newStep(const std::string& op, int size) {
  Json step = {{"op", op}};
  const auto* entry = entryOf(op);
  if (entry == nullptr) return step;
  for (const auto& spec : entry->params) {
    if (spec.key == "size" && spec.required) step["size"] = size;
    for (const auto& [key, value] : kStarts) {
      if (spec.key == key && (spec.required || op == "color_jitter")) step[spec.key] = value == std::floor(value) ? Json(int(value)) : Json(value);
    }
    if (op == "normalize" && spec.required) step[spec.key] = spec.key == "mean" ? Json({0.485, 0.456, 0.406}) : Json({0.229, 0.224, 0.225});
    if (spec.kind == catalogue::ParamKind::Tables) step[spec.key] = Json::array({{{"op", "random_horizontal_flip"}}});
  }
  return step;
}

QString addStep(RecipeDocument& recipe, const QString& list, const Json& step) {
  Json steps = givenList(recipe, list);
  size_t place = steps.size();
  const auto opAt = [&](size_t i) { return steps[i].is_object() ? steps[i].value("op", std::string()) : std::string(); };
  const bool last = step.value("op", std::string()) == "normalize";
  while (place > 0 && !last && standsAlone(opAt(place - 1))) --place;
  steps.insert(steps.begin() + std::ptrdiff_t(place), step);
  putList(recipe, list, steps);
  return pathIn(list, int(place));
}

QString moveStep(RecipeDocument& recipe, const QString& path, int place) {
  const QString list = listOf(path);
  Json steps = givenList(recipe, list);
  const int from = placeOf(path);
  if (from < 0 || size_t(from) >= steps.size()) return {};
  place = std::clamp(place, 0, int(steps.size()) - 1);
  if (place == from) return {};
  const Json step = steps[size_t(from)];
  steps.erase(size_t(from));
  steps.insert(steps.begin() + place, step);
  putList(recipe, list, steps);
  return pathIn(list, place);
}

void removeStep(RecipeDocument& recipe, const QString& path) {
  const QString list = listOf(path);
  Json steps = givenList(recipe, list);
  const int place = placeOf(path);
  if (place < 0 || size_t(place) >= steps.size()) return;
  steps.erase(size_t(place));
  putList(recipe, list, steps);
}

void switchStep(RecipeDocument& recipe, const QString& path, bool on) {
  const QString list = listOf(path);
  Json steps = givenList(recipe, list);
  const int place = placeOf(path);
  if (place < 0 || size_t(place) >= steps.size() || !steps[size_t(place)].is_object()) return;
  Json& step = steps[size_t(place)];
  if (on) {
    step.erase("enabled");
  } else {
    step["enabled"] = false;
  }
  putList(recipe, list, steps);
}

Json suggestedForPhotos(int size) {
  return Json::array({{{"op", "random_resized_crop"}, {"size", size}, {"scale", {0.35, 1.0}}},
                      {{"op", "random_horizontal_flip"}},
                      {{"op", "color_jitter"}, {"brightness", 0.2}, {"contrast", 0.2}, {"saturation", 0.2}}});
}

Json suggestedForSmallPictures(int size, bool colour) {
  Json chain = Json::array({{{"op", "random_crop"}, {"size", size}, {"padding", kPadding}}});
  // Grey ones are often digits and letters, which a mirror makes wrong.
  if (colour) chain.push_back({{"op", "random_horizontal_flip"}});
  return chain;
}

Json derivedEvaluation(const Json& augment) {
  // torchvision's proportion of the resize before a centre crop.
  constexpr double kResizeBeforeCrop = 256.0 / 224;
  Json chain = Json::array();
  if (!augment.is_array()) return chain;
  for (const auto& step : augment) {
    if (!step.is_object() || step.value("enabled", Json(true)) == Json(false)) continue;
    const std::string op = step.value("op", std::string());
    const Json size = step.value("size", Json());
    if (op == "random_resized_crop" && !size.is_null()) {
      const double longest = size.is_array() ? std::max(numberFrom(size.at(0), 0), numberFrom(size.at(1), 0)) : numberFrom(size, 0);
      chain.push_back({{"op", "resize"}, {"size", int(std::lround(longest * kResizeBeforeCrop))}});
    }
    if (op == "random_resized_crop" || op == "random_crop") chain.push_back({{"op", "center_crop"}, {"size", size}});
    if (op == "resize" || op == "center_crop" || op == "normalize") chain.push_back(step);
  }
  return chain;
}

std::vector<StepGroup> stepGroups(bool inside) {
  std::vector<StepGroup> groups = {
      {ChainSteps::tr("Size and cut"), {"random_resized_crop", "random_crop", "resize", "center_crop"}},
      {ChainSteps::tr("Mirror, turn, bend"), {"random_horizontal_flip", "random_vertical_flip", "random_rotation", "random_affine", "random_perspective"}},
      {ChainSteps::tr("Colour"),
       {"color_jitter", "random_grayscale", "random_autocontrast", "random_equalize", "random_invert", "random_posterize", "random_solarize"}},
      {ChainSteps::tr("Blur, sharpen, erase"), {"gaussian_blur", "random_adjust_sharpness", "random_erasing"}},
      {ChainSteps::tr("Ready-made mixtures"), {"trivial_augment_wide", "rand_augment", "auto_augment"}},
      {ChainSteps::tr("Steps inside a step"), {"random_apply", "random_choice"}},
      {ChainSteps::tr("At the end"), {"normalize", "mixup", "cutmix"}},
  };
  std::vector<std::string> known;
  for (auto& group : groups) {
    std::erase_if(group.ops, [&](const std::string& op) { return entryOf(op) == nullptr || (inside && standsAlone(op)); });
    known.insert(known.end(), group.ops.begin(), group.ops.end());
  }
  StepGroup others{ChainSteps::tr("Others"), {}};
  for (const auto& entry : catalogue::augmentations()) {
    if (std::find(known.begin(), known.end(), entry.id) == known.end() && !(inside && standsAlone(entry.id))) others.ops.push_back(entry.id);
  }
  groups.push_back(others);
  std::erase_if(groups, [](const StepGroup& group) { return group.ops.empty(); });
  return groups;
}

}  // namespace trainyard::ui
