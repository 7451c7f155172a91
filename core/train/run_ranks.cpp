#include "core/train/run_ranks.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "core/comm/gloo.h"
#include "core/comm/join_store.h"
#include "core/train/arithmetic.h"
#include "core/train/follower.h"
#include "core/train/guard.h"
#include "core/train/monitor.h"

namespace trainyard::train {

namespace {

// With NCCL or Gloo.
Result<void> linkToOthers(Rank& rank, RemoteTeam& others, const comm::CommOptions& options) {
  const comm::World& world = others.world();
  std::unique_ptr<comm::Communicator> made;
  if (rank.device.cuda) {
    TRAINYARD_TRY(comm::NcclLibrary* const nccl, comm::loadNccl());
    TRAINYARD_TRY(made, nccl->communicator(others.store(), world.rank, world.size, rank.device.index, options));
  } else {
    comm::GlooOptions gloo{options};
    if (const std::string address = comm::addressTowards(world.host, world.port); !address.empty()) gloo.host = address;
    TRAINYARD_TRY(made, comm::glooCommunicator(others.store(), world.rank, world.size, gloo));
  }
  others.add(*made);
  others.carryBy(rank);
  return connect(rank, std::move(made));
}

void useThisThread(const recipe::Recipe& recipe) {
  at::init_num_threads();
  at::set_num_threads(arithmeticThreads(recipe));
  setArithmetic(recipe);
}

class RankThreads {
 public:
  RankThreads(Prepared prepared, const RunEnds& ends, const Changes* resumed, RemoteTeam* others)
      : prepared_(std::move(prepared)), ends_(ends), resumed_(resumed), own_team_(prepared_.grid.ranks - 1), others_(others), team_(others ? *others : own_team_), ranks_(others ? 1 : prepared_.devices.size()) {
    for (size_t i = 0; i < ranks_.size(); ++i) ranks_[i] = {static_cast<int>(i), prepared_.grid, prepared_.devices[i], nullptr, nullptr, nullptr};
  }

  Result<RunReport> run(const LinkCpus& link_cpus) {
    Result<RunReport> result = fail(ErrorCode::Failed, "the device thread did not run");
    const comm::CommOptions options{prepared_.recipe.parallel.timeout_s};
    std::vector<std::unique_ptr<comm::Communicator>> links(ranks_.size());
    if (ranks_.size() > 1 && !ranks_.front().device.cuda) links = link_cpus(static_cast<int>(ranks_.size()), options);
    const auto store = c10::make_intrusive<c10d::HashStore>();
    std::vector<std::unique_ptr<Monitor>> monitors;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      if (i == 0 || ranks_[i].device.cuda) monitors.push_back(std::make_unique<Monitor>(ends_.sink, ranks_[i].device));
    }
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      threads.emplace_back([&, i] {
        Rank& rank = ranks_[i];
        const auto done = guarded(
            [&]() -> Result<void> {
              useThisThread(prepared_.recipe);
              TRAINYARD_CHECK(others_ ? linkToOthers(rank, *others_, options) : link(rank, std::move(links[i]), store, options));
              if (i > 0) return follow(team_, rank, prepared_.recipe, prepared_.input);
              result = lead(rank);
              return result ? Result<void>() : tl::unexpected(result.error());
            },
            [this](const std::string& warning) { ends_.sink.log("LibTorch: " + warning.substr(0, warning.find('\n'))); });
        if (done) return;
        if (i == 0) result = tl::unexpected(done.error());
        team_.fail(prepared_.grid.ranks > 1 && others_ == nullptr && done.error().code != ErrorCode::Interrupted ? named(done.error(), rank) : done.error());
      });
    }
    threads.clear();
    if (const auto first = team_.error(); first && !result) return tl::unexpected(*first);
    return result;
  }

 private:
  static Error named(Error error, const Rank& rank) {
    if (error.where.find("rank ") == std::string::npos) error.where = rank.text() + (error.where.empty() ? "" : ": " + error.where);
    return error;
  }

  Result<void> link(Rank& rank, std::unique_ptr<comm::Communicator> made, const c10::intrusive_ptr<c10d::Store>& store, const comm::CommOptions& options) {
    if (ranks_.size() == 1) return {};
    if (rank.device.cuda) {
      TRAINYARD_TRY(comm::NcclLibrary* const nccl, comm::loadNccl());
      TRAINYARD_TRY(made, nccl->communicator(store, rank.index, rank.grid.ranks, rank.device.index, options));
    }
    team_.add(*made);
    return connect(rank, std::move(made));
  }

  Result<RunReport> lead(const Rank& rank) {
    std::vector<Error> skipped;
    std::shared_ptr<const Loaded> checkpoint;
    if (resumed_ != nullptr) {
      TRAINYARD_TRY(auto newest, loadNewest(ends_.run, &skipped));
      if (newest) checkpoint = std::make_shared<const Loaded>(std::move(*newest));
    }
    for (const auto& error : skipped) ends_.sink.notice("caution", "checkpoint_skipped", toText(error));
    Trainer trainer(prepared_, rank, team_, ends_);
    TRAINYARD_TRY(RunReport report, trainer.run(std::move(checkpoint), std::move(prepared_.fresh), resumed_ ? *resumed_ : Changes{}));
    team_.tell({.what = Instruction::Do::End, .on = report.state == "stopped"});
    return report;
  }

  Prepared prepared_;
  const RunEnds& ends_;
  const Changes* resumed_;
  Team own_team_;
  RemoteTeam* others_;
  Team& team_;
  std::vector<Rank> ranks_;
};

}  // namespace

Result<RunReport> runOnRanks(Prepared prepared, const RunEnds& ends, const Changes* resumed, RemoteTeam* others, const LinkCpus& link_cpus) {
  return RankThreads(std::move(prepared), ends, resumed, others).run(link_cpus);
}

Result<RunReport> followOthers(Prepared prepared, RemoteTeam& others) {
  const int index = others.world().rank;
  Rank rank{index, prepared.grid, prepared.devices[static_cast<size_t>(index)], nullptr, nullptr, nullptr};
  // A thread of its own, as every rank has: LibTorch's settings are of the thread.
  std::jthread([&] {
    const auto done = guarded([&]() -> Result<void> {
      useThisThread(prepared.recipe);
      TRAINYARD_CHECK(linkToOthers(rank, others, {prepared.recipe.parallel.timeout_s}));
      return follow(others, rank, prepared.recipe, prepared.input);
    });
    if (!done) others.fail(done.error());
  }).join();
  if (auto first = others.error()) return tl::unexpected(*std::move(first));
  RunReport report;
  report.state = others.stoppedEarly() ? "stopped" : "finished";
  return report;
}

}  // namespace trainyard::train
