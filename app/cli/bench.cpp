#include <cstdio>
#include <memory>

#include "app/cli/bench_loader.h"
#include "app/cli/cli.h"
#include "app/cli/load_engine.h"

namespace trainyard::cli {

void addBench(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("bench", "This program's side of speed comparisons; prints one JSON line");
  verb->require_subcommand(1);
  CLI::App* train_verb = verb->add_subcommand("train", "The train step on tensors in memory");
  auto options = std::make_shared<train::BenchOptions>();
  train_verb->add_option("--model", options->model, "mlp, smallcnn, resnet18 or gpt");
  train_verb->add_option("--batch", options->batch)->check(CLI::Range(1, 1 << 20));
  train_verb->add_option("--steps", options->steps)->check(CLI::Range(1, 1 << 30));
  train_verb->add_option("--threads", options->threads)->check(CLI::Range(1, 1024));
  train_verb->add_option("--optimizer", options->optimizer)->check(CLI::IsMember({"sgd", "adamw"}));
  train_verb->add_flag("--bf16", options->bf16);
  train_verb->add_option("--init", options->init, "Initial weights, a safetensors file");
  train_verb->callback(reporting(context, [options, &context]() -> Result<void> {
    options->process_started = context.started;
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json result, engine->bench(*options));
    std::puts(compactJson(result).c_str());
    return {};
  }));

  CLI::App* optimizer_verb = verb->add_subcommand("optimizer", "The optimizer's step alone");
  auto optimizer = std::make_shared<train::BenchOptions>();
  optimizer->optimizer = "adamw";
  optimizer_verb->add_option("--steps", optimizer->steps)->check(CLI::Range(1, 1 << 30));
  optimizer_verb->add_option("--threads", optimizer->threads)->check(CLI::Range(1, 1024));
  optimizer_verb->add_option("--optimizer", optimizer->optimizer);
  optimizer_verb->callback(reporting(context, [optimizer]() -> Result<void> {
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json result, engine->benchOptimizer(*optimizer));
    std::puts(compactJson(result).c_str());
    return {};
  }));

  CLI::App* ranks_verb = verb->add_subcommand("ranks", "The train step on several CPU ranks");
  auto ranks = std::make_shared<train::RanksBenchOptions>();
  ranks_verb->add_option("--model", ranks->model, "mlp, smallcnn, resnet18 or gpt");
  ranks_verb->add_option("--strategy", ranks->strategy)->check(CLI::IsMember({"single", "data", "pipeline", "sharded1", "sharded3"}));
  ranks_verb->add_option("--ranks", ranks->ranks)->check(CLI::Range(1, 64));
  ranks_verb->add_option("--batch", ranks->batch, "Samples of each replica's step")->check(CLI::Range(1, 1 << 20));
  ranks_verb->add_option("--micro-batches", ranks->micro_batches)->check(CLI::Range(1, 1024));
  ranks_verb->add_option("--cuts", ranks->cuts, "Blocks with which further stages begin");
  ranks_verb->add_option("--steps", ranks->steps)->check(CLI::Range(1, 1 << 30));
  ranks_verb->add_option("--threads", ranks->threads, "Of each rank")->check(CLI::Range(1, 1024));
  ranks_verb->add_option("--optimizer", ranks->optimizer)->check(CLI::IsMember({"sgd", "adamw"}));
  ranks_verb->callback(reporting(context, [ranks]() -> Result<void> {
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json result, engine->benchRanks(*ranks));
    std::puts(compactJson(result).c_str());
    return {};
  }));

  CLI::App* reduce_verb = addVerb(*verb, context, "allreduce", "Sums over CPU ranks: shared memory beside Gloo");
  struct Reduce {
    int ranks = 2, rounds = 40;
    int64_t bytes = 25 << 20;
  };
  auto reduce = std::make_shared<Reduce>();
  reduce_verb->add_option("--ranks", reduce->ranks)->check(CLI::Range(2, 64));
  reduce_verb->add_option("--bytes", reduce->bytes)->check(CLI::Range(4, 1 << 30));
  reduce_verb->add_option("--rounds", reduce->rounds)->check(CLI::Range(1, 100000));
  reduce_verb->callback(reporting(context, [reduce]() -> Result<void> {
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json result, engine->benchAllReduce(reduce->ranks, reduce->bytes, reduce->rounds));
    std::puts(compactJson(result).c_str());
    return {};
  }));

  CLI::App* checkpoint_verb = verb->add_subcommand("checkpoint", "Saving and loading a checkpoint");
  auto checkpoint = std::make_shared<train::CheckpointBenchOptions>();
  checkpoint_verb->add_option("folder", checkpoint->folder, "Where the checkpoint is written, and read with --load")->required();
  checkpoint_verb->add_option("--bytes", checkpoint->bytes)->check(CLI::Range(1 << 20, 1 << 30));
  checkpoint_verb->add_option("--rounds", checkpoint->rounds)->check(CLI::Range(1, 1000));
  checkpoint_verb->add_flag("--load", checkpoint->load, "Load what an earlier call saved");
  checkpoint_verb->callback(reporting(context, [checkpoint]() -> Result<void> {
    TRAINYARD_TRY(train::Engine * engine, loadEngine());
    TRAINYARD_TRY(const Json result, engine->benchCheckpoint(*checkpoint));
    std::puts(compactJson(result).c_str());
    return {};
  }));

  CLI::App* loader_verb = verb->add_subcommand("loader", "Pictures from files to normalised batches; no training");
  auto loader = std::make_shared<LoaderBench>();
  loader_verb->add_option("folder", loader->folder, "Class folders of pictures");
  loader_verb->add_option("--workload", loader->workload, "full: random resized crop; crop: random crop; cifar: small pictures in memory")
      ->check(CLI::IsMember({"full", "crop", "cifar"}));
  loader_verb->add_option("--workers", loader->workers)->check(CLI::Range(1, 1024));
  loader_verb->add_option("--batch", loader->batch)->check(CLI::Range(1, 1 << 20));
  loader_verb->callback(reporting(context, [loader]() -> Result<void> {
    TRAINYARD_TRY(const Json result, benchLoader(*loader));
    std::puts(compactJson(result).c_str());
    return {};
  }));
}

}  // namespace trainyard::cli
