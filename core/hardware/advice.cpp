#include <cmath>
#include <cstdio>

#include "core/base/files.h"
#include "core/base/units.h"
#include "core/hardware/readers.h"

namespace trainyard::hardware {

namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

// A card sold as 16 GB shows 15.6 GiB, a computer with 64 GB of memory 62: a little below the round figure counts.
constexpr double kGoodGpuGiB = 15, kFairGpuGiB = 7.5, kGoodBandwidth_gb_s = 600;
constexpr int kGoodCores = 16, kFairCores = 6;
constexpr double kGoodMemoryGiB = 58, kFairMemoryGiB = 14.5;
constexpr double kTightDiskGiB = 10;
// What the LibTorch that the installer brings is built for.
constexpr double kOldestCapability = 7.5, kOldestCuda = 13.0;

std::string oneDecimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, std::abs(value) >= 99.95 ? "%.0f" : "%.1f", value);
  return text;
}

double numberIn(const std::string& text) {
  try {
    return std::stod(text);
  } catch (const std::exception&) {
    return 0;
  }
}

std::string memoryAndBandwidth(const Gpu& gpu) {
  const std::string memory = formatBytes(gpu.memory_total_bytes);
  return gpu.memory_bandwidth_gb_s ? memory + " at " + oneDecimal(*gpu.memory_bandwidth_gb_s) + " GB/s" : memory;
}

Json gpuValues(const Gpu& gpu) {
  Json values = {{"index", gpu.index}, {"name", gpu.name}, {"memory_bytes", gpu.memory_total_bytes}};
  if (gpu.memory_bandwidth_gb_s) values["bandwidth_gb_s"] = *gpu.memory_bandwidth_gb_s;
  return values;
}

Advice unusableGpu(const Gpu& gpu, const std::string& start) {
  const double capability = numberIn(gpu.compute_capability);
  Json values = gpuValues(gpu);
  if (capability > 0 && capability < kOldestCapability) {
    values["capability"] = gpu.compute_capability;
    return {"gpu", Level::Poor, "gpu_too_old",
            start + "compute capability " + gpu.compute_capability + "; LibTorch needs " + oneDecimal(kOldestCapability) +
                " or newer (Turing, 2018). Training uses the processor.",
            values};
  }
  values["driver"] = gpu.driver;
  values["cuda"] = gpu.cuda;
  return {
      "gpu", Level::Poor, "gpu_driver_old",
      start + "driver " + gpu.driver + " supports CUDA " + gpu.cuda + "; LibTorch needs " + oneDecimal(kOldestCuda) + ". Update the driver to 580 or newer.",
      values};
}

Advice adviseGpu(const Gpu& gpu) {
  const std::string start = "GPU " + std::to_string(gpu.index) + ", " + gpu.name + ": ";
  const double capability = numberIn(gpu.compute_capability), cuda = numberIn(gpu.cuda);
  if ((capability > 0 && capability < kOldestCapability) || (cuda > 0 && cuda < kOldestCuda)) return unusableGpu(gpu, start);
  const double memory = static_cast<double>(gpu.memory_total_bytes) / kGiB;
  const std::string figures = start + memoryAndBandwidth(gpu);
  if (memory < kFairGpuGiB) {
    return {"gpu", Level::Poor, "gpu_small", figures + ". Enough for small networks and small batches; bf16 nearly halves what a model needs.", gpuValues(gpu)};
  }
  if (memory < kGoodGpuGiB) {
    return {"gpu", Level::Fair, "gpu_fair", figures + ". Enough for usual picture networks; large models want 16 GB and more.", gpuValues(gpu)};
  }
  if (gpu.memory_bandwidth_gb_s.value_or(kGoodBandwidth_gb_s) < kGoodBandwidth_gb_s) {
    return {"gpu", Level::Fair, "gpu_narrow", figures + ". Room for large models, but its memory is slow: training cards move 600 GB/s and more.",
            gpuValues(gpu)};
  }
  return {"gpu", Level::Good, "gpu_good", figures + ". Enough memory and bandwidth for large models.", gpuValues(gpu)};
}

