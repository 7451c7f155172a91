#include <sstream>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 1
#include <toml++/toml.h>

#include "core/recipe/recipe.h"

namespace trainyard::recipe {

namespace {

template <class T>
Json asText(const T& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

class Converter {
 public:
  explicit Converter(Positions& positions) : positions_(positions) {}

  Json convert(const toml::node& node, const std::string& path) {
    if (const auto* table = node.as_table()) return convertTable(*table, path);
    if (const auto* array = node.as_array()) return convertArray(*array, path);
    if (const auto* value = node.as_integer()) return value->get();
    if (const auto* value = node.as_floating_point()) return value->get();
    if (const auto* value = node.as_boolean()) return value->get();
    if (const auto* value = node.as_string()) return value->get();
    if (const auto* value = node.as_date()) return asText(value->get());
    if (const auto* value = node.as_time()) return asText(value->get());
    if (const auto* value = node.as_date_time()) return asText(value->get());
    return nullptr;
  }

 private:
  Json convertTable(const toml::table& table, const std::string& path) {
    Json object = Json::object();
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      const std::string below = path.empty() ? name : path + "." + name;
      const auto& begin = key.source().begin ? key.source().begin : value.source().begin;
      positions_.push_back({below, {static_cast<int>(begin.line), static_cast<int>(begin.column)}});
      object[name] = convert(value, below);
    }
    return object;
  }

  Json convertArray(const toml::array& array, const std::string& path) {
    Json list = Json::array();
    for (const auto& item : array) {
      const std::string below = path + "[" + std::to_string(list.size()) + "]";
      positions_.push_back({below, {static_cast<int>(item.source().begin.line), static_cast<int>(item.source().begin.column)}});
      list.push_back(convert(item, below));
    }
    return list;
  }

  Positions& positions_;
};

}  // namespace

Result<Parsed> parseToml(std::string_view text, const std::string& file) {
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    const auto& error = parsed.error();
    const auto& begin = error.source().begin;
    std::string what(error.description());
    return fail(ErrorCode::Recipe, "not readable as TOML: " + what, file + ":" + std::to_string(begin.line) + ":" + std::to_string(begin.column),
                "correct this line; texts stand in double quotes, tables in [brackets]");
  }
  Parsed result;
  result.document = Converter(result.positions).convert(parsed.table(), "");
  return result;
}

Result<void> applyOverride(Json& document, std::string_view assignment) {
  const size_t equals = assignment.find('=');
  const size_t dot = assignment.substr(0, equals).find('.');
  const auto usage = [&] {
    return fail(ErrorCode::Usage, "--set takes table.key=value, not \"" + std::string(assignment) + "\"", "--set", "for example --set train.epochs=3");
  };
  if (equals == std::string_view::npos || equals == 0 || dot == 0) return usage();
  const bool whole = dot == std::string_view::npos;  // table={key = value}
  const std::string table(assignment.substr(0, whole ? equals : dot)), key(whole ? "" : assignment.substr(dot + 1, equals - dot - 1)), text(assignment.substr(equals + 1));
  const toml::parse_result parsed = toml::parse("value = " + text);
  Json value = text;
  if (parsed) {
    Positions ignored;
    value = Converter(ignored).convert(*parsed.table().get("value"), "");
  }
  Json& target = document[table];
  if (!target.is_object() && !target.is_null()) {
    return fail(ErrorCode::Usage, "\"" + table + "\" is a list of tables; --set reaches single tables only", "--set", "edit the recipe instead");
  }
  if (whole && !value.is_object()) return usage();
  if (whole) target = std::move(value);
  else target[key] = std::move(value);
  return {};
}

}  // namespace trainyard::recipe
