#include <sched.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <thread>

#include "core/hardware/readers.h"

namespace trainyard::hardware {

namespace {

struct InstructionSet {
  const char *flag, *name;
};
// As /proc/cpuinfo spells them; x86 first, then Arm. Only what matters to training.
constexpr std::array kInstructionSets = {
    InstructionSet{"sse4_2", "SSE4.2"},
    InstructionSet{"avx", "AVX"},
    InstructionSet{"avx2", "AVX2"},
    InstructionSet{"fma", "FMA"},
    InstructionSet{"f16c", "F16C"},
    InstructionSet{"avx_vnni", "AVX-VNNI"},
    InstructionSet{"avx512f", "AVX-512"},
    InstructionSet{"avx512_vnni", "AVX512-VNNI"},
    InstructionSet{"avx512_bf16", "AVX512-BF16"},
    InstructionSet{"avx512_fp16", "AVX512-FP16"},
    InstructionSet{"amx_int8", "AMX-INT8"},
    InstructionSet{"amx_bf16", "AMX-BF16"},
    InstructionSet{"amx_fp16", "AMX-FP16"},
    InstructionSet{"asimd", "NEON"},
    InstructionSet{"asimdhp", "FP16"},
    InstructionSet{"sve", "SVE"},
    InstructionSet{"sve2", "SVE2"},
    InstructionSet{"i8mm", "I8MM"},
    InstructionSet{"bf16", "BF16"},
};

std::vector<std::string> instructionSets(const std::string& flags) {
  const auto words = splitWords(flags);
  const std::set<std::string> have(words.begin(), words.end());
  std::vector<std::string> names;
  for (const auto& set : kInstructionSets) {
    if (have.contains(set.flag)) names.emplace_back(set.name);
  }
  return names;
}

void removeAll(std::string& text, std::string_view part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
}

// "Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz" → "Intel Xeon Gold 6230", "AMD EPYC 7763 64-Core Processor" → "AMD EPYC 7763"
std::string plainName(std::string name) {
  for (const char* part : {"(R)", "(TM)", "(tm)", " CPU"}) removeAll(name, part);
  if (const size_t at = name.find(" @ "); at != std::string::npos) name.resize(at);
  std::string plain;
  for (const std::string& word : splitWords(name)) {
    if (word == "Processor" || word.ends_with("-Core")) continue;
    plain += (plain.empty() ? "" : " ") + word;
  }
  return plain;
}

double gigahertzInName(const std::string& name) {
  const size_t at = name.find(" @ ");
  if (at == std::string::npos || !name.ends_with("GHz")) return 0;
  try {
    return std::stod(name.substr(at + 3));
  } catch (const std::exception&) {
    return 0;
  }
}

std::vector<fs::path> processorFolders(const fs::path& root) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root / "sys/devices/system/cpu", ignored)) {
    const std::string name = entry.path().filename();
    if (name.size() > 3 && name.starts_with("cpu") && std::all_of(name.begin() + 3, name.end(), ::isdigit)) folders.push_back(entry.path());
  }
  return folders;
}

uint64_t sizeIn(const std::string& text) {  // "32768K"
  try {
    size_t end = 0;
    const uint64_t number = std::stoull(text, &end);
    const char unit = end < text.size() ? text[end] : ' ';
    return number * (unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1);
  } catch (const std::exception&) {
    return 0;
  }
}

// The sum over distinct caches: a big processor has several, each shared by some cores.
uint64_t thirdLevelBytes(const std::vector<fs::path>& folders) {
  std::map<std::string, uint64_t> caches;
  for (const fs::path& folder : folders) {
    for (int index = 0; index < 8; ++index) {
      const fs::path cache = folder / "cache" / ("index" + std::to_string(index));
      if (slurp(cache / "level") == "3") caches.emplace(slurp(cache / "shared_cpu_list"), sizeIn(slurp(cache / "size")));
    }
  }
  uint64_t bytes = 0;
  for (const auto& cache : caches) bytes += cache.second;
  return bytes;
}

double fastestGigahertz(const std::vector<fs::path>& folders) {
  double fastest_khz = 0;
  for (const fs::path& folder : folders) fastest_khz = std::max(fastest_khz, static_cast<double>(sizeIn(slurp(folder / "cpufreq/cpuinfo_max_freq"))));
  return fastest_khz / 1e6;
}

struct Topology {
  std::set<std::string> sockets, cores;
  int logical = 0;
};

void addTopology(Topology& topology, const std::string& socket, const std::string& core) {
  if (socket.empty() || core.empty()) return;
  topology.sockets.insert(socket);
  topology.cores.insert(socket + "/" + core);
}

// Text before and after the colon of a line of /proc/cpuinfo, trimmed.
std::pair<std::string, std::string> keyValue(const std::string& line) {
  const size_t colon = line.find(':');
  if (colon == std::string::npos) return {};
  std::string key = line.substr(0, colon);
  while (!key.empty() && std::isspace(static_cast<unsigned char>(key.back()))) key.pop_back();
  const size_t start = line.find_first_not_of(" \t", colon + 1);
  return {key, start == std::string::npos ? "" : line.substr(start)};
}

}  // namespace

int affinityThreads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));  // more than 1024 logical processors
}

Processor readProcessor(const fs::path& root, int usable_threads) {
  std::string name, flags, socket;
  Topology topology;
  for (const std::string& line : splitLines(slurp(root / "proc/cpuinfo"))) {
    const auto [key, value] = keyValue(line);
    if (key == "processor") ++topology.logical;
    if (name.empty() && (key == "model name" || key == "Model")) name = value;
    if (flags.empty() && (key == "flags" || key == "Features")) flags = value;
    if (key == "physical id") socket = value;
    if (key == "core id") addTopology(topology, socket, value);
  }
  const auto folders = processorFolders(root);
  if (topology.cores.empty()) {  // Arm says it only in /sys
    for (const fs::path& folder : folders) addTopology(topology, slurp(folder / "topology/physical_package_id"), slurp(folder / "topology/core_id"));
  }
  Processor processor;
  processor.name = name.empty() ? "unknown processor" : plainName(name);
  processor.sockets = std::max(1, static_cast<int>(topology.sockets.size()));
  processor.cores = topology.cores.empty() ? std::max(1, topology.logical) : static_cast<int>(topology.cores.size());
  processor.threads = usable_threads;
  processor.max_ghz = fastestGigahertz(folders);
  if (processor.max_ghz == 0) processor.max_ghz = gigahertzInName(name);
  processor.l3_bytes = thirdLevelBytes(folders);
  processor.instruction_sets = instructionSets(flags);
  return processor;
}

}  // namespace trainyard::hardware
