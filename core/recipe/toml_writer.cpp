#include <cmath>

#include "core/recipe/recipe.h"

namespace trainyard::recipe {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += std::string("\\") + c;
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (byte < 0x20 || byte == 0x7f) {
      constexpr char kHex[] = "0123456789ABCDEF";
      out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
    } else out += c;
  }
  return out + "\"";
}

std::string value(const Json& json) {
  if (json.is_string()) return quoted(json.get<std::string>());
  if (json.is_number_float()) {
    const double x = json.get<double>();
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    return compactJson(json);
  }
  if (json.is_array()) {
    std::string out;
    for (const auto& item : json) out += (out.empty() ? "" : ", ") + value(item);
    return "[" + out + "]";
  }
  if (json.is_object()) {
    std::string out;
    for (const auto& [key, item] : json.items()) {
      if (!item.is_null()) out += (out.empty() ? "" : ", ") + key + " = " + value(item);
    }
    return "{ " + out + " }";
  }
  return compactJson(json);
}

bool isTableList(const Json& json) { return json.is_array() && !json.empty() && json.front().is_object(); }

// A list of tables takes a line for each.
std::string lines(const Json& json) {
  if (!isTableList(json)) return value(json);
  std::string out = "[\n";
  for (const auto& table : json) out += "  " + value(table) + ",\n";
  return out + "]";
}

void writeTable(const Json& table, const std::string& header, std::string& out) {
  out += (out.empty() ? "" : "\n") + header + "\n";
  for (const auto& [key, item] : table.items()) {
    if (!item.is_null()) out += key + " = " + lines(item) + "\n";
  }
}

}  // namespace

std::string writeToml(const Json& document) {
  std::string out;
  for (const auto& [key, item] : document.items()) {
    if (isTableList(item)) {
      for (const auto& table : item) writeTable(table, "[[" + key + "]]", out);
    } else if (item.is_object()) {
      writeTable(item, "[" + key + "]", out);
    }
  }
  return out;
}

}  // namespace trainyard::recipe