// Memory that other programs hold is missing to the run.
std::optional<Advice> adviseBusyGpu(const Gpu& gpu) {
  const double share = gpu.memory_total_bytes > 0 ? static_cast<double>(gpu.memory_used_bytes) / static_cast<double>(gpu.memory_total_bytes) : 0;
  if (share < 0.25) return std::nullopt;
  std::string text =
      "GPU " + std::to_string(gpu.index) + ": " + formatBytes(gpu.memory_used_bytes) + " of " + formatBytes(gpu.memory_total_bytes) + " are in use";
  Json values = {{"index", gpu.index}, {"used_bytes", gpu.memory_used_bytes}, {"memory_bytes", gpu.memory_total_bytes}};
  if (!gpu.holders.empty()) {
    const auto& holder = gpu.holders.front();
    const std::string program = holder.program.empty() ? "a program of another user" : holder.program;
    text += ", most by " + program + " (process " + std::to_string(holder.pid) + ")";
    values["program"] = holder.program;
    values["pid"] = holder.pid;
  }
  return Advice{"gpu", Level::Fair, "gpu_busy", text + ".", values};
}

void adviseGpus(const Inventory& inventory, std::vector<Advice>& advice) {
  const std::string& note = inventory.gpu_note;
  if (inventory.gpus.empty()) {
    advice.push_back({"gpu",
                      Level::Poor,
                      "gpu_none",
                      "No GPU to train on" + (note.empty() ? "" : ": " + note) +
                          ". Training uses the processor: fine for small networks and small pictures, slow for large ones.",
                      {{"note", note}}});
    return;
  }
  for (const Gpu& gpu : inventory.gpus) {
    advice.push_back(adviseGpu(gpu));
    if (auto busy = adviseBusyGpu(gpu)) advice.push_back(*busy);
  }
  if (!note.empty()) advice.push_back({"gpu", Level::Poor, "gpu_silent", note + ".", {{"note", note}}});
}

bool hasSet(const Processor& processor, std::string_view name) {
  for (const std::string& set : processor.instruction_sets) {
    if (set == name) return true;
  }
  return false;
}

void adviseProcessor(const Processor& cpu, std::vector<Advice>& advice) {
  const int cores = std::max(1, std::min(cpu.cores, cpu.threads));
  const Json values = {{"cores", cores}, {"name", cpu.name}, {"threads", cpu.threads}};
  const std::string start = cpu.name + ": " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
  if (cores >= kGoodCores) {
    advice.push_back({"processor", Level::Good, "processor_good", start + ". Enough to prepare pictures for several GPUs.", values});
  } else if (cores >= kFairCores) {
    advice.push_back({"processor", Level::Fair, "processor_fair", start + ". Enough to keep one GPU supplied; several GPUs want 16 and more.", values});
  } else {
    advice.push_back(
        {"processor", Level::Poor, "processor_poor", start + ". Preparing pictures and training share them; a fast GPU may have to wait for data.", values});
  }
  if (hasSet(cpu, "AMX-BF16") || hasSet(cpu, "AVX512-BF16")) {
    const std::string set = hasSet(cpu, "AMX-BF16") ? "AMX-BF16" : "AVX512-BF16";
    advice.push_back({"processor",
                      Level::Good,
                      "processor_bf16",
                      "It computes bf16 in hardware (" + set + "): precision bf16 trains about twice as fast as fp32 on the processor.",
                      {{"set", set}}});
  } else if (!hasSet(cpu, "AVX2") && !hasSet(cpu, "NEON")) {
    advice.push_back({"processor", Level::Poor, "processor_old", "It has no AVX2: training on this processor is very slow.", Json::object()});
  }
}

