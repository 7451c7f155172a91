#include "core/parallel/stage_cut.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/base/units.h"
#include "core/models/summary.h"

namespace trainyard::parallel {

namespace {

constexpr const char* kCutsKey = "parallel.cuts";

// `begins`: the first block of each stage.
StageCut cutOf(const std::vector<BlockCost>& costs, const std::vector<size_t>& begins) {
  double total = 0;
  for (const auto& block : costs) total += static_cast<double>(block.cost);
  StageCut cut;
  std::map<std::string, std::vector<size_t>> users;
  for (size_t s = 0; s < begins.size(); ++s) {
    Stage stage{begins[s], (s + 1 < begins.size() ? begins[s + 1] : costs.size()) - 1, 0, 0};
    for (size_t b = stage.first; b <= stage.last; ++b) {
      stage.share += static_cast<double>(costs[b].cost) / total;
      stage.parameters += costs[b].parameters;
      for (const auto& name : costs[b].uses) {
        auto& stages = users[name];
        if (stages.empty() || stages.back() != s) stages.push_back(s);
      }
    }
    cut.stages.push_back(stage);
  }
  for (auto& [name, stages] : users) {
    if (stages.size() > 1) cut.shared.push_back({name, std::move(stages)});
  }
  return cut;
}

Result<void> checkCount(const std::vector<BlockCost>& costs, size_t stages) {
  if (stages <= costs.size()) return {};
  return fail(ErrorCode::Recipe, std::to_string(stages) + " stages are asked for, and the network has " + std::to_string(costs.size()) + (costs.size() == 1 ? " block" : " blocks"),
              "parallel.stages", costs.size() == 1 ? "use the strategy \"data\"" : "use at most " + std::to_string(costs.size()) + ", or the strategy \"data\"");
}

Result<size_t> blockNamed(const std::vector<BlockCost>& costs, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& block : costs) names.push_back(block.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  const std::string near = nearestWord(name, names);
  return fail(ErrorCode::Recipe, "the network has no block \"" + name + "\"", kCutsKey,
              near.empty() ? "its " + std::to_string(names.size()) + " blocks run from \"" + names.front() + "\" to \"" + names.back() + "\""
                           : "did you mean \"" + near + "\"?");
}

}  // namespace

std::vector<BlockCost> blockCosts(const models::Model& model, models::InputShape input, bool tokens) {
  std::vector<BlockCost> costs;
  std::map<std::string, uint64_t> values;
  for (const auto& named : model.parameters()) values[named.name] = static_cast<uint64_t>(named.tensor.numel());
  const models::Summary summary = models::summarize(model, input, tokens, [](const std::string&) { return false; });
  for (const auto& block : model.blocks()) costs.push_back({block.name, 0, block.parameters, 0});
  for (const auto& row : summary.layers) {
    BlockCost& block = costs[row.block];
    block.cost += row.multiply_adds;
    block.uses.insert(block.uses.end(), row.uses.begin(), row.uses.end());
  }
  for (auto& block : costs) {
    const std::set<std::string> unique(block.uses.begin(), block.uses.end());
    block.uses.assign(unique.begin(), unique.end());
    for (const auto& name : block.uses) block.parameters += values.at(name);
    block.cost = std::max<uint64_t>(1, summary.multiply_adds > 0 ? block.cost : block.parameters);
  }
  return costs;
}

Result<StageCut> cutByCost(const std::vector<BlockCost>& costs, size_t stages) {
  TRAINYARD_CHECK(checkCount(costs, stages));
  const size_t blocks = costs.size();
  std::vector<double> before(blocks + 1, 0);  // cost of the blocks before
  for (size_t b = 0; b < blocks; ++b) before[b + 1] = before[b] + static_cast<double>(costs[b].cost);
  // largest[s][n]: of the first n blocks in s stages; from[s][n]: where the last of these begins.
  std::vector<std::vector<double>> largest(stages + 1, std::vector<double>(blocks + 1, std::numeric_limits<double>::infinity()));
  std::vector<std::vector<size_t>> from(stages + 1, std::vector<size_t>(blocks + 1, 0));
  largest[0][0] = 0;
  for (size_t s = 1; s <= stages; ++s) {
    for (size_t n = s; n <= blocks; ++n) {
      for (size_t begin = s - 1; begin < n; ++begin) {
        const double worst = std::max(largest[s - 1][begin], before[n] - before[begin]);
        if (worst >= largest[s][n]) continue;
        largest[s][n] = worst;
        from[s][n] = begin;
      }
    }
  }
  std::vector<size_t> begins(stages);
  for (size_t s = stages, end = blocks; s > 0; --s) end = begins[s - 1] = from[s][end];
  return cutOf(costs, begins);
}

Result<StageCut> cutAt(const std::vector<BlockCost>& costs, const std::vector<std::string>& names, size_t stages) {
  TRAINYARD_CHECK(checkCount(costs, stages));
  if (names.size() + 1 != stages) {
    return fail(ErrorCode::Recipe, std::to_string(names.size()) + " cuts do not make " + std::to_string(stages) + " stages", kCutsKey,
                "name " + std::to_string(stages - 1) + ": the blocks with which the second and later stages begin; or none, for stages of equal cost");
  }
  std::vector<size_t> begins{0};
  for (const auto& name : names) {
    TRAINYARD_TRY(const size_t block, blockNamed(costs, name));
    if (block <= begins.back()) {
      const bool first = block == 0;
      return fail(ErrorCode::Recipe,
                  first ? "\"" + name + "\" is the network's first block, with which the first stage begins"
                        : "\"" + name + "\" does not come after \"" + costs[begins.back()].name + "\"",
                  kCutsKey, first ? "name the blocks with which the second and later stages begin" : "name each block once, in the order in which they run");
    }
    begins.push_back(block);
  }
  return cutOf(costs, begins);
}

}  // namespace trainyard::parallel
