#include "core/models/products.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <atomic>

namespace trainyard::models {

namespace {

std::atomic<bool> large_products{false};

// The shorter side of a weight. With 384 a whole training step gains a tenth; with 128 it loses a twentieth.
constexpr int64_t kLarge = 256;

}  // namespace

void chooseProducts(const Model& model) {
  for (const auto& [name, weight] : model.parameters()) {
    if (weight.dim() == 2 && std::min(weight.size(0), weight.size(1)) >= kLarge) large_products = true;
  }
}

}  // namespace trainyard::models

// MKL asks this, in place of its own function, whether it runs on an Intel processor.
extern "C" __attribute__((visibility("default"))) int mkl_serv_intel_cpu_true() {
  __builtin_cpu_init();
  return trainyard::models::large_products.load() || __builtin_cpu_is("intel");
}
