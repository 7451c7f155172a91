#include "core/comm/rendezvous.h"

#include <charconv>
#include <cstdlib>

namespace trainyard::comm {

namespace {

constexpr int kMostRanks = 65536;

// Reads numbers of an environment and says which variable is wrong.
class Variables {
 public:
  Variables(const Environment& environment, std::string starter) : environment_(environment), starter_(std::move(starter)) {}

  std::optional<std::string> text(const std::string& name) const {
    auto value = environment_(name);
    return value && value->empty() ? std::nullopt : value;
  }
  bool has(const std::string& name) const { return text(name).has_value(); }

  Result<std::string> needText(const std::string& name, const std::string& because) const {
    if (auto value = text(name)) return *value;
    return fail(ErrorCode::Usage, "is not set, though " + because + " is", name, "set it, or start the ranks with " + starter_);
  }
  Result<int> number(const std::string& name, int least, int most) const {
    const std::string value = text(name).value_or("");
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size())
      return fail(ErrorCode::Usage, "\"" + value + "\" is not a whole number", name, "set it as " + starter_ + " does");
    if (number < least || number > most) {
      return fail(ErrorCode::Usage, std::to_string(number) + " is not from " + std::to_string(least) + " to " + std::to_string(most), name,
                  "set it as " + starter_ + " does");
    }
    return number;
  }
  Result<int> numberOr(const std::string& name, int otherwise, int least, int most) const {
    if (!has(name)) return otherwise;
    return number(name, least, most);
  }
  Result<int> needNumber(const std::string& name, const std::string& because, int least, int most) const {
    TRAINYARD_CHECK(checked(needText(name, because)));
    return number(name, least, most);
  }
  // `name` counts from 0 and ends below `size`.
  Result<void> below(const std::string& name, int value, const std::string& size_name, int size) const {
    if (value < size) return {};
    return fail(ErrorCode::Usage, std::to_string(value) + " is not below " + size_name + " " + std::to_string(size), name,
                "ranks count from 0; start them with " + starter_);
  }

 private:
  static Result<void> checked(Result<std::string> value) {
    if (!value) return tl::unexpected(std::move(value).error());
    return {};
  }

