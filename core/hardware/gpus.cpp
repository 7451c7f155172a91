#include <cstdlib>
#include <mutex>

#include "core/hardware/nvml.h"
#include "core/hardware/readers.h"

namespace trainyard::hardware {

namespace {

std::string libraryName() {
  const char* chosen = std::getenv("TRAINYARD_NVML_LIBRARY");
  return chosen && *chosen ? chosen : "libnvidia-ml.so.1";
}

}  // namespace

std::string explainNoDriver(const fs::path& root, const std::string& library) {
  bool nvidia = false, amd = false;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root / "sys/bus/pci/devices", ignored)) {
    if (!slurp(entry.path() / "class").starts_with("0x03")) continue;  // display controllers
    const std::string vendor = slurp(entry.path() / "vendor");
    nvidia |= vendor == "0x10de";
    amd |= vendor == "0x1002";
  }
  if (nvidia) {
    return "an NVIDIA GPU is in this computer, but its driver is not installed (" + library +
           " was not found); on Debian: sudo apt install nvidia-driver, on Ubuntu: sudo ubuntu-drivers install, then restart";
  }
  if (amd) return "an AMD GPU is in this computer; training uses NVIDIA GPUs and the processor";
  return "no NVIDIA driver (" + library + " was not found)";
}

std::vector<Gpu> readGpus(std::string* note) {
  static std::mutex mutex;
  static std::unique_ptr<Nvml> nvml;  // opened once; tried again as long as there is no driver
  std::scoped_lock lock(mutex);
  std::string why;
  std::vector<Gpu> gpus;
  if (!nvml) nvml = Nvml::open(libraryName(), why);
  if (nvml) {
    gpus = nvml->read(why, [](int64_t pid) { return programOf("/", pid); });
  } else if (why.empty() && note) {
    why = explainNoDriver("/", libraryName());
  }
  if (note) *note = why;
  return gpus;
}

}  // namespace trainyard::hardware
