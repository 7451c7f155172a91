#include "core/catalogue/weights.h"
#include "core/recipe/recipe.h"

namespace trainyard::recipe {

namespace {

// The name of published weights is no path, unless a file of that name lies beside the recipe.
bool isPublished(const Json& model, const fs::path& folder) {
  if (!model.contains("weights")) return false;
  const auto text = model.at("weights").get<std::string>();
  std::error_code ignored;
  return catalogue::findWeights(text) != nullptr && !fs::exists(folder / text, ignored);
}

void makeAbsolute(Json& table, const char* key, const fs::path& folder) {
  if (!table.contains(key) || !table.at(key).is_string()) return;
  const auto text = table.at(key).get<std::string>();
  if (text.empty() || text == "auto") return;
  fs::path path = expandUser(text);
  if (path.is_relative()) path = folder / path;
  table[key] = displayPath(path.lexically_normal());
}

}  // namespace

Result<Recipe> load(const fs::path& file, const std::vector<std::string>& overrides) {
  auto text = readFile(file);
  if (!text) return fail(ErrorCode::Recipe, text.error().what, text.error().where, "give the path of a recipe (a .toml file)");
  const std::string name = displayPath(file);
  TRAINYARD_TRY(Parsed parsed, parseToml(*text, name));
  for (const auto& assignment : overrides) TRAINYARD_CHECK(applyOverride(parsed.document, assignment));
  Checked checked = check(parsed.document, name, parsed.positions);
  if (!checked.problems.empty()) {
    Error error = checked.problems.front().error;
    const size_t others = checked.problems.size() - 1;
    if (others > 0) error.hint += (error.hint.empty() ? "" : "; ") + std::string("and ") + std::to_string(others) + (others == 1 ? " more value" : " more values") + " to fix";
    return tl::unexpected(std::move(error));
  }
  const fs::path folder = fs::absolute(file).parent_path();
  makeAbsolute(checked.document["data"], "path", folder);
  makeAbsolute(checked.document["data"], "validation", folder);
  makeAbsolute(checked.document["data"], "test", folder);
  Json& model = checked.document["model"];
  if (!isPublished(model, folder)) makeAbsolute(model, "weights", folder);
  makeAbsolute(model, "file", folder);
  return toRecipe(checked.document);
}

Json draftFor(const fs::path& path, std::string_view format) {
  const bool small = format == "idx" || format == "cifar10" || format == "cifar100", table = format == "table", text = format == "text";
  const fs::path clean = path.lexically_normal();
  fs::path last = clean.has_filename() ? clean.filename() : clean.parent_path().filename();
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) last = last.stem();
  std::string name = displayPath(last);
  if (name.empty()) name = "pictures";
  Json draft = Json::object();
  draft["run"] = {{"name", name}};
  draft["data"] = {{"format", format}, {"path", displayPath(path)}};
  draft["augment"] = Json::array();
  if (!small && !table && !text) {
    draft["data"]["size"] = 64;
    draft["data"]["channels"] = "rgb";
    draft["augment"].push_back({{"op", "random_resized_crop"}, {"size", 64}, {"scale", {0.35, 1.0}}});
    draft["augment"].push_back({{"op", "random_horizontal_flip"}});
  } else if (small && format != "idx") {
    draft["augment"].push_back({{"op", "random_crop"}, {"size", 32}, {"padding", 4}});
    draft["augment"].push_back({{"op", "random_horizontal_flip"}});
  }
  draft["model"] = {{"arch", table ? "mlp" : small ? "smallcnn" : "resnet18"}};
  draft["train"] = {{"epochs", small ? 15 : 20}, {"batch_size", small ? 64 : 32}};
  draft["optimizer"] = {{"type", "adamw"}, {"lr", 0.001}};
  if (text) {
    draft["model"] = {{"arch", "gpt"}, {"layers", 4}, {"width", 256}, {"heads", 4}};
    draft["train"] = {{"epochs", 10}, {"batch_size", 16}, {"clip_norm", 1.0}};
    draft["checkpoint"] = {{"metric", "loss"}};
  }
  return check(draft).document;
}

}  // namespace trainyard::recipe
