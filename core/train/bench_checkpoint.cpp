#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <sys/resource.h>

#include <cstring>

#include "core/base/units.h"
#include "core/train/bench.h"
#include "core/train/checkpoint.h"

namespace trainyard::train {

namespace {

constexpr int64_t kTensors = 60;

long pageFaults() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

std::vector<models::NamedTensor> randomTensors(const std::string& prefix, int64_t count, int64_t elements, at::Generator& generator) {
  std::vector<models::NamedTensor> tensors;
  for (int64_t i = 0; i < count; ++i) tensors.push_back({prefix + std::to_string(i), at::randn({elements}, generator, at::TensorOptions(at::kFloat))});
  return tensors;
}

// What the copy is measured against: the same bytes, piece by piece, between memory that was used before.
double plainCopy_ms(std::span<const models::NamedTensor> tensors, std::span<const models::NamedTensor> to) {
  const double begin = steadySeconds();
  for (size_t i = 0; i < tensors.size(); ++i) std::memcpy(to[i].tensor.mutable_data_ptr(), tensors[i].tensor.const_data_ptr(), tensors[i].tensor.nbytes());
  return (steadySeconds() - begin) * 1000;
}

Result<Json> benchSave(const CheckpointBenchOptions& options, const runs::Layout& run) {
  at::Generator generator = at::detail::createCPUGenerator(1);
  const auto elements = static_cast<int64_t>(options.bytes / sizeof(float)) / kTensors;
  auto all = randomTensors("layer", kTensors / 3, elements, generator);
  for (auto& named : randomTensors("exp_avg.layer", kTensors - kTensors / 3, elements, generator)) all.push_back(std::move(named));
  std::vector<models::NamedTensor> reference;
  for (const auto& [name, tensor] : all) reference.push_back({name, tensor.clone()});
  SnapshotMemory memory;
  memory.prepare(all);
  TRAINYARD_CHECK(makeFolder(run.checkpoints()));
  Json memcpy_ms = Json::array(), stall_ms = Json::array(), page_faults = Json::array(), save_s = Json::array();
  for (int round = 0; round < options.rounds; ++round) {
    memcpy_ms.push_back(plainCopy_ms(all, reference));
    const double begin = steadySeconds();
    const long faults = pageFaults();
    Snapshot snapshot;
    snapshot.step = static_cast<uint64_t>(round) + 1;
    const auto block = memory.take(all);
    const std::span<const models::NamedTensor> tensors(all);
    snapshot.model = SnapshotMemory::copy(tensors.first(kTensors / 3), block);
    snapshot.optimizer = SnapshotMemory::copy(tensors.subspan(kTensors / 3), block);
    TrainerState state;
    state.step = snapshot.step;
    snapshot.trainer = state.toJson();
    stall_ms.push_back((steadySeconds() - begin) * 1000);
    page_faults.push_back(pageFaults() - faults);
    TRAINYARD_TRY(const Written written, writeCheckpoint(run, snapshot, 1));
    save_s.push_back(steadySeconds() - begin);
  }
  return Json{{"bytes", elements * kTensors * 4}, {"memcpy_ms", memcpy_ms}, {"stall_ms", stall_ms}, {"page_faults", page_faults}, {"save_s", save_s}};
}

Result<Json> benchLoad(const runs::Layout& run) {
  const double begin = steadySeconds();
  TRAINYARD_TRY(const auto loaded, loadNewest(run));
  const double load_s = steadySeconds() - begin;
  if (!loaded) return fail(ErrorCode::Usage, "there is no checkpoint", displayPath(run.dir), "save one there first: the same without --load");
  std::vector<models::NamedTensor> model;
  uint64_t bytes = 0;
  for (const auto* file : {&loaded->model, &loaded->optimizer}) {
    for (const auto& [name, tensor] : file->tensors()) bytes += tensor.nbytes();
  }
  for (const auto& [name, tensor] : loaded->model.tensors()) model.push_back({name, at::zeros_like(tensor)});
  const double copying = steadySeconds();
  TRAINYARD_CHECK(models::loadInto(model, loaded->model, displayPath(loaded->folder)));
  return Json{{"bytes", bytes}, {"load_s", load_s}, {"into_model_s", steadySeconds() - copying}};
}

}  // namespace

Result<Json> benchCheckpoint(const CheckpointBenchOptions& options) {
  const runs::Layout run{options.folder};
  return options.load ? benchLoad(run) : benchSave(options, run);
}

}  // namespace trainyard::train
