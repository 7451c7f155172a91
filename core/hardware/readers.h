#pragma once
// Inside the room: what reads one part each. `root` stands for "/", so that the recorded tree of another machine can be read as well.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hardware/hardware.h"

namespace trainyard::hardware {

namespace fs = std::filesystem;

// The content of a small file of /proc or /sys without the newline at its end; empty when it is missing.
std::string slurp(const fs::path& file);
std::vector<std::string> splitLines(std::string_view text);
std::vector<std::string> splitWords(std::string_view text);

// The control groups of this process for one controller, from its own up to the top, as folders that exist. Version 1 and 2.
struct CgroupChain {
  std::vector<fs::path> folders;
  bool unified = false;  // version 2
};
CgroupChain cgroupChain(const fs::path& root, std::string_view controller);

// `affinity` logical processors, or fewer where a cgroup allows less processor time; at least 1.
int usableThreads(const fs::path& root, int affinity);
int affinityThreads();

Processor readProcessor(const fs::path& root, int usable_threads);
Memory readMemory(const fs::path& root);

struct Space {
  uint64_t total_bytes = 0, free_bytes = 0;
};
using SpaceOf = std::function<Space(const std::string& mount, bool network)>;
Space spaceOf(const std::string& mount, bool network);  // of this machine; a network disk that does not answer within 0.5 s gives zeros
std::vector<Disk> readDisks(const fs::path& root, const SpaceOf& space);

std::string readSystem(const fs::path& root, std::string_view kernel_release);

// Why NVML could not be opened, told by what is on the PCI bus.
std::string explainNoDriver(const fs::path& root, const std::string& library);

// "python train.py" for a process; empty when it may not be seen.
std::string programOf(const fs::path& root, int64_t pid);

}  // namespace trainyard::hardware
