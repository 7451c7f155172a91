#include "core/augment/ops.h"

namespace trainyard::augment {

// No step on pixels: the chain applies it when it turns them into floats.
Result<Steps> makeNormalize(const Json& params, Building& building) {
  building.mean = params.at("mean").get<std::vector<float>>();
  building.std = params.at("std").get<std::vector<float>>();
  if (building.mean.empty() || building.std.empty()) return fail(ErrorCode::Recipe, "mean and std need a number per channel", building.where);
  for (const float std : building.std) {
    if (!(std > 0)) return fail(ErrorCode::Recipe, "std holds " + Json(std).dump(), building.where, "each must be greater than 0");
  }
  return Steps{};
}

}  // namespace trainyard::augment
