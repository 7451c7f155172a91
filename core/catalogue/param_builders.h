#pragma once
// Short ways to write the tables of this room.
#include <utility>

#include "core/catalogue/param_spec.h"

namespace trainyard::catalogue {

inline ParamSpec param(ParamKind kind, std::string key, std::string title, std::string help, Json fallback = nullptr) {
  ParamSpec spec;
  spec.key = std::move(key);
  spec.title = std::move(title);
  spec.help = std::move(help);
  spec.kind = kind;
  spec.fallback = std::move(fallback);
  return spec;
}

inline ParamSpec integer(std::string key, std::string title, std::string help, Json fallback, double minimum, std::optional<double> maximum = {}) {
  ParamSpec spec = param(ParamKind::Integer, std::move(key), std::move(title), std::move(help), std::move(fallback));
  spec.minimum = minimum;
  spec.maximum = maximum;
  return spec;
}

inline ParamSpec real(std::string key, std::string title, std::string help, Json fallback, double minimum, std::optional<double> maximum = {}) {
  ParamSpec spec = integer(std::move(key), std::move(title), std::move(help), std::move(fallback), minimum, maximum);
  spec.kind = ParamKind::Real;
  return spec;
}

inline ParamSpec boolean(std::string key, std::string title, std::string help, bool fallback) {
  return param(ParamKind::Boolean, std::move(key), std::move(title), std::move(help), fallback);
}

inline ParamSpec choice(std::string key, std::string title, std::string help, std::string fallback, std::vector<Option> choices) {
  ParamSpec spec = param(ParamKind::Choice, std::move(key), std::move(title), std::move(help), std::move(fallback));
  spec.choices = std::move(choices);
  return spec;
}

inline ParamSpec list(std::string key, std::string title, std::string help, Json fallback, ParamSpec element, size_t min_items, size_t max_items = SIZE_MAX) {
  ParamSpec spec = param(ParamKind::List, std::move(key), std::move(title), std::move(help), std::move(fallback));
  spec.items = {std::move(element)};
  spec.min_items = min_items;
  spec.max_items = max_items;
  return spec;
}

inline ParamSpec either(std::string key, std::string title, std::string help, Json fallback, std::vector<ParamSpec> alternatives) {
  ParamSpec spec = param(ParamKind::Union, std::move(key), std::move(title), std::move(help), std::move(fallback));
  spec.items = std::move(alternatives);
  return spec;
}

// Tables as the repeated section holds them; always needed.
inline ParamSpec tables(std::string key, std::string title, std::string help, std::string section, size_t min_items) {
  ParamSpec spec = param(ParamKind::Tables, std::move(key), std::move(title), std::move(help));
  spec.section = std::move(section);
  spec.min_items = min_items;
  spec.required = true;
  return spec;
}

inline ParamSpec above(ParamSpec spec) {  // greater than its minimum
  spec.exclusive_minimum = true;
  return spec;
}
inline ParamSpec advanced(ParamSpec spec) {
  spec.advanced = true;
  return spec;
}
inline ParamSpec inUnit(ParamSpec spec, std::string unit) {
  spec.unit = std::move(unit);
  return spec;
}
inline ParamSpec shownWhen(ParamSpec spec, std::string key, std::vector<std::string> values) {
  spec.visible_when_key = std::move(key);
  spec.visible_when_values = std::move(values);
  return spec;
}
inline ParamSpec needed(ParamSpec spec) {
  spec.required = true;
  return spec;
}

// The word "auto", as one alternative of a union.
inline ParamSpec automatic() { return choice("", "Automatic", "", "auto", {{"auto", "Automatic", ""}}); }

}  // namespace trainyard::catalogue
