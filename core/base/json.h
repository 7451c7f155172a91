#pragma once
// The one JSON type of the project. Objects keep the order in which keys were added, so that files read as they were written.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace trainyard {

using Json = nlohmann::ordered_json;

// A number for a JSON line: JSON has no non-finite numbers, so those become the strings "nan", "inf" and "-inf".
Json jsonNumber(double value);

// The reverse: a number, or one of those three strings. Anything else gives `fallback`.
double numberFrom(const Json& value, double fallback = std::nan(""));

// One line without spaces or newline; invalid UTF-8 (file names may hold it) is replaced, never thrown on.
std::string compactJson(const Json& value);

// Several lines, indented by two spaces, for people.
std::string prettyJson(const Json& value);

}  // namespace trainyard
