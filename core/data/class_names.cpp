#include <algorithm>
#include <numeric>

#include "core/data/dataset.h"

namespace trainyard::data {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// The run of digits at `at` without its leading zeros.
std::string_view digitsAt(std::string_view text, size_t& at) {
  const size_t begin = at;
  while (at < text.size() && isDigit(text[at])) ++at;
  std::string_view digits = text.substr(begin, at - begin);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

// Runs of digits by their value, other bytes without regard to case.
int compareNaturally(std::string_view a, std::string_view b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (isDigit(a[i]) && isDigit(b[j])) {
      const auto x = digitsAt(a, i), y = digitsAt(b, j);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (const int order = x.compare(y); order != 0) return order;
      continue;
    }
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : static_cast<unsigned char>(c); };
    if (lower(a[i]) != lower(b[j])) return lower(a[i]) < lower(b[j]) ? -1 : 1;
    ++i;
    ++j;
  }
  return static_cast<int>(i < a.size()) - static_cast<int>(j < b.size());
}

}  // namespace

std::string taskName(Task task) {
  constexpr const char* kNames[] = {"classes", "labels", "numbers", "tokens"};
  return kNames[static_cast<size_t>(task)];
}

Json classMap(const Dataset& dataset) {
  Json map = Json::object();
  for (size_t i = 0; i < dataset.classes().size(); ++i) map[dataset.classes()[i]] = i;
  return map;
}

std::vector<size_t> displayOrder(const std::vector<std::string>& classes) {
  std::vector<size_t> order(classes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const int natural = compareNaturally(classes[a], classes[b]);
    return natural != 0 ? natural < 0 : classes[a] < classes[b];
  });
  return order;
}

}  // namespace trainyard::data
