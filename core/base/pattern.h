#pragma once
// Name patterns, as recipes use them for parameters.
#include <string_view>

namespace trainyard {

// Whether the whole of `name` fits `pattern`: * stands for any characters, none included, and ? for one; everything else for itself.
bool matchesPattern(std::string_view pattern, std::string_view name);

}  // namespace trainyard
