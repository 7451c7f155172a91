#include "core/train/pipeline_parts.h"

#include <ATen/ATen.h>

#include <cmath>

namespace trainyard::train {

namespace {

// What is announced: of the step (8 numbers), then of each part.
constexpr int64_t kOfStep = 8, kOfPart = 3, kMostDimensions = 4;

// Where part `i` of `count` begins.
int64_t beginOf(int64_t samples, int64_t i, int64_t count) { return samples * i / count; }

int64_t partsOf(int64_t samples, uint64_t wanted) { return std::min<int64_t>(samples, static_cast<int64_t>(std::max<uint64_t>(1, wanted))); }

parallel::PipelinePart partFrom(const at::Tensor& inputs, size_t index) {
  parallel::PipelinePart part;
  part.micro = static_cast<uint32_t>(index);
  part.inputs = inputs;
  part.key = inputs.sizes().vec();
  return part;
}

at::Tensor numbers(const std::vector<double>& values, at::Device device) { return at::tensor(values, at::kDouble).to(device); }

// On the CPU, of the first stage's.
Result<at::Tensor> told(at::Tensor values, comm::Communicator& stages) {
  TRAINYARD_CHECK(stages.broadcast(values, 0)->wait());
  return values.cpu();
}

std::vector<double> aboutStep(const PipelineParts& parts) {
  std::vector<double> step{static_cast<double>(parts.parts.size()), parts.weight.own, parts.weight.partners, static_cast<double>(parts.samples)};
  if (!parts.parts.empty()) {
    const auto& key = parts.parts.front().key;
    for (size_t d = 1; d < key.size(); ++d) step.push_back(static_cast<double>(key[d]));
  }
  step.resize(kOfStep, 0);
  return step;
}

}  // namespace

PipelineParts cutBatches(std::span<loader::Batch> micros, uint64_t count, data::Task task, const LossOptions& host_loss, at::Device device) {
  PipelineParts cut;
  const uint64_t each = (count + micros.size() - 1) / micros.size();
  cut.whole = !host_loss.class_weights.defined() && task != data::Task::Tokens;  // samples are the weight, and batches know the step's
  if (cut.whole) {
    cut.weight = {micros.front().step_weight, micros.front().step_weight};
    cut.samples = static_cast<uint64_t>(std::llround(micros.front().step_weight));
  }
  for (auto& batch : micros) {
    if (!cut.whole) {
      const LossWeight weight = weightOf(task, host_loss, toTensors(batch, at::kCPU));
      cut.weight.own += weight.own;
      cut.weight.partners += weight.partners;
      cut.samples += static_cast<uint64_t>(batch.weight);
    }
    const Tensors tensors = toTensors(batch, device);
    batch.lease.reset();
    const int64_t samples = tensors.images_NCHW.size(0), parts = partsOf(samples, each);
    for (int64_t i = 0; i < parts; ++i) {
      const int64_t begin = beginOf(samples, i, parts), length = beginOf(samples, i + 1, parts) - begin;
      auto part = partFrom(tensors.images_NCHW.narrow(0, begin, length), cut.parts.size());
      const bool mixed = tensors.targets_b.defined();
      part.targets = {tensors.targets.narrow(0, begin, length), mixed ? tensors.targets_b.narrow(0, begin, length) : at::Tensor()};
      part.target_key = {length, mixed ? 1 : 0};
      cut.mix.push_back(tensors.mix);
      cut.parts.push_back(std::move(part));
    }
  }
  return cut;
}

PipelineParts cutInputs(const at::Tensor& inputs, uint64_t count) {
  PipelineParts cut;
  const int64_t samples = inputs.size(0), parts = partsOf(samples, count);
  for (int64_t i = 0; i < parts; ++i) {
    const int64_t begin = beginOf(samples, i, parts);
    cut.parts.push_back(partFrom(inputs.narrow(0, begin, beginOf(samples, i + 1, parts) - begin), cut.parts.size()));
    cut.parts.back().target_key = {0, 0};
    cut.mix.push_back(1);
  }
  return cut;
}

Result<void> announce(PipelineParts& parts, comm::Communicator& stages, at::Device device) {
  const bool first = stages.rank() == 0;
  TRAINYARD_TRY(const at::Tensor step, told(numbers(first ? aboutStep(parts) : std::vector<double>(kOfStep), device), stages));
  const double* own = step.const_data_ptr<double>();
  const auto count = static_cast<size_t>(own[0]);
  if (count == 0 && first) return {};
  std::vector<double> values(count * kOfPart, 0);
  for (size_t i = 0; first && i < count; ++i) {
    const auto& part = parts.parts[i];
    values[i * kOfPart] = static_cast<double>(part.key[0]);
    values[i * kOfPart + 1] = static_cast<double>(part.target_key[1]);
    values[i * kOfPart + 2] = parts.mix[i];
  }
  if (!first) {
    parts = {};
    parts.weight = {own[1], own[2]};
    parts.samples = static_cast<uint64_t>(own[3]);
  }
  if (count == 0) return {};
  TRAINYARD_TRY(const at::Tensor each, told(numbers(values, device), stages));
  if (first) return {};
  const double* of = each.const_data_ptr<double>();
  for (size_t i = 0; i < count; ++i, of += kOfPart) {
    parallel::PipelinePart part;
    part.micro = static_cast<uint32_t>(i);
    part.key = {static_cast<int64_t>(of[0])};
    for (int64_t d = 4; d < 4 + kMostDimensions - 1 && own[d] > 0; ++d) part.key.push_back(static_cast<int64_t>(own[d]));
    part.target_key = {static_cast<int64_t>(of[0]), static_cast<int64_t>(of[1])};
    parts.parts.push_back(std::move(part));
    parts.mix.push_back(of[2]);
  }
  return {};
}

}  // namespace trainyard::train
