// Stands in for NVIDIA's management library. TRAINYARD_FAKE_NVML says what it plays: "" two GPUs, "mismatch" a driver that does not
// answer, "lost" a second GPU that fell off the bus, "none" no GPU.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool plays(const char* what) {
  const char* role = std::getenv("TRAINYARD_FAKE_NVML");
  return role && std::strcmp(role, what) == 0;
}

int copy(char* to, unsigned size, const char* text) {
  std::snprintf(to, size, "%s", text);
  return 0;
}

int devices[2] = {0, 1};
bool first(const void* device) { return device == &devices[0]; }
constexpr int kNotSupported = 3, kInsufficientSize = 7, kGpuIsLost = 15, kMismatch = 18;

}  // namespace

extern "C" {

struct MemoryInfo {
  unsigned long long total, free, used;
};
struct Rates {
  unsigned gpu, memory;
};
struct Process {
  unsigned pid;
  unsigned long long used;
  unsigned gpu_instance, compute_instance;
};

int nvmlInit_v2() { return plays("mismatch") ? kMismatch : 0; }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int error) {
  return error == kMismatch ? "Driver/library version mismatch" : error == kGpuIsLost ? "GPU is lost" : "Not Supported";
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) { return copy(text, size, "580.65.06"); }
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 13020;
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = plays("none") ? 0 : 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (plays("lost") && index == 1) return kGpuIsLost;
  *device = &devices[index];
  return 0;
}
int nvmlDeviceGetName(void* device, char* text, unsigned size) { return copy(text, size, first(device) ? "NVIDIA RTX A6000" : "NVIDIA T400"); }
int nvmlDeviceGetUUID(void* device, char* text, unsigned size) { return copy(text, size, first(device) ? "GPU-1111" : "GPU-2222"); }
int nvmlDeviceGetMemoryInfo(void* device, MemoryInfo* info) {
  const unsigned long long total = first(device) ? 48ULL << 30 : 4ULL << 30, used = 1ULL << 30;
  *info = {total, total - used, used};
  return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, Rates* rates) {
  if (!first(device)) return kNotSupported;
  *rates = {37, 5};
  return 0;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  if (!first(device)) return kNotSupported;
  *milliwatts = 123456;
  return 0;
}
int nvmlDeviceGetTemperature(void*, int sensor, unsigned* degrees) {
  *degrees = 61;
  return sensor == 0 ? 0 : kNotSupported;
}
int nvmlDeviceGetCudaComputeCapability(void* device, int* major, int* minor) {
  *major = first(device) ? 8 : 7;
  *minor = first(device) ? 6 : 5;
  return 0;
}
int nvmlDeviceGetMemoryBusWidth(void* device, unsigned* bits) {
  *bits = 384;
  return first(device) ? 0 : kNotSupported;
}
int nvmlDeviceGetMaxClockInfo(void*, int clock, unsigned* megahertz) {
  *megahertz = 8001;
  return clock == 2 ? 0 : kNotSupported;
}
// 40 processes, so that the first buffer is too small; process 1000 draws as well.
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* processes) {
  if (!first(device)) {
    *count = 0;
    return 0;
  }
  if (*count < 40) {
    *count = 40;
    return kInsufficientSize;
  }
  *count = 40;
  for (unsigned i = 0; i < 40; ++i) processes[i] = {1000 + i, i == 7 ? ~0ULL : (1ULL + i) << 20, 0, 0};
  return 0;
}
int nvmlDeviceGetGraphicsRunningProcesses_v3(void* device, unsigned* count, Process* processes) {
  *count = first(device) ? 1 : 0;
  if (*count) processes[0] = {1000, 500ULL << 20, 0, 0};
  return 0;
}
}
