#include "core/parallel/pipeline_order.h"

#include <algorithm>

namespace trainyard::parallel {

PipelineOrder pipelineOrder(const std::string& id) { return id == "gpipe" ? PipelineOrder::GPipe : PipelineOrder::OneForwardOneBackward; }

std::vector<Turn> turnsOf(PipelineOrder order, size_t stage, size_t stages, size_t parts) {
  const size_t ahead = order == PipelineOrder::GPipe ? parts : std::min(parts, stages - stage - 1);
  std::vector<Turn> turns;
  for (size_t part = 0; part < ahead; ++part) turns.push_back({true, part});
  for (size_t part = ahead; part < parts; ++part) {
    turns.push_back({true, part});
    turns.push_back({false, part - ahead});
  }
  for (size_t part = parts - ahead; part < parts; ++part) turns.push_back({false, part});
  return turns;
}

double idleShare(size_t stages, size_t parts) { return static_cast<double>(stages - 1) / static_cast<double>(parts + stages - 1); }

}  // namespace trainyard::parallel
