#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace trainyard {

namespace {

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

template <class... Args>
std::string format(const char* pattern, Args... args) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), pattern, args...);
  return text.data();
}

}  // namespace

std::string formatBytes(uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (value >= 1023.95 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return format("%.1f %s", value, kUnits[unit]);
}

std::string formatDuration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 9.95) return format("%.1f s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return format("%lld s", whole);
  if (whole < 3600) return format("%lld min %02lld s", whole / 60, whole % 60);
  return format("%lld h %02lld min", whole / 3600, whole % 3600 / 60);
}

std::string formatCount(uint64_t count) {
  std::string text = std::to_string(count);
  for (auto at = static_cast<ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<size_t>(at), ",");
  return text;
}

double unixTime() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

double steadySeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = SIZE_MAX;
  for (const auto& candidate : candidates) {
    const size_t distance = editDistance(word, candidate);
    const size_t allowed = std::max<size_t>(2, std::max(word.size(), candidate.size()) / 3);
    if (distance <= allowed && distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace trainyard
