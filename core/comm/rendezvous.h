#pragma once
// Where the processes of one run on several machines meet, as the program that started them tells it.
#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace trainyard::comm {

// One process among those of a run. One process per rank.
struct World {
  int rank = 0, size = 1;
  int local_rank = 0, local_size = 1;  // on this machine
  int node_rank = 0, nodes = 1;        // machines
  std::string host;                    // where rank 0 listens
  int port = 0;
  std::string from;           // "torchrun", "Slurm", "Kubernetes", "RANK and WORLD_SIZE", "--nnodes": who said so
  bool hosted = false;        // the program that started the ranks listens at host:port itself: rank 0 joins like the others
  std::string attempt = "0";  // torchrun starts all ranks anew after a failure
};

using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment processEnvironment();

// From the environment that torchrun, Kubernetes' PyTorchJob (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT) or Slurm (SLURM_PROCID
// and friends) set; nullopt where this process is alone. Error Usage names the variable and its value.
Result<std::optional<World>> worldFromEnvironment(const Environment& environment);

// By hand, one process on each of `nodes` machines; `rendezvous` is "HOST:PORT" or "[IPv6]:PORT". nullopt for one node.
Result<std::optional<World>> worldByHand(int nodes, int node_rank, const std::string& rendezvous);

// The first host of a Slurm node list: "node[01-03,07],login" → "node01"; empty where it is none.
std::string firstHost(const std::string& node_list);

}  // namespace trainyard::comm
