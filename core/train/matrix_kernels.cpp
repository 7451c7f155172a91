#include "core/train/matrix_kernels.h"

#include <atomic>
#include <fstream>
#include <string>

namespace trainyard::train {

namespace {

std::atomic<bool> many_rows{false};

bool isIntel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("vendor_id")) return line.find("GenuineIntel") != std::string::npos;
  }
  return false;
}

}  // namespace

void preferManyRows(bool many) { many_rows = many; }

}  // namespace trainyard::train

// MKL's own question, answered here instead: libtorch_cpu calls it through its symbol.
extern "C" int mkl_serv_intel_cpu_true() {
  static const bool intel = trainyard::train::isIntel();
  return intel || trainyard::train::many_rows ? 1 : 0;
}
