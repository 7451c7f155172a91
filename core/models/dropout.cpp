#include "core/models/dropout.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "core/base/random.h"

namespace trainyard::models {

namespace {

// FNV-1a: the same number on every platform, unlike std::hash.
uint64_t hashOf(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

// `x` times a mask of `sizes` that holds 0 and 1 / (1 - p).
at::Tensor masked(const at::Tensor& x, at::Tensor mask, double p, const RunContext& context, std::string_view site) {
  mask.bernoulli_(1 - p, generatorOf(context, site, x.device()));
  if (p < 1) mask.div_(1 - p);
  return x * mask;
}

}  // namespace

at::Generator generatorOf(const RunContext& context, std::string_view site, at::Device device) {
  const uint64_t seed = Random({context.seed, context.step, context.micro, context.rank, hashOf(site)}).next();
  if (device.is_cpu()) return at::detail::createCPUGenerator(seed);
  at::Generator generator = at::globalContext().getAcceleratorHooksInterface(device.type()).getNewGenerator(device.index());
  generator.set_current_seed(seed);
  return generator;
}

at::Tensor dropout(const at::Tensor& x, double p, const RunContext& context, std::string_view site) {
  if (!context.training || p == 0) return x;
  return masked(x, at::empty_like(x), p, context, site);
}

at::Tensor stochasticDepth(const at::Tensor& x, double p, const RunContext& context, std::string_view site) {
  if (!context.training || p == 0) return x;
  std::vector<int64_t> sizes(static_cast<size_t>(x.dim()), 1);
  sizes.front() = x.size(0);
  return masked(x, at::empty(sizes, x.options()), p, context, site);
}

}  // namespace trainyard::models
