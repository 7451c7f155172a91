#include "core/train/opening.h"

#include <ATen/ATen.h>
#include <torch/version.h>

#include "core/hardware/hardware.h"
#include "core/train/arithmetic.h"

namespace trainyard::train {

Json layoutOf(const Prepared& prepared) {
  return {{"strategy", prepared.recipe.parallel.strategy.id}, {"ranks", prepared.grid.ranks}, {"replicas", prepared.grid.replicas}, {"stages", prepared.grid.stages}};
}

Json planOf(const Prepared& prepared) {
  const Input& input = prepared.input;
  const auto hardware = hardware::inspect();
  const uint64_t steps = loader::stepsPerEpoch(input.parts.train.size(), prepared.recipe.train.batch_size);
  Json validation = Json::array();
  if (input.task == data::Task::Classes) {
    for (const uint64_t count : data::classCounts(*input.dataset, input.parts.validation)) validation.push_back(count);
  }
  Json devices = Json::array();
  for (const auto& device : prepared.devices) devices.push_back(device.text());
  return {{"devices", devices},
          {"layout", layoutOf(prepared)},
          {"threads", arithmeticThreads(prepared.recipe)},
          {"loader_workers", input.workers},
          {"instruction_set", at::get_cpu_capability()},
          {"processor", hardware.processor.name},
          {"versions", {{"trainyard", TRAINYARD_VERSION}, {"libtorch", TORCH_VERSION}}},
          {"samples", {{"train", input.parts.train.size()}, {"validation", input.parts.validation.size()}, {"test", input.parts.test.size()}}},
          {"validation_per_class", validation},
          {"input", {input.shape.channels, input.shape.height, input.shape.width}},
          {"task", data::taskName(input.task)},
          {"classes", input.outputs},
          {"steps_per_epoch", steps},
          {"last_step_samples", input.parts.train.size() - (steps - 1) * prepared.recipe.train.batch_size},  // of each epoch: the odd ones
          {"steps_total", steps * prepared.recipe.train.epochs}};
}

void tellOfArithmetic(EventSink& sink, const Prepared& prepared, bool resuming) {
  if (!prepared.broken_promise.empty()) {
    sink.notice("caution", "not_reproducible", "from here on this run may differ in the last digits from one that was not interrupted: " + prepared.broken_promise);
  } else if (prepared.recipe.train.deterministic && !resuming) {
    sink.notice("note", "deterministic", "only algorithms that give the same bits each time are used, which can be slower; it holds for this number of threads and this kind of processor",
                {{"threads", arithmeticThreads(prepared.recipe)}, {"instruction_set", at::get_cpu_capability()}});
  }
  const uint64_t batch = prepared.recipe.train.batch_size, rest = prepared.input.parts.train.size() % batch;
  if (!resuming && rest == 1 && batch > 1) {
    sink.notice("note", "small_last_batch", "the last update of each epoch has a single sample; where batch norm would have one value to go by, it takes its running averages",
                {{"samples", rest}, {"batch_size", batch}});
  }
  if (prepared.recipe.precision.id == "tf32" && !prepared.devices.front().cuda) sink.notice("note", "tf32_on_cpu", "tf32 is for NVIDIA GPUs; this processor computes in fp32");
}

void tellOfData(EventSink& sink, const Input& input, bool resuming) {
  if (!input.changed.empty()) sink.notice("caution", "data_changed", input.changed + "; the order of the samples is another from here on");
  const Json left_out = input.record.value("left_out", Json::array());
  if (resuming || left_out.empty()) return;
  for (const auto& entry : left_out) sink.log("left out: " + entry.value("file", "") + " " + entry.value("why", ""));
  const std::string first = left_out[0].value("file", "") + " " + left_out[0].value("why", "");
  const size_t used = input.parts.train.size() + input.parts.validation.size() + input.parts.test.size();
  sink.notice("caution", "left_out", std::to_string(left_out.size()) + (left_out.size() == 1 ? " picture is" : " pictures are") + " left out: " + first + (left_out.size() > 1 ? ", …" : ""),
              {{"count", left_out.size()}, {"used", used}, {"files", left_out}});
}

}  // namespace trainyard::train
