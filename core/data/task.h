#pragma once
#include <string>

namespace trainyard::data {

// What a sample's target is: one class; any number of classes; numbers; the next token at each place of a text.
enum class Task { Classes, Labels, Numbers, Tokens };
std::string taskName(Task task);  // "classes", "labels", "numbers", "tokens"

}  // namespace trainyard::data
