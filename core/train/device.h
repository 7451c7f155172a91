#pragma once
// Devices by name: "cpu", "cuda:0".
#include <string>

#include "core/base/result.h"

namespace trainyard::train {

struct DeviceName {
  bool cuda = false;
  int index = 0;
  std::string text() const { return cuda ? "cuda:" + std::to_string(index) : "cpu"; }
};

// "auto" becomes the first GPU, else the CPU. Checks that a GPU is there (through NVML, without touching LibTorch). Error Recipe for a name that
// is none, Device where there are fewer GPUs.
Result<DeviceName> resolveDevice(const std::string& name);

// Makes LibTorch ready for the device. CUDA must be opened before the first call into LibTorch of any kind. Error Device.
Result<void> openDevice(const DeviceName& device);

}  // namespace trainyard::train
