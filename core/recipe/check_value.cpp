#include <cmath>

#include "core/base/units.h"
#include "core/recipe/check.h"

namespace trainyard::recipe {

namespace {

using catalogue::ParamKind;
using catalogue::ParamSpec;

std::string number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<long long>(value));
  return compactJson(Json(value));
}

std::string range(const ParamSpec& spec) {
  if (spec.minimum && spec.maximum) {
    return spec.exclusive_minimum ? "above " + number(*spec.minimum) + " and at most " + number(*spec.maximum)
                                  : "from " + number(*spec.minimum) + " to " + number(*spec.maximum);
  }
  if (spec.minimum) return (spec.exclusive_minimum ? "greater than " : "at least ") + number(*spec.minimum);
  if (spec.maximum) return "at most " + number(*spec.maximum);
  return "";
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::vector<std::string> optionIds(const ParamSpec& spec) {
  std::vector<std::string> ids;
  for (const auto& option : spec.choices) ids.push_back(option.id);
  return ids;
}

Fault wrong(const Json& value, const ParamSpec& spec) { return {compactJson(value) + " is not allowed here: it must be " + describe(spec), ""}; }

std::optional<Fault> checkNumber(const Json& value, const ParamSpec& spec) {
  const bool right_type = spec.kind == ParamKind::Integer ? value.is_number_integer() : value.is_number();
  if (!right_type) return wrong(value, spec);
  const double x = value.get<double>();
  const bool low = spec.minimum && (spec.exclusive_minimum ? x <= *spec.minimum : x < *spec.minimum);
  if (!std::isfinite(x) || low || (spec.maximum && x > *spec.maximum)) return wrong(value, spec);
  return {};
}

std::optional<Fault> checkChoice(const Json& value, const ParamSpec& spec) {
  const auto ids = optionIds(spec);
  if (!value.is_string()) return wrong(value, spec);
  const auto text = value.get<std::string>();
  if (std::find(ids.begin(), ids.end(), text) != ids.end()) return {};
  Fault fault = wrong(value, spec);
  const std::string near = nearestWord(text, ids);
  if (!near.empty()) fault.hint = "did you mean \"" + near + "\"?";
  return fault;
}

std::optional<Fault> checkList(const Json& value, const ParamSpec& spec) {
  if (!value.is_array()) return wrong(value, spec);
  if (value.size() < spec.min_items || value.size() > spec.max_items) return wrong(value, spec);
  for (const auto& item : value) {
    if (auto fault = checkValue(item, spec.items.front())) return fault;
  }
  return {};
}

}  // namespace

std::string describe(const ParamSpec& spec) {
  const std::string limits = range(spec);
  switch (spec.kind) {
    case ParamKind::Integer: return "a whole number" + (limits.empty() ? "" : " " + limits);
    case ParamKind::Real: return "a number" + (limits.empty() ? "" : " " + limits);
    case ParamKind::Boolean: return "true or false";
    case ParamKind::Text: return "a text in quotes";
    case ParamKind::Path: return "a path in quotes";
    case ParamKind::Choice: return spec.choices.size() == 1 ? "\"" + spec.choices[0].id + "\"" : "one of: " + joined(optionIds(spec), ", ");
    case ParamKind::List: {
      std::string count;
      if (spec.min_items == spec.max_items) count = number(static_cast<double>(spec.min_items)) + " items, each ";
      else if (spec.min_items > 0) count = "at least " + number(static_cast<double>(spec.min_items)) + " items, each ";
      return "a list of " + count + describe(spec.items.front());
    }
    case ParamKind::Union: {
      std::vector<std::string> parts;
      for (const auto& item : spec.items) parts.push_back(describe(item));
      return joined(parts, ", or ");
    }
    case ParamKind::Tables: return "a list of tables, " + (spec.min_items > 0 ? "at least " + std::to_string(spec.min_items) + ", " : "") + "each like one [[" + spec.section + "]]";
  }
  return "";
}

std::optional<Fault> checkValue(const Json& value, const ParamSpec& spec) {
  switch (spec.kind) {
    case ParamKind::Integer:
    case ParamKind::Real: return checkNumber(value, spec);
    case ParamKind::Boolean: return value.is_boolean() ? std::nullopt : std::optional(wrong(value, spec));
    case ParamKind::Text:
    case ParamKind::Path:
      if (!value.is_string()) return wrong(value, spec);
      if (spec.required && value.get_ref<const std::string&>().empty()) return Fault{"must not be empty", ""};
      return {};
    case ParamKind::Choice: return checkChoice(value, spec);
    case ParamKind::List: return checkList(value, spec);
    case ParamKind::Union:
      for (const auto& item : spec.items) {
        if (!checkValue(value, item)) return {};
      }
      return wrong(value, spec);
    case ParamKind::Tables: return value.is_array() && value.size() >= spec.min_items ? std::nullopt : std::optional(wrong(value, spec));
  }
  return {};
}

}  // namespace trainyard::recipe
