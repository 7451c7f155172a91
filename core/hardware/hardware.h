#pragma once
// What this computer has, and how busy it is. Reads /proc, /sys and NVML (by dlopen; absent without an NVIDIA driver). No LibTorch.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace trainyard::hardware {

struct Processor {
  std::string name;                         // "AMD EPYC 7763"
  int sockets = 0, cores = 0, threads = 0;  // physical cores; logical processors that this process may use
  double max_ghz = 0;                       // 0: unknown
  uint64_t l3_bytes = 0;
  std::vector<std::string> instruction_sets;  // "AVX2", "AVX-512", "AVX512-BF16", "AMX-BF16", …
};

struct Memory {
  uint64_t total_bytes = 0, available_bytes = 0;
  std::optional<uint64_t> limit_bytes;  // a cgroup's limit, when lower
};

struct Disk {
  std::string mount, device, kind;  // kind: "SSD", "NVMe", "hard disk", "network", "unknown"
  uint64_t total_bytes = 0, free_bytes = 0;
};

struct Gpu {
  int index = 0;
  std::string name, uuid, driver, cuda;  // cuda: newest version that the driver supports
  uint64_t memory_total_bytes = 0, memory_used_bytes = 0;
  std::optional<double> utilization, power_w, temperature_c;  // 0…1, W, °C
  std::optional<double> memory_bandwidth_gb_s;
  std::string compute_capability;  // "8.9"
  struct Holder {
    int64_t pid = 0;
    std::string program;
    uint64_t bytes = 0;
  };
  std::vector<Holder> holders;  // who holds its memory
};

struct Inventory {
  Processor processor;
  Memory memory;
  std::vector<Disk> disks;
  std::vector<Gpu> gpus;
  std::string gpu_note;  // why there are none: "no NVIDIA driver (libnvidia-ml.so.1 was not found)"
  std::string system;    // "Debian GNU/Linux 12, Linux 6.1"
};

Inventory inspect();
Json toJson(const Inventory& inventory);

// What a part means for training, measured against the guidance: a GPU with enough memory and bandwidth, many cores, 64 GB of memory
// for large models, an SSD. `code` and `values` serve translations; `text` is the English sentence.
enum class Level { Good, Fair, Poor };
struct Advice {
  std::string part;  // "gpu", "processor", "memory", "disk"
  Level level = Level::Good;
  std::string code, text;
  Json values = Json::object();
};
std::vector<Advice> advise(const Inventory& inventory, const std::filesystem::path& data_folder = {});

// This process: resident memory and processor time since the previous call. Cheap; call about once a second from one thread.
class ProcessMeter {
 public:
  struct Reading {
    uint64_t memory_bytes = 0, memory_total_bytes = 0;
    double utilization = 0;  // share of all cores that this process may use, 0…1; 0 on the first call
  };
  Reading read();

 private:
  double last_time_ = 0, last_cpu_ = 0;
};

// GPUs through NVML; opens the library once, and tries again at the next call where there was none. Any thread. Empty when there is none:
// `note` then says why. $TRAINYARD_NVML_LIBRARY names another library.
std::vector<Gpu> readGpus(std::string* note = nullptr);

}  // namespace trainyard::hardware
