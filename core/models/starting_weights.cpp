#include "core/models/starting_weights.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>

#include "core/catalogue/weights.h"
#include "core/models/head.h"
#include "core/models/safetensors.h"
#include "core/models/torch_file.h"

namespace trainyard::models {

namespace {

constexpr size_t kNamesShown = 5;

// "a", "b", "c", …
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) text += (i ? ", " : "") + names[i];
  return names.size() > kNamesShown ? text + " and " + std::to_string(names.size() - kNamesShown) + " more" : text;
}

std::string quotedName(const std::string& name) { return "\"" + name + "\""; }

// The names that torchvision gave some parameters before; it renames them on loading too.
std::string presentName(std::string name) {
  const auto replace = [&name](std::string_view from, std::string_view to) {
    if (const size_t at = name.find(from); at != std::string::npos) name.replace(at, from.size(), to);
  };
  if (name.find("denselayer") != std::string::npos) {
    for (const char* part : {"norm.1.", "norm.2.", "conv.1.", "conv.2."}) replace(part, std::string(part, 4) + std::string(part + 5));
  }
  replace(".mlp.linear_1.", ".mlp.0.");
  replace(".mlp.linear_2.", ".mlp.3.");
  return name;
}

using ByName = std::map<std::string, at::Tensor>;

ByName byName(const std::vector<NamedTensor>& tensors, const std::vector<NamedTensor>& targets) {
  ByName found;
  for (const auto& [name, tensor] : tensors) {
    const bool known = std::any_of(targets.begin(), targets.end(), [&name = name](const NamedTensor& target) { return target.name == name; });
    found[known ? name : presentName(name)] = tensor;
  }
  return found;
}

// What does not fit, by name.
struct Differences {
  std::vector<std::string> missing, unexpected, shape;
};

Differences compare(const std::vector<NamedTensor>& targets, const ByName& given) {
  Differences differences;
  for (const auto& [name, target] : targets) {
    const auto found = given.find(name);
    if (found == given.end() && !name.ends_with("num_batches_tracked")) differences.missing.push_back(name);
    if (found != given.end() && found->second.sizes() != target.sizes()) differences.shape.push_back(name);
  }
  for (const auto& [name, tensor] : given) {
    if (std::none_of(targets.begin(), targets.end(), [&name = name](const NamedTensor& target) { return target.name == name; })) differences.unexpected.push_back(name);
  }
  return differences;
}

const at::Tensor& named(const std::vector<NamedTensor>& targets, const std::string& name) {
  return std::find_if(targets.begin(), targets.end(), [&](const NamedTensor& target) { return target.name == name; })->tensor;
}

// Only the first dimension, the classes, is another.
bool isOtherHead(at::IntArrayRef model, at::IntArrayRef file) { return model.size() == file.size() && model.slice(1) == file.slice(1); }

tl::unexpected<Error> shapeError(const std::vector<NamedTensor>& targets, const ByName& given, const std::string& name, const std::string& where) {
  const at::IntArrayRef model = named(targets, name).sizes(), file = given.at(name).sizes();
  const auto first = std::find_if(targets.begin(), targets.end(), [](const NamedTensor& target) { return target.tensor.dim() == 4; });
  if (first != targets.end() && name == first->name && model.size() == 4 && file.size() == 4 && model[1] != file[1] && model[0] == file[0]) {
    const bool grey = model[1] == 1 && file[1] == 3;
    return fail(ErrorCode::Recipe, "these weights are for pictures of " + std::to_string(file[1]) + " channels, and the recipe's have " + std::to_string(model[1]), where,
                grey ? "set data.channels = \"rgb\": grey pictures are then given three equal channels" : "set data.channels to what the weights were trained on");
  }
  if (name.ends_with("pos_embedding")) {
    return fail(ErrorCode::Data, "\"" + name + "\" has shape " + shapeText(file) + " in the file and " + shapeText(model) + " in the model: the weights are for another size of picture", where,
                "set data.size to the size they were trained with (224 for published ones)");
  }
  return fail(ErrorCode::Data, "tensor \"" + name + "\" has shape " + shapeText(file) + " in the file; the model needs " + shapeText(model), where, "these weights belong to another architecture");
}

// The head's names where it alone is for another number of classes; else the error.
Result<Started> judge(const Model& model, const std::vector<NamedTensor>& targets, const ByName& given, const std::string& where) {
  Differences differences = compare(targets, given);
  const std::string hint = "these weights belong to another architecture: the file has " + std::to_string(given.size()) + " tensors, the model " + std::to_string(targets.size());
  if (!differences.missing.empty()) {
    const auto& name = differences.missing.front();
    return fail(ErrorCode::Data, "tensor " + quotedName(name) + " of shape " + shapeText(named(targets, name).sizes()) + " is missing (" + std::to_string(differences.missing.size()) + " in all: " + listed(differences.missing) + ")", where, hint);
  }
  if (!differences.unexpected.empty()) {
    const auto& name = differences.unexpected.front();
    return fail(ErrorCode::Data, "the model has no tensor " + quotedName(name) + " of shape " + shapeText(given.at(name).sizes()) + " (" + std::to_string(differences.unexpected.size()) + " in all: " + listed(differences.unexpected) + ")", where, hint);
  }
  const std::vector<std::string> head = headOf(model);
  for (const auto& name : differences.shape) {
    const bool is_head = std::find(head.begin(), head.end(), name) != head.end();
    if (!is_head || !isOtherHead(named(targets, name).sizes(), given.at(name).sizes())) return shapeError(targets, given, name, where);
  }
  return Started{std::move(differences.shape)};
}

Result<fs::path> fileOf(const fs::path& source) {
  const std::string text = displayPath(source);
  std::error_code ignored;
  const auto* published = catalogue::findWeights(text);
  if (published == nullptr || fs::exists(source, ignored)) return source;
  fs::path cached = catalogue::cachedWeights(*published);
  if (fs::exists(cached, ignored)) return cached;
  return fail(ErrorCode::Recipe, "the published weights \"" + text + "\" are not on this computer yet", "model.weights", "fetch them once with: trainyard weights get " + text);
}

}  // namespace

std::string shapeText(at::IntArrayRef sizes) {
  std::string text = "[";
  for (size_t i = 0; i < sizes.size(); ++i) text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + "]";
}

Result<std::vector<NamedTensor>> readWeights(const fs::path& file) {
  if (isTorchFile(file)) return readTorchFile(file);
  auto opened = SafetensorsFile::open(file);
  if (opened) return opened->tensors();
  const fs::path extension = file.extension();
  std::error_code ignored;
  if ((extension == ".pt" || extension == ".pth") && fs::is_regular_file(file, ignored)) {
    return fail(ErrorCode::Data, "does not begin as a file of torch.save does", displayPath(file), "it is damaged, or older than PyTorch 0.4; take another copy, or save it again with a newer PyTorch");
  }
  return tl::unexpected(std::move(opened.error()));
}

Result<Started> loadStartingWeights(const Model& model, const fs::path& source) {
  TRAINYARD_TRY(const fs::path file, fileOf(source));
  TRAINYARD_TRY(const auto tensors, readWeights(file));
  const std::vector<NamedTensor> targets = model.state();
  const ByName given = byName(tensors, targets);
  TRAINYARD_TRY(Started started, judge(model, targets, given, displayPath(file)));
  at::NoGradGuard no_grad;
  for (const auto& [name, target] : targets) {
    const auto found = given.find(name);
    if (found == given.end() || found->second.sizes() != target.sizes()) continue;
    at::Tensor destination = target.detach();
    destination.copy_(found->second);
  }
  return started;
}

}  // namespace trainyard::models
