#include "core/models/architectures.h"

namespace trainyard::models {

// nn.Sequential(Flatten, Linear, ReLU, …, Linear): names count the sequence's places, "1.weight", "3.weight".
Result<std::unique_ptr<Model>> makeMlp(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  BlockList blocks(seed);
  int64_t width = input.channels * input.height * input.width;
  int place = 1;
  for (const auto& units : params.at("hidden")) {
    const Linear layer = linear(blocks.store(), std::to_string(place), width, units.get<int64_t>());
    blocks.add(std::to_string(place), [layer](const at::Tensor& x, RunContext&) { return layer(x.flatten(1)).relu_(); });
    width = units.get<int64_t>();
    place += 2;
  }
  const Linear head = linear(blocks.store(), std::to_string(place), width, classes);
  blocks.add(std::to_string(place), [head](const at::Tensor& x, RunContext&) { return head(x.flatten(1)); });
  return blocks.finish(false);
}

}  // namespace trainyard::models
