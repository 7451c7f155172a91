#include "core/train/pipeline_plan.h"

namespace trainyard::train {

namespace {

constexpr uint64_t kPartsPerStage = 4;

// A number, or "auto".
template <class T>
std::optional<T> asked(const recipe::Choice& strategy, const char* key) {
  const auto found = strategy.params.find(key);
  if (found == strategy.params.end() || !found->is_number()) return {};
  return found->get<T>();
}

}  // namespace

Result<size_t> stagesFor(const recipe::Choice& strategy, size_t devices) {
  if (devices < 2)
    return fail(ErrorCode::Recipe, "a pipeline needs at least two devices; one is listed", "parallel.devices",
                "list more of them, or use the strategy \"single\"");
  const size_t stages = asked<size_t>(strategy, "stages").value_or(devices);
  if (stages <= devices && devices % stages == 0) return stages;
  return fail(ErrorCode::Recipe, std::to_string(devices) + " devices cannot be shared out in groups of " + std::to_string(stages), "parallel.stages",
              "list a multiple of " + std::to_string(stages) + " devices, or leave it at \"auto\": one stage on each device");
}

Result<PipelineOptions> pipelineOptions(const recipe::Choice& strategy, const std::vector<parallel::BlockCost>& costs, size_t stages) {
  PipelineOptions options;
  const auto names = strategy.params.value("cuts", std::vector<std::string>());
  TRAINYARD_TRY(options.cut, names.empty() ? parallel::cutByCost(costs, stages) : parallel::cutAt(costs, names, stages));
  options.order = parallel::pipelineOrder(strategy.params.value("schedule", std::string("1f1b")));
  options.micro_batches = asked<uint64_t>(strategy, "micro_batches").value_or(kPartsPerStage * stages);
  return options;
}

Json toJson(const PipelineOptions& options, const std::vector<parallel::BlockCost>& costs) {
  Json stages = Json::array(), shared = Json::array();
  for (const auto& stage : options.cut.stages) {
    stages.push_back({{"first", costs[stage.first].name},
                      {"last", costs[stage.last].name},
                      {"blocks", stage.last - stage.first + 1},
                      {"share", stage.share},
                      {"parameters", stage.parameters}});
  }
  for (const auto& parameter : options.cut.shared) shared.push_back({{"name", parameter.name}, {"stages", parameter.stages}});
  return {{"stages", stages},
          {"shared", shared},
          {"micro_batches", options.micro_batches},
          {"schedule", options.order == parallel::PipelineOrder::GPipe ? "gpipe" : "1f1b"},
          {"idle", parallel::idleShare(options.cut.stages.size(), options.micro_batches)}};
}

}  // namespace trainyard::train
