#include <algorithm>
#include <charconv>
#include <map>

#include "core/hardware/readers.h"

namespace trainyard::hardware {

namespace {

std::optional<uint64_t> number(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "name value" or "name: value kB" lines.
std::map<std::string, uint64_t> table(const std::string& text) {
  std::map<std::string, uint64_t> values;
  for (const std::string& line : splitLines(text)) {
    auto words = splitWords(line);
    if (words.size() < 2) continue;
    if (words[0].ends_with(':')) words[0].pop_back();
    values[words[0]] = number(words[1]).value_or(0) * (words.size() > 2 && words[2] == "kB" ? 1024 : 1);
  }
  return values;
}

// What the group may still take. File cache that is not in use counts as free, as in MemAvailable.
uint64_t leftIn(const fs::path& folder, bool unified, uint64_t limit) {
  const uint64_t used = number(slurp(folder / (unified ? "memory.current" : "memory.usage_in_bytes"))).value_or(0);
  const auto stat = table(slurp(folder / "memory.stat"));
  const auto found = stat.find(unified ? "inactive_file" : "total_inactive_file");
  const uint64_t cache = found == stat.end() ? 0 : std::min(found->second, used);
  return limit - std::min(limit, used - cache);
}

}  // namespace

Memory readMemory(const fs::path& root) {
  auto info = table(slurp(root / "proc/meminfo"));
  Memory memory;
  memory.total_bytes = info["MemTotal"];
  memory.available_bytes = info.contains("MemAvailable") ? info["MemAvailable"] : info["MemFree"] + info["Buffers"] + info["Cached"];
  const CgroupChain chain = cgroupChain(root, "memory");
  for (const fs::path& folder : chain.folders) {
    const auto limit = number(slurp(folder / (chain.unified ? "memory.max" : "memory.limit_in_bytes")));  // "max": no number, no limit
    if (!limit || *limit >= memory.total_bytes) continue;
    memory.limit_bytes = std::min(*limit, memory.limit_bytes.value_or(*limit));
    memory.available_bytes = std::min(memory.available_bytes, leftIn(folder, chain.unified, *limit));
  }
  return memory;
}

}  // namespace trainyard::hardware
