#pragma once
// The few functions of NVIDIA's management library that are used here, by dlopen: nothing of NVIDIA's is needed to build.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/hardware/hardware.h"

namespace trainyard::hardware {

struct NvmlCalls;

class Nvml {
 public:
  // `library`: a file name as for dlopen. nullptr when it cannot be opened or its driver does not answer; `note` says why, and is left
  // empty when there is simply no such library.
  static std::unique_ptr<Nvml> open(const std::string& library, std::string& note);
  ~Nvml();

  // Devices that do not answer are left out and named in `note`. `program_of`: the name of a process.
  std::vector<Gpu> read(std::string& note, const std::function<std::string(int64_t pid)>& program_of) const;

 private:
  Nvml();
  std::unique_ptr<NvmlCalls> calls_;
};

}  // namespace trainyard::hardware
