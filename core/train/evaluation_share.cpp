#include "core/train/evaluation_share.h"

#include <ATen/ATen.h>

namespace trainyard::train {

namespace {

constexpr int kTag = 7100;
constexpr int64_t kDims = 8, kHeader = 3 + 2 * kDims;  // samples, dimensions and sizes of outputs and targets, type of targets

at::Tensor headerOf(const Answered& answered) {
  std::vector<int64_t> header(kHeader, 0);
  header[0] = answered.outputs.dim();
  header[1] = answered.targets.dim();
  header[2] = static_cast<int64_t>(answered.targets.scalar_type());
  for (int64_t d = 0; d < answered.outputs.dim(); ++d) header[static_cast<size_t>(3 + d)] = answered.outputs.size(d);
  for (int64_t d = 0; d < answered.targets.dim(); ++d) header[static_cast<size_t>(3 + kDims + d)] = answered.targets.size(d);
  return at::tensor(header, at::kLong);
}

std::vector<int64_t> sizesFrom(const at::Tensor& header, int64_t dims, int64_t at) {
  const int64_t* values = header.const_data_ptr<int64_t>();
  return {values + at, values + at + dims};
}

}  // namespace

Result<std::unique_ptr<EvaluationShare>> EvaluationShare::begin(const models::Model& model, TrainStep& step, const Rank& rank, const Input& input, const recipe::Recipe& recipe) {
  const at::NoGradGuard no_grad;
  for (const auto& [name, buffer] : model.buffers()) {
    if (!rank.replicas || !buffer.is_non_overlapping_and_dense()) continue;  // not dense: another stage's
    at::Tensor flat = at::as_strided(buffer.detach(), {buffer.numel()}, {1});
    TRAINYARD_CHECK(rank.replicas->broadcast(flat, 0)->wait());
  }
  return std::unique_ptr<EvaluationShare>(new EvaluationShare(step, rank, input, recipe));
}

EvaluationShare::EvaluationShare(TrainStep& step, const Rank& rank, const Input& input, const recipe::Recipe& recipe)
    : step_(step), rank_(rank), device_(deviceOf(rank.device)), tokens_(input.task == data::Task::Tokens) {
  const uint64_t batch = evaluationBatch(recipe) * static_cast<uint64_t>(rank.grid.replicas);
  rounds_ = loader::stepsPerEpoch(input.parts.validation.size(), batch);
  one_ = tokens_ ? std::vector<int64_t>{1, input.shape.width} : std::vector<int64_t>{1, input.shape.channels, input.shape.height, input.shape.width};
  if (!rank.readsData()) return;
  loader::Options options;
  options.batch_size = batch;
  options.shuffle = false;
  options.workers = std::max(1, input.workers / rank.grid.replicas);
  options.rank = static_cast<uint32_t>(rank.replica());
  options.ranks = static_cast<uint32_t>(rank.grid.replicas);
  loader_ = loader::make(input.dataset, input.parts.validation, input.evaluation, options);
}

Result<std::vector<Answered>> EvaluationShare::answer() {
  const at::NoGradGuard no_grad;
  models::RunContext context;
  context.rank = static_cast<uint32_t>(rank_.replica());
  if (!rank_.readsData()) {
    TRAINYARD_CHECK(step_.answer({}, context));
    return std::vector<Answered>();
  }
  TRAINYARD_TRY(Answered mine, own());
  if (rank_.index > 0) {
    TRAINYARD_CHECK(give(mine));
    return std::vector<Answered>();
  }
  std::vector<Answered> all;  // in the last round some replicas have nothing, and the first may be one of them
  if (!mine.samples.empty()) all.push_back(std::move(mine));
  for (int replica = 1; replica < rank_.grid.replicas; ++replica) {
    TRAINYARD_TRY(Answered theirs, receive(replica * rank_.grid.stages));
    if (!theirs.samples.empty()) all.push_back(std::move(theirs));
  }
  return all;
}

// A replica without samples passes one of zeros, so that all ranks do the same.
Result<Answered> EvaluationShare::own() {
  models::RunContext context;
  context.rank = static_cast<uint32_t>(rank_.replica());
  TRAINYARD_TRY(const auto batch, loader_->next());
  if (!batch || batch->samples.empty()) {
    const at::Tensor nothing = at::zeros(one_, at::TensorOptions(tokens_ ? at::kLong : at::kFloat).device(device_));
    TRAINYARD_CHECK(step_.answer(nothing, context));
    return Answered{{}, at::empty({0}), at::empty({0})};
  }
  const Tensors tensors = toTensors(*batch, device_);
  TRAINYARD_TRY(const at::Tensor outputs, step_.answer(tensors.images_NCHW, context));
  return Answered{batch->samples, outputs.to(at::kFloat), tensors.targets};
}

Result<void> EvaluationShare::give(const Answered& answered) {
  std::vector<int64_t> samples(answered.samples.begin(), answered.samples.end());
  samples.insert(samples.begin(), static_cast<int64_t>(samples.size()));
  const auto count = at::full({1}, static_cast<int64_t>(samples.size()), at::kLong);
  // One after the other: behind one that failed, the next would be taken for it.
  for (const at::Tensor& tensor : {headerOf(answered), count, at::tensor(samples, at::kLong)}) TRAINYARD_CHECK(rank_.all->send(tensor.to(device_), 0, kTag)->wait());
  if (answered.samples.empty()) return {};
  for (const at::Tensor& tensor : {answered.outputs, answered.targets}) TRAINYARD_CHECK(rank_.all->send(tensor.contiguous(), 0, kTag)->wait());
  return {};
}

Result<Answered> EvaluationShare::receive(int from) {
  const auto get = [&](std::vector<int64_t> sizes, at::ScalarType type) -> Result<at::Tensor> {
    at::Tensor tensor = at::empty(sizes, at::TensorOptions(type).device(device_));
    TRAINYARD_CHECK(rank_.all->receive(tensor, from, kTag)->wait());
    return tensor;
  };
  TRAINYARD_TRY(at::Tensor header, get({kHeader}, at::kLong));
  TRAINYARD_TRY(at::Tensor count, get({1}, at::kLong));
  TRAINYARD_TRY(at::Tensor samples, get({count.item<int64_t>()}, at::kLong));
  header = header.cpu();
  samples = samples.cpu();
  const int64_t* numbers = samples.const_data_ptr<int64_t>();
  Answered answered;
  answered.samples.assign(numbers + 1, numbers + 1 + numbers[0]);
  if (answered.samples.empty()) return answered;
  const int64_t* fields = header.const_data_ptr<int64_t>();
  TRAINYARD_TRY(answered.outputs, get(sizesFrom(header, fields[0], 3), at::kFloat));
  TRAINYARD_TRY(answered.targets, get(sizesFrom(header, fields[1], 3 + kDims), static_cast<at::ScalarType>(fields[2])));
  return answered;
}

}  // namespace trainyard::train
