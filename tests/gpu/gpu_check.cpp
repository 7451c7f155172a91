// Training on NVIDIA GPUs against the processor, and every strategy on two ranks against one. Prints a table; see run.sh.
#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "core/base/units.h"
#include "tests/gpu/gpu_networks.h"

using namespace trainyard;
using namespace trainyard::gpu_check;

namespace {

constexpr double kTimeout = 20;

struct Machine {
  bool cuda = false;
  int gpus = 0;
  comm::NcclLibrary* nccl = nullptr;
  at::Device of(int rank) const { return cuda ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(rank % gpus)) : at::Device(at::kCPU); }
};

int failures = 0;

void row(const std::string& what, bool holds, const std::string& figures) {
  failures += holds ? 0 : 1;
  std::printf("| %-44s | %-7s | %s |\n", what.c_str(), holds ? "holds" : "FAILS", figures.c_str());
  std::fflush(stdout);
}

std::string text(const char* format, double a, double b = 0) {
  char out[96];
  std::snprintf(out, sizeof out, format, a, b);
  return out;
}

using OnRank = std::function<Result<Learned>(int rank, comm::Communicator& all)>;

// What each rank gave; the first failure ends all.
std::vector<Result<Learned>> onRanks(const Machine& machine, int ranks, const OnRank& work) {
  std::vector<Result<Learned>> results(static_cast<size_t>(ranks), fail(ErrorCode::Failed, "the rank did not run"));
  auto links = machine.cuda ? std::vector<std::unique_ptr<comm::Communicator>>(static_cast<size_t>(ranks)) : comm::localCommunicators(ranks, {kTimeout});
  const auto store = c10::make_intrusive<c10d::HashStore>();
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      auto& result = results[static_cast<size_t>(rank)];
      auto& link = links[static_cast<size_t>(rank)];
      try {
        if (machine.cuda) {
          auto made = machine.nccl->communicator(store, rank, ranks, machine.of(rank).index(), {kTimeout});
          if (!made) {
            result = tl::unexpected(made.error());
            return;
          }
          link = std::move(*made);
        }
        result = work(rank, *link);
      } catch (const std::exception& error) {
        result = fail(ErrorCode::Failed, std::string(error.what()).substr(0, 200));
      }
      if (!result && link) link->abort(result.error());
    });
  }
  threads.clear();
  return results;
}

// The largest differences of losses and weights; whole weights alone are compared.
std::pair<double, double> apart(const Learned& a, const Learned& b) {
  double loss = 0, weight = 0;
  for (size_t i = 0; i < a.losses.size(); ++i) loss = std::max(loss, std::abs(a.losses[i] - b.losses[i]));
  for (const auto& [name, tensor] : b.weights) {
    const auto same = std::find_if(a.weights.begin(), a.weights.end(), [&name = name](const auto& named) { return named.name == name; });
    if (same != a.weights.end() && tensor.is_floating_point()) weight = std::max(weight, (same->tensor - tensor).abs().max().item<double>());
  }
  return {loss, weight};
}

Result<Learned> alone(const Job& job, at::Device device) {
  try {
    return trainRank(job, 0, device, nullptr);
  } catch (const std::exception& error) {
    return fail(ErrorCode::Failed, std::string(error.what()).substr(0, 200));
  }
}

void compare(const std::string& what, const Result<Learned>& one, const Result<Learned>& other, double loss_limit, double weight_limit) {
  if (!one || !other) return row(what, false, toText(one ? other.error() : one.error()));
  const auto [loss, weight] = apart(*one, *other);
  row(what, loss <= loss_limit && weight <= weight_limit, text("loss %.1e, weights %.1e apart", loss, weight) + text("; %.1f steps/s", other->steps_per_s));
}

