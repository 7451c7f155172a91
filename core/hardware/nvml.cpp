#include "core/hardware/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <map>

namespace trainyard::hardware {

namespace {

// Facts of NVML's binary interface.
using Device = void*;
constexpr int kSuccess = 0, kInsufficientSize = 7, kSensorGpu = 0, kClockMemory = 2;
constexpr unsigned long long kValueNotAvailable = ~0ULL;
struct MemoryInfo {
  unsigned long long total, free, used;
};
struct UtilizationRates {
  unsigned gpu, memory;  // percent
};
struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};

std::string cudaVersion(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }  // 13020 → "13.2"

}  // namespace

struct NvmlCalls {
  void* library = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*cuda_version)(int*) = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, Device*) = nullptr;
  int (*name)(Device, char*, unsigned) = nullptr;
  int (*uuid)(Device, char*, unsigned) = nullptr;
  int (*memory)(Device, MemoryInfo*) = nullptr;
  int (*utilization)(Device, UtilizationRates*) = nullptr;
  int (*power)(Device, unsigned*) = nullptr;             // mW
  int (*temperature)(Device, int, unsigned*) = nullptr;  // °C
  int (*capability)(Device, int*, int*) = nullptr;
  int (*bus_width)(Device, unsigned*) = nullptr;       // bits
  int (*max_clock)(Device, int, unsigned*) = nullptr;  // MHz
  int (*compute_processes)(Device, unsigned*, ProcessInfo*) = nullptr;
  int (*graphics_processes)(Device, unsigned*, ProcessInfo*) = nullptr;

  ~NvmlCalls() {
    if (shutdown) shutdown();
    if (library) dlclose(library);
  }

  template <class Function>
  bool bind(Function& function, std::initializer_list<const char*> names) {
    for (const char* candidate : names) {
      function = reinterpret_cast<Function>(dlsym(library, candidate));
      if (function) return true;
    }
    return false;
  }

  // False when one that nothing goes without is missing; the others are absent on old drivers.
  bool bindAll() {
    bind(error_string, {"nvmlErrorString"});
    bind(driver_version, {"nvmlSystemGetDriverVersion"});
    bind(cuda_version, {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
    bind(uuid, {"nvmlDeviceGetUUID"});
    bind(utilization, {"nvmlDeviceGetUtilizationRates"});
    bind(power, {"nvmlDeviceGetPowerUsage"});
    bind(temperature, {"nvmlDeviceGetTemperature"});
    bind(capability, {"nvmlDeviceGetCudaComputeCapability"});
    bind(bus_width, {"nvmlDeviceGetMemoryBusWidth"});
    bind(max_clock, {"nvmlDeviceGetMaxClockInfo"});
    bind(compute_processes, {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
    bind(graphics_processes, {"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2"});
    const bool started = bind(init, {"nvmlInit_v2"});
    const bool counted = bind(count, {"nvmlDeviceGetCount_v2"}) && bind(handle, {"nvmlDeviceGetHandleByIndex_v2"});
    const bool described = bind(name, {"nvmlDeviceGetName"}) && bind(memory, {"nvmlDeviceGetMemoryInfo"});
    return started && counted && described;
  }

  std::string explain(int error) const {
    const char* text = error_string ? error_string(error) : nullptr;
    return text ? text : "error " + std::to_string(error);
  }

  template <class Function>
  static std::string text(Function function, Device device) {
    std::array<char, 128> buffer{};
    if (!function || function(device, buffer.data(), buffer.size() - 1) != kSuccess) return {};
    return buffer.data();
  }

  std::vector<ProcessInfo> processes(int (*function)(Device, unsigned*, ProcessInfo*), Device device) const {
    if (!function) return {};
    std::vector<ProcessInfo> found(32);
    for (int attempt = 0; attempt < 4; ++attempt) {
      auto size = static_cast<unsigned>(found.size());
      const int error = function(device, &size, found.data());
      if (error == kSuccess) {
        found.resize(std::min<size_t>(size, found.size()));
        return found;
      }
      if (error != kInsufficientSize) return {};
      found.resize(size_t{size} + 8);  // processes may start between two calls
    }
    return {};
  }

  std::vector<Gpu::Holder> holders(Device device, const std::function<std::string(int64_t)>& program_of) const {
    std::map<int64_t, uint64_t> bytes;
    for (auto* function : {compute_processes, graphics_processes}) {
      for (const ProcessInfo& process : processes(function, device)) {
        const uint64_t used = process.used_memory == kValueNotAvailable ? 0 : process.used_memory;
        bytes[process.pid] = std::max(bytes[process.pid], used);  // one that computes and draws is in both lists
      }
    }
    std::vector<Gpu::Holder> found;
    for (const auto& [pid, used] : bytes) found.push_back({pid, program_of(pid), used});
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    return found;
  }

  void readFigures(Device device, Gpu& gpu) const {
    UtilizationRates rates{};
    if (utilization && utilization(device, &rates) == kSuccess) gpu.utilization = rates.gpu / 100.0;
    unsigned value = 0, width = 0, clock = 0;
    if (power && power(device, &value) == kSuccess) gpu.power_w = value / 1000.0;
    if (temperature && temperature(device, kSensorGpu, &value) == kSuccess) gpu.temperature_c = value;
    int major = 0, minor = 0;
    if (capability && capability(device, &major, &minor) == kSuccess) gpu.compute_capability = std::to_string(major) + "." + std::to_string(minor);
    const bool known = bus_width && max_clock && bus_width(device, &width) == kSuccess && max_clock(device, kClockMemory, &clock) == kSuccess;
    if (known && width > 0 && clock > 0) gpu.memory_bandwidth_gb_s = 2.0 * clock * width / 8 / 1000;  // both edges of the clock carry data
  }
};

Nvml::Nvml() : calls_(std::make_unique<NvmlCalls>()) {}
Nvml::~Nvml() = default;

std::unique_ptr<Nvml> Nvml::open(const std::string& library, std::string& note) {
  note.clear();
  std::unique_ptr<Nvml> nvml(new Nvml);
  NvmlCalls& calls = *nvml->calls_;
  calls.library = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!calls.library) return nullptr;
  if (!calls.bindAll()) {
    note = library + " is not NVIDIA's management library, or too old; reinstall the NVIDIA driver";
    return nullptr;
  }
  calls.bind(calls.shutdown, {"nvmlShutdown"});
  if (const int error = calls.init(); error != kSuccess) {
    note = "the NVIDIA driver does not answer: " + calls.explain(error) + "; type nvidia-smi to see more, and restart the computer after a driver update";
    calls.shutdown = nullptr;
    return nullptr;
  }
  return nvml;
}

std::vector<Gpu> Nvml::read(std::string& note, const std::function<std::string(int64_t)>& program_of) const {
  const NvmlCalls& calls = *calls_;
  note.clear();
  unsigned count = 0;
  if (const int error = calls.count(&count); error != kSuccess) {
    note = "the NVIDIA driver does not list its GPUs: " + calls.explain(error) + "; type nvidia-smi to see more";
    return {};
  }
  std::array<char, 96> driver{};
  if (!calls.driver_version || calls.driver_version(driver.data(), driver.size() - 1) != kSuccess) driver[0] = 0;
  int cuda = 0;
  if (!calls.cuda_version || calls.cuda_version(&cuda) != kSuccess) cuda = 0;

  std::vector<Gpu> gpus;
  for (unsigned index = 0; index < count; ++index) {
    Device device = nullptr;
    MemoryInfo memory{};
    int error = calls.handle(index, &device);
    if (error == kSuccess) error = calls.memory(device, &memory);
    if (error != kSuccess) {
      note += (note.empty() ? "" : "; ") + ("GPU " + std::to_string(index)) + " does not answer: " + calls.explain(error);
      continue;
    }
    Gpu gpu;
    gpu.index = static_cast<int>(index);
    gpu.name = NvmlCalls::text(calls.name, device);
    gpu.uuid = NvmlCalls::text(calls.uuid, device);
    gpu.driver = driver.data();
    if (cuda > 0) gpu.cuda = cudaVersion(cuda);
    gpu.memory_total_bytes = memory.total;
    gpu.memory_used_bytes = memory.used;
    calls.readFigures(device, gpu);
    gpu.holders = calls.holders(device, program_of);
    gpus.push_back(std::move(gpu));
  }
  if (gpus.empty() && note.empty()) note = "the NVIDIA driver found no GPU";
  return gpus;
}

}  // namespace trainyard::hardware
