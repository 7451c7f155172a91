#include "app/cli/load_engine.h"

#include <dlfcn.h>

#include <cstdlib>

namespace trainyard::cli {

Result<train::Engine*> loadEngine() {
  static train::Engine* engine = nullptr;
  if (engine != nullptr) return engine;
  // OpenMP reads these when its library is loaded. Its threads otherwise spin for long between steps, which on busy cores slows everything.
  setenv("GOMP_SPINCOUNT", "10000", 0);
  // "cuda:1" is then the GPU that NVML, and so `trainyard hardware`, calls 1.
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0);
  // Its profiler otherwise tells of its own starts, and that there is no GPU.
  setenv("KINETO_LOG_LEVEL", "6", 0);
  const fs::path library = programFolder() / "../lib/trainyard/libtrainyard_engine.so";
  // OpenCV, which this program links, brings the system's reference BLAS and OpenMP along, whose symbols would otherwise stand before LibTorch's own.
#ifdef __SANITIZE_ADDRESS__
  constexpr int kScope = RTLD_LOCAL;  // the sanitizer must stay in front
#else
  constexpr int kScope = RTLD_LOCAL | RTLD_DEEPBIND;
#endif
  void* handle = dlopen(library.c_str(), RTLD_LAZY | kScope);
  if (handle == nullptr) {
    return fail(ErrorCode::Failed, std::string("the training engine cannot be loaded: ") + dlerror(), displayPath(library.lexically_normal()), "run ./installer/run.sh again: it fetches LibTorch and builds");
  }
  const auto make = reinterpret_cast<TrainyardEngineFn>(dlsym(handle, "trainyardEngine"));
  if (make == nullptr) return fail(ErrorCode::Failed, "this is not Trainyard's engine", displayPath(library.lexically_normal()), "build Trainyard again");
  engine = make();
  return engine;
}

}  // namespace trainyard::cli
