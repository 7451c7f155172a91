#include "core/train/device.h"

#include <ATen/ATen.h>
#include <dlfcn.h>

#include <algorithm>

#include "core/base/files.h"
#include "core/hardware/hardware.h"

namespace trainyard::train {

namespace {

// libtorch_cuda.so lies beside the libtorch_cpu.so that is already loaded.
fs::path cudaLibrary() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&at::globalContext), &info) == 0 || info.dli_fname == nullptr) return "libtorch_cuda.so";
  return fs::path(info.dli_fname).parent_path() / "libtorch_cuda.so";
}

}  // namespace

Result<DeviceName> resolveDevice(const std::string& name) {
  if (name == "cpu") return DeviceName{};
  const size_t gpus = hardware::readGpus().size();
  if (name == "auto") return gpus > 0 ? DeviceName{true, 0} : DeviceName{};
  const std::string digits = name.rfind("cuda:", 0) == 0 ? name.substr(5) : "";
  if (digits.empty() || digits.size() > 4 || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return fail(ErrorCode::Recipe, "\"" + name + "\" is not a device", "parallel.devices", "use \"auto\", \"cpu\" or \"cuda:0\", \"cuda:1\", …");
  }
  const int index = std::stoi(digits);
  if (static_cast<size_t>(index) >= gpus) {
    const std::string have = gpus == 0 ? "this computer has no usable NVIDIA GPU" : "this computer has " + std::to_string(gpus) + " (cuda:0 to cuda:" + std::to_string(gpus - 1) + ")";
    return fail(ErrorCode::Device, name + " is not there: " + have, "parallel.devices", gpus == 0 ? "use \"cpu\", or see `trainyard hardware` for why" : "choose one of those");
  }
  return DeviceName{true, index};
}

Result<void> openDevice(const DeviceName& device) {
  if (!device.cuda) return {};
  const fs::path library = cudaLibrary();
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    return fail(ErrorCode::Device, std::string("LibTorch's CUDA library cannot be opened: ") + dlerror(), displayPath(library),
                "run ./installer/run.sh again on this computer: it fetches the CUDA libraries where a GPU is");
  }
  if (!at::hasCUDA()) return fail(ErrorCode::Device, "LibTorch finds no CUDA device", device.text(), "check the driver with nvidia-smi");
  return {};
}

}  // namespace trainyard::train