void checkNetworks(const Machine& machine) {
  for (const char* network : {"mlp", "resnet18", "vit_tiny", "gpt"}) {
    Job job{.network = network};
    // A ReLU that opens by rounding alone takes the network another way; at a small rate that gap stays small.
    if (job.network == "resnet18") job.rate = 1e-6;
    const auto cpu = alone(job, at::kCPU), one = alone(job, machine.of(0));
    if (machine.cuda) compare(std::string(network) + ": GPU beside processor", cpu, one, 2e-3, 2e-3);
    for (const char* strategy : {"data", "pipeline", "sharded1", "sharded3"}) {
      job.strategy = strategy;
      job.ranks = 2;
      const auto both = onRanks(machine, 2, [&](int rank, comm::Communicator& all) { return trainRank(job, rank, machine.of(rank), &all); });
      compare(std::string(network) + ": " + strategy + " × 2 beside one", one, both[0], machine.cuda ? 2e-4 : 5e-5, machine.cuda ? 5e-4 : 1e-4);
    }
  }
}

// Skips of the scaler are the same on both ranks, and there are some.
void checkHalf(const Machine& machine) {
  for (const char* precision : {"bf16", "fp16"}) {
    if (!machine.cuda && std::string(precision) == "fp16") continue;
    const Job job{.network = "mlp", .strategy = "data", .precision = precision, .ranks = 2};
    const auto both = onRanks(machine, 2, [&](int rank, comm::Communicator& all) { return trainRank(job, rank, machine.of(rank), &all); });
    if (!both[0] || !both[1]) {
      row(std::string(precision) + ": data × 2", false, toText(both[0] ? both[1].error() : both[0].error()));
      continue;
    }
    const bool skipped = both[0]->scales.front() > both[0]->scales.back();
    const bool holds = both[0]->scales == both[1]->scales && std::isfinite(both[0]->losses.back()) && (skipped || std::string(precision) == "bf16");
    row(std::string(precision) + ": data × 2, equal scales", holds, text("scale %.0f to %.0f", both[0]->scales.front(), both[0]->scales.back()));
  }
}

void checkCollectives(const Machine& machine) {
  const auto results = onRanks(machine, 2, [&](int rank, comm::Communicator& all) -> Result<Learned> {
    const auto options = at::TensorOptions(at::kFloat).device(machine.of(rank));
    at::Tensor sum = at::full({1000003}, rank + 1.0, options);
    TRAINYARD_CHECK(all.allReduce(sum, comm::ReduceOp::Sum)->wait());
    at::Tensor gathered = at::zeros({6}, options);
    TRAINYARD_CHECK(all.allGather(gathered, at::full({3}, rank + 1.0, options))->wait());
    at::Tensor got = at::zeros({5}, options);
    const auto sent = all.send(at::full({5}, rank + 1.0, options), 1 - rank, 3);
    TRAINYARD_CHECK(all.receive(got, 1 - rank, 3)->wait());
    TRAINYARD_CHECK(sent->wait());
    const bool right = sum.eq(3).all().item<bool>() && gathered.sum().item<double>() == 9 && got.eq(2.0 - rank).all().item<bool>();
    if (!right) return fail(ErrorCode::Failed, "wrong values");
    return Learned{};
  });
  row("all-reduce, all-gather, send and receive", results[0] && results[1], results[0] ? (results[1] ? "" : toText(results[1].error())) : toText(results[0].error()));
}

// AdamW: 16 bytes a parameter alone, half of it on each of two ranks in stage 3.
void checkKept(const Machine& machine) {
  Job job{.network = "gpt", .strategy = "sharded3", .optimizer = "adamw", .ranks = 2, .rate = 1e-3};
  const auto both = onRanks(machine, 2, [&](int rank, comm::Communicator& all) { return trainRank(job, rank, machine.of(rank), &all); });
  job = Job{.network = "gpt", .optimizer = "adamw", .rate = 1e-3};
  const auto one = alone(job, machine.of(0));
  if (!both[0] || !one) return row("stage 3 keeps half", false, toText(both[0] ? one.error() : both[0].error()));
  uint64_t parameters = 0;
  for (const auto& weight : one->weights) parameters += static_cast<uint64_t>(weight.tensor.numel());
  const double share = static_cast<double>(both[0]->kept_bytes) / (16.0 * static_cast<double>(parameters));
  row("stage 3 keeps half", share > 0.4 && share <= 0.55, text("%.3f of data parallel's", share));
}