  const Environment& environment_;
  std::string starter_;
};

Result<void> readMaster(const Variables& variables, const std::string& because, World& world) {
  TRAINYARD_TRY(world.host, variables.needText("MASTER_ADDR", because));
  TRAINYARD_TRY(world.port, variables.needNumber("MASTER_PORT", because, 1, 65535));
  return {};
}

// torchrun and what follows its convention.
Result<std::optional<World>> fromRanks(const Environment& environment) {
  World world;
  const Variables variables(environment, "torchrun");
  if (variables.has("TORCHELASTIC_RUN_ID")) {
    world.from = "torchrun";
  } else {
    world.from = variables.has("KUBERNETES_SERVICE_HOST") ? "Kubernetes" : "RANK and WORLD_SIZE";
  }
  TRAINYARD_TRY(world.size, variables.needNumber("WORLD_SIZE", "RANK", 1, kMostRanks));
  TRAINYARD_TRY(world.rank, variables.needNumber("RANK", "WORLD_SIZE", 0, kMostRanks));
  TRAINYARD_CHECK(variables.below("RANK", world.rank, "WORLD_SIZE", world.size));
  if (world.size == 1) return std::nullopt;
  TRAINYARD_TRY(world.local_size, variables.numberOr("LOCAL_WORLD_SIZE", 1, 1, world.size));
  TRAINYARD_TRY(world.local_rank, variables.numberOr("LOCAL_RANK", 0, 0, kMostRanks));
  if (variables.has("LOCAL_WORLD_SIZE")) TRAINYARD_CHECK(variables.below("LOCAL_RANK", world.local_rank, "LOCAL_WORLD_SIZE", world.local_size));
  const int nodes = (world.size + world.local_size - 1) / world.local_size;
  TRAINYARD_TRY(world.nodes, variables.numberOr("GROUP_WORLD_SIZE", nodes, 1, world.size));
  TRAINYARD_TRY(world.node_rank, variables.numberOr("GROUP_RANK", world.rank / world.local_size, 0, kMostRanks));
  TRAINYARD_CHECK(variables.below("GROUP_RANK", world.node_rank, "the number of machines", world.nodes));
  TRAINYARD_CHECK(readMaster(variables, "WORLD_SIZE", world));
  world.hosted = variables.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
  world.attempt = variables.text("TORCHELASTIC_RESTART_COUNT").value_or("0");
  return world;
}

// As is usual: from the job's number, so that two jobs on one node differ.
Result<void> readSlurmPlace(const Variables& variables, World& world) {
  if (variables.has("MASTER_ADDR") && variables.has("MASTER_PORT")) return readMaster(variables, "SLURM_PROCID", world);
  TRAINYARD_TRY(const int job, variables.needNumber("SLURM_JOB_ID", "SLURM_PROCID", 0, 2'000'000'000));
  world.port = 15000 + job % 10000;
  for (const char* name : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"}) {
    const auto list = variables.text(name);
    if (!list) continue;
    world.host = firstHost(*list);
    if (world.host.empty()) return fail(ErrorCode::Usage, "\"" + *list + "\" is not a list of nodes", name, "start the ranks with srun");
    return {};
  }
  return fail(ErrorCode::Usage, "is not set, though SLURM_PROCID is", "SLURM_JOB_NODELIST", "start the ranks with srun");
}

Result<std::optional<World>> fromSlurm(const Environment& environment) {
  World world;
  world.from = "Slurm";
  const Variables variables(environment, "srun");
  TRAINYARD_TRY(world.size, variables.needNumber("SLURM_NTASKS", "SLURM_PROCID", 1, kMostRanks));
  TRAINYARD_TRY(world.rank, variables.number("SLURM_PROCID", 0, kMostRanks));
  TRAINYARD_CHECK(variables.below("SLURM_PROCID", world.rank, "SLURM_NTASKS", world.size));
  if (world.size == 1) return std::nullopt;
  const std::string nodes = variables.has("SLURM_STEP_NUM_NODES")  ? "SLURM_STEP_NUM_NODES"
                            : variables.has("SLURM_JOB_NUM_NODES") ? "SLURM_JOB_NUM_NODES"
                                                                   : "SLURM_NNODES";
  TRAINYARD_TRY(world.nodes, variables.numberOr(nodes, 1, 1, kMostRanks));
  TRAINYARD_TRY(world.node_rank, variables.numberOr("SLURM_NODEID", 0, 0, kMostRanks));
  TRAINYARD_CHECK(variables.below("SLURM_NODEID", world.node_rank, nodes, world.nodes));
  TRAINYARD_TRY(world.local_rank, variables.numberOr("SLURM_LOCALID", 0, 0, kMostRanks));
  const int share = (world.size + world.nodes - 1) / world.nodes;  // Slurm spreads tasks evenly where nobody asked otherwise
  TRAINYARD_TRY(world.local_size, variables.numberOr("SLURM_NTASKS_PER_NODE", share, 1, kMostRanks));
  TRAINYARD_CHECK(readSlurmPlace(variables, world));
  return world;
}

}  // namespace

Environment processEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
}

Result<std::optional<World>> worldFromEnvironment(const Environment& environment) {
  const Variables variables(environment, "");
  if (variables.has("RANK") || variables.has("WORLD_SIZE")) return fromRanks(environment);
  if (variables.has("SLURM_PROCID")) return fromSlurm(environment);
  return std::nullopt;
}

Result<std::optional<World>> worldByHand(int nodes, int node_rank, const std::string& rendezvous) {
  const std::string hint = "as in --nnodes 2 --node-rank 0 --rendezvous 10.0.0.1:29500, with --node-rank 1 on the other machine";
  if (nodes < 1 || nodes > kMostRanks) return fail(ErrorCode::Usage, std::to_string(nodes) + " is not a number of machines", "--nnodes", hint);
  if (node_rank < 0 || node_rank >= nodes)
    return fail(ErrorCode::Usage, std::to_string(node_rank) + " is not from 0 to " + std::to_string(nodes - 1), "--node-rank", hint);
  if (nodes == 1) return std::nullopt;
  World world;
  world.from = "--nnodes";
  world.rank = world.node_rank = node_rank;
  world.size = world.nodes = nodes;
  const bool bracketed = rendezvous.starts_with('[');
  const size_t close = bracketed ? rendezvous.find(']') : rendezvous.rfind(':');
  const size_t colon = bracketed && close != std::string::npos ? close + 1 : close;
  if (colon == std::string::npos || colon >= rendezvous.size() || rendezvous[colon] != ':') {
    return fail(ErrorCode::Usage, "\"" + rendezvous + "\" is not HOST:PORT", "--rendezvous", hint);
  }
  world.host = bracketed ? rendezvous.substr(1, close - 1) : rendezvous.substr(0, colon);
  if (!bracketed && world.host.find(':') != std::string::npos) {
    return fail(ErrorCode::Usage, "\"" + rendezvous + "\" holds an IPv6 address without brackets", "--rendezvous", "as in [fd00::1]:29500");
  }
  if (world.host.empty()) return fail(ErrorCode::Usage, "\"" + rendezvous + "\" names no host", "--rendezvous", hint);
  const Environment port = [text = rendezvous.substr(colon + 1)](const std::string&) { return std::optional<std::string>(text); };
  auto number = Variables(port, "").number("--rendezvous", 1, 65535);
  if (!number) return fail(ErrorCode::Usage, "the port \"" + rendezvous.substr(colon + 1) + "\" is not a number from 1 to 65535", "--rendezvous", hint);
  world.port = *number;
  return world;
}

std::string firstHost(const std::string& node_list) {
  std::string host;
  for (size_t i = 0; i < node_list.size() && node_list[i] != ','; ++i) {
    if (node_list[i] != '[') {
      host += node_list[i];
      continue;
    }
    const size_t close = node_list.find(']', i);
    if (close == std::string::npos) return {};
    const size_t end = node_list.find_first_of(",-]", i + 1);
    host.append(node_list, i + 1, end - i - 1);
    i = close;
  }
  return host;
}

}  // namespace trainyard::comm
