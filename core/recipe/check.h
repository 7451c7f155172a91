#pragma once
// Validation of one value and of one table against the catalogue; the pieces of check() in recipe.h.
#include <optional>
#include <string>

#include "core/catalogue/param_spec.h"
#include "core/recipe/recipe.h"

namespace trainyard::recipe {

// What is wrong with a value, or nothing. `what` holds the value and the allowed range.
struct Fault {
  std::string what, hint;
};
std::optional<Fault> checkValue(const Json& value, const catalogue::ParamSpec& spec);

// "a whole number from 1 to 10", "one of: grey, rgb": for messages.
std::string describe(const catalogue::ParamSpec& spec);

}  // namespace trainyard::recipe