// Printed, not judged: it goes by the machine's links.
void timeAllReduce(const Machine& machine) {
  constexpr int kRounds = 20;
  constexpr int64_t kBytes = 25 << 20;
  std::array<double, 2> seconds{};
  const auto both = onRanks(machine, 2, [&](int rank, comm::Communicator& all) -> Result<Learned> {
    at::Tensor sum = at::ones({kBytes / 4}, at::TensorOptions(at::kFloat).device(machine.of(rank)));
    for (int i = -3; i < kRounds; ++i) {
      if (i == 0) seconds[static_cast<size_t>(rank)] = steadySeconds();
      TRAINYARD_CHECK(all.allReduce(sum, comm::ReduceOp::Max)->wait());
      (void)sum[0].item<float>();
    }
    seconds[static_cast<size_t>(rank)] = steadySeconds() - seconds[static_cast<size_t>(rank)];
    return Learned{};
  });
  row("all-reduce of 25 MiB", both[0] && both[1], text("%.2f GB/s", kRounds * static_cast<double>(kBytes) / seconds[0] / 1e9));
}

void checkFailure(const Machine& machine) {
  const double begin = steadySeconds();
  const Job job{.network = "mlp", .strategy = "data", .ranks = 2, .fails = 1};
  const auto both = onRanks(machine, 2, [&](int rank, comm::Communicator& all) { return trainRank(job, rank, machine.of(rank), &all); });
  const double seconds = steadySeconds() - begin;
  row("a rank that fails ends the other", !both[0] && !both[1] && seconds < 30, text("after %.1f s", seconds));
  Job sound = job;
  sound.fails = -1;
  const auto next = onRanks(machine, 2, [&](int rank, comm::Communicator& all) { return trainRank(sound, rank, machine.of(rank), &all); });
  row("the next run works", next[0] && next[1], "");
}

fs::path folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

// libtorch_cuda.so must be there before the first call into LibTorch.
bool openCuda(Machine& machine) {
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&at::globalContext), &info);
  const fs::path library = fs::path(info.dli_fname).parent_path() / "libtorch_cuda.so";
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::printf("no GPU is checked: %s\n", dlerror());
    return false;
  }
  machine.gpus = at::hasCUDA() ? static_cast<int>(at::globalContext().getAcceleratorHooksInterface().deviceCount()) : 0;
  if (machine.gpus == 0) {
    std::printf("no GPU is checked: LibTorch finds none\n");
    return false;
  }
  void* handle = dlopen((folder() / "libtrainyard_nccl.so").c_str(), RTLD_NOW);
  const auto make = handle ? reinterpret_cast<comm::NcclLibrary* (*)()>(dlsym(handle, "trainyardNccl")) : nullptr;
  if (make == nullptr) {
    std::printf("no GPU is checked: %s\n", dlerror());
    return false;
  }
  machine.nccl = make();
  machine.cuda = true;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Machine machine;
  const bool on_cpu = argc > 1 && std::string(argv[1]) == "--cpu";
  if (!on_cpu && !openCuda(machine)) return 77;
  at::globalContext().setFloat32MatmulPrecision("highest");
  at::globalContext().setAllowTF32CuDNN(false);
  std::printf("%s\n\n| check | | |\n|---|---|---|\n", machine.cuda ? (std::to_string(machine.gpus) + " GPU(s), " + machine.nccl->version()).c_str() : "ranks on the processor");
  checkCollectives(machine);
  if (failures > 0 && machine.gpus == 1) {
    std::printf("\nTwo ranks cannot share this GPU: NCCL 2.30 or later can. One GPU alone is checked.\n");
    failures = 0;
    for (const char* network : {"mlp", "resnet18", "vit_tiny", "gpt"}) {
      const Job job{.network = network};
      compare(std::string(network) + ": GPU beside processor", alone(job, at::kCPU), alone(job, machine.of(0)), 2e-3, 2e-3);
    }
    return failures == 0 ? 0 : 1;
  }
  checkNetworks(machine);
  checkKept(machine);
  timeAllReduce(machine);
  checkHalf(machine);
  checkFailure(machine);
  std::printf("\n%s\n", failures == 0 ? "everything agrees" : (std::to_string(failures) + " of them do not").c_str());
  return failures == 0 ? 0 : 1;
}
