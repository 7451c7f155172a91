#include "core/base/pattern.h"

#include <cstddef>

namespace trainyard {

bool matchesPattern(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0;
  // Where to go on when what follows the last star does not fit: the star then takes one character more.
  size_t after_star = std::string_view::npos, taken_up_to = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      taken_up_to = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (after_star != std::string_view::npos) {
      p = after_star;
      n = ++taken_up_to;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace trainyard
