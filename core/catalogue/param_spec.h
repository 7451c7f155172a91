#pragma once
// A ParamSpec describes one key of the recipe as data: what it means, what it may be, what it is when left out. The recipe's validation,
// the window's forms, `--help` and the docs all read the same tables, so they cannot drift apart.
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace trainyard::catalogue {

enum class ParamKind {
  Integer,
  Real,
  Boolean,
  Text,
  Path,    // a file or folder; "~" is the home folder
  Choice,  // one of `choices`
  List,    // elements as `items[0]`, between min_items and max_items of them
  Union,   // any of `items`: a share or a path, a number or "auto"
  Tables,  // a list of tables as the repeated section `section` holds them: the steps inside random_apply
};

struct Option {
  std::string id;     // as in the recipe
  std::string title;  // for people, English (source text of the translations)
  std::string help;
};

struct ParamSpec {
  std::string key;    // as in the recipe: "batch_size"
  std::string title;  // plain words first: "Pictures per update"
  std::string help;   // one or two sentences
  ParamKind kind = ParamKind::Real;
  Json fallback;             // the default; null: the key may be left out and then stays absent
  bool required = false;     // must be given (data.path); then fallback is null
  std::optional<double> minimum, maximum;  // of numbers, inclusive
  bool exclusive_minimum = false;          // "greater than" instead of "at least"
  std::vector<Option> choices;             // kind Choice
  std::vector<ParamSpec> items;            // List: the element (one); Union: the alternatives
  size_t min_items = 0, max_items = SIZE_MAX;
  std::string section;                     // Tables: the key of a repeated section
  std::string visible_when_key;                  // the form shows this field only while that sibling key …
  std::vector<std::string> visible_when_values;  // … has one of these values
  std::string unit;       // shown behind the field: "epochs", "%"
  bool advanced = false;  // folded under Advanced in the form
};

// A cross-field rule of one table: the key at fault and what is wrong, or nothing.
struct Conflict {
  std::string key, what, hint;
};
using CrossCheck = std::optional<Conflict> (*)(const Json& table);

// One entry that can be chosen: an optimizer, an architecture, a dataset format, …
struct Descriptor {
  std::string id;     // as in the recipe: "adamw"
  std::string title;  // "AdamW"
  std::string help;   // one sentence: what it is good for
  std::vector<ParamSpec> params;
  double state_bytes_per_parameter = 0;  // optimizers: state kept beside the weights and gradients
  CrossCheck check = nullptr;
};

}  // namespace trainyard::catalogue
