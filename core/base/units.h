#pragma once
// Numbers for people (terminal and messages; the window formats its own through the locale). And time for machines.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

std::string formatBytes(uint64_t bytes);         // "512 B", "3.1 GiB"
std::string formatDuration(double seconds);      // "0.8 s", "42 s", "3 min 05 s", "1 h 52 min"
std::string formatCount(uint64_t count);         // "18,750"
double unixTime();                               // s since the epoch, system clock
double steadySeconds();                          // s, monotonic, for durations

// The candidate closest to `word` by edit distance, or "" when none is near (distance > 1/3 of the longer, at least 2).
std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace trainyard
