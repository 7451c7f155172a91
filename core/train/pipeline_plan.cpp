#include "core/train/pipeline_plan.h"

namespace trainyard::train {

Result<parallel::StageCut> cutFor(const models::Model& model, const recipe::Recipe& recipe, models::InputShape shape, data::Task task, int stages) {
  const auto costs = parallel::blockCosts(model, shape, task == data::Task::Tokens);
  const auto names = recipe.parallel.strategy.params.at("cuts").get<std::vector<std::string>>();
  return names.empty() ? parallel::cutByCost(costs, static_cast<size_t>(stages)) : parallel::cutAt(costs, names, static_cast<size_t>(stages));
}

uint64_t microBatches(const recipe::Recipe& recipe, int stages) {
  const Json& wanted = recipe.parallel.strategy.params.at("micro_batches");
  return wanted.is_number() ? wanted.get<uint64_t>() : 4 * static_cast<uint64_t>(stages);
}

}  // namespace trainyard::train