void adviseMemory(const Memory& memory, std::vector<Advice>& advice) {
  const uint64_t bytes = memory.limit_bytes.value_or(memory.total_bytes);
  if (bytes == 0) return;
  const double size = static_cast<double>(bytes) / kGiB;
  const Json values = {{"total_bytes", bytes}, {"available_bytes", memory.available_bytes}, {"limited", memory.limit_bytes.has_value()}};
  const std::string start =
      formatBytes(bytes) +
      (memory.limit_bytes ? " of memory allowed to this session (the computer has " + formatBytes(memory.total_bytes) + ")" : " of memory");
  if (size >= kGoodMemoryGiB) {
    advice.push_back({"memory", Level::Good, "memory_good", start + ". Enough for large models and data sets.", values});
  } else if (size >= kFairMemoryGiB) {
    advice.push_back({"memory", Level::Fair, "memory_fair", start + ". Enough for usual networks; 64 GB is the guidance for large models.", values});
  } else {
    advice.push_back({"memory", Level::Poor, "memory_poor", start + ". Keep networks and batches small; 64 GB is the guidance for large models.", values});
  }
  if (static_cast<double>(memory.available_bytes) < 0.25 * static_cast<double>(bytes)) {
    advice.push_back({"memory", Level::Fair, "memory_busy",
                      "Only " + formatBytes(memory.available_bytes) + " of it are free now; close other programs before a large run.", values});
  }
}

// The disk that holds `folder`: the one with the longest mount that leads to it.
const Disk* diskOf(const std::vector<Disk>& disks, const fs::path& folder) {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(folder, ignored);
  const Disk* best = nullptr;
  for (const Disk& disk : disks) {
    const fs::path relative = path.lexically_relative(disk.mount);
    if (relative.empty() || *relative.begin() == "..") continue;
    if (!best || disk.mount.size() > best->mount.size()) best = &disk;
  }
  return best;
}

void adviseDisk(const Disk& disk, std::vector<Advice>& advice) {
  const Json values = {{"mount", disk.mount}, {"kind", disk.kind}, {"free_bytes", disk.free_bytes}, {"total_bytes", disk.total_bytes}};
  const std::string room = disk.total_bytes > 0 ? ", " + formatBytes(disk.free_bytes) + " free" : "";
  const std::string start = disk.mount + " is on ";
  if (disk.kind == "SSD" || disk.kind == "NVMe") {
    advice.push_back(
        {"disk", Level::Good, "disk_good", start + (disk.kind == "SSD" ? "an SSD" : "an NVMe SSD") + room + ". Fast enough for data and checkpoints.", values});
  } else if (disk.kind == "hard disk") {
    advice.push_back(
        {"disk", Level::Poor, "disk_slow", start + "a hard disk" + room + ". Many small pictures load slowly from it; keep training data on an SSD.", values});
  } else if (disk.kind == "network") {
    advice.push_back({"disk", Level::Fair, "disk_network",
                      start + "the network" + room + ". Training may wait for it; copy data that is used often to a local SSD.", values});
  } else {
    advice.push_back({"disk", Level::Fair, "disk_unknown", start + "a disk of unknown kind" + room + ". An SSD is the guidance.", values});
  }
  if (disk.total_bytes > 0 && static_cast<double>(disk.free_bytes) < kTightDiskGiB * kGiB) {
    advice.push_back(
        {"disk", Level::Poor, "disk_full", "Only " + formatBytes(disk.free_bytes) + " are free on " + disk.mount + "; checkpoints need room.", values});
  }
}

}  // namespace

std::vector<Advice> advise(const Inventory& inventory, const fs::path& data_folder) {
  std::vector<Advice> advice;
  adviseGpus(inventory, advice);
  adviseProcessor(inventory.processor, advice);
  adviseMemory(inventory.memory, advice);
  if (const Disk* disk = diskOf(inventory.disks, data_folder.empty() ? dataHome() : data_folder)) adviseDisk(*disk, advice);
  return advice;
}

}  // namespace trainyard::hardware
