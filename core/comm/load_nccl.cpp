#include <dlfcn.h>

#include "core/base/files.h"
#include "core/comm/communicator.h"
#include "core/hardware/hardware.h"

namespace trainyard::comm {

Result<NcclLibrary*> loadNccl() {
  std::string why;
  if (hardware::readGpus(&why).empty()) return fail(ErrorCode::Device, "NCCL needs an NVIDIA GPU: " + why, "parallel.devices", "train on the CPU");
  const fs::path library = programFolder() / "../lib/trainyard/libtrainyard_nccl.so";
  void* handle = dlopen(library.c_str(), RTLD_NOW);
  if (handle == nullptr) return fail(ErrorCode::Device, std::string("cannot be loaded: ") + dlerror(), displayPath(library), "build Trainyard again on this computer");
  const auto make = reinterpret_cast<NcclLibrary* (*)()>(dlsym(handle, "trainyardNccl"));
  if (make == nullptr) return fail(ErrorCode::Device, "is not Trainyard's NCCL library", displayPath(library), "build Trainyard again on this computer");
  return make();
}

}  // namespace trainyard::comm
