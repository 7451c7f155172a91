#include "core/parallel/pipeline_border.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace trainyard::parallel {

namespace {

// A description: how many tensors, then of each type (-1: undefined), flags, dimensions and sizes.
constexpr int64_t kMostTensors = 8, kMostDimensions = 8, kPerTensor = 3 + kMostDimensions, kWords = 1 + kMostTensors * kPerTensor;
constexpr int64_t kAsksForGradient = 1, kChannelsLast = 2;

bool isChannelsLast(const at::Tensor& tensor) { return tensor.dim() == 4 && !tensor.is_contiguous() && tensor.is_contiguous(at::MemoryFormat::ChannelsLast); }

// The same memory in its own order: contiguous.
at::Tensor inMemoryOrder(const at::Tensor& tensor) { return isChannelsLast(tensor) ? tensor.permute({0, 2, 3, 1}) : tensor; }

at::Tensor roomFor(const int64_t* words, at::Device device) {
  const at::IntArrayRef sizes(words + 3, static_cast<size_t>(words[2]));
  const auto layout = (words[1] & kChannelsLast) != 0 ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
  return at::empty(sizes, at::TensorOptions(static_cast<at::ScalarType>(words[0])).device(device), layout);
}

}  // namespace

Result<Border::Description> Border::describe(const models::Values& values) const {
  Description words(kWords, 0);
  if (static_cast<int64_t>(values.size()) > kMostTensors) {
    return fail(ErrorCode::Failed,
                std::to_string(values.size()) + " tensors cross from one stage to the next; at most " + std::to_string(kMostTensors) + " can", "parallel.cuts",
                "cut elsewhere");
  }
  words[0] = static_cast<int64_t>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    int64_t* out = words.data() + 1 + static_cast<int64_t>(i) * kPerTensor;
    const at::Tensor& value = values[i];
    if (!value.defined()) {
      out[0] = -1;
      continue;
    }
    if (value.dim() > kMostDimensions) {
      return fail(
          ErrorCode::Failed,
          "a tensor of " + std::to_string(value.dim()) + " dimensions crosses from one stage to the next; at most " + std::to_string(kMostDimensions) + " can",
          "parallel.cuts", "cut elsewhere");
    }
    out[0] = static_cast<int64_t>(value.scalar_type());
    out[1] = (value.requires_grad() ? kAsksForGradient : 0) | (isChannelsLast(value) ? kChannelsLast : 0);
    out[2] = value.dim();
    std::copy(value.sizes().begin(), value.sizes().end(), out + 3);
  }
  return words;
}

Result<void> Border::send(const models::Values& values, const BorderKey& key) {
  TRAINYARD_TRY(Description words, describe(values));
  const auto [known, fresh] = known_.try_emplace(key, words);
  if (fresh) {
    const at::Device device = values.empty() || !values.front().defined() ? at::Device(at::kCPU) : values.front().device();
    sent_.push_back(comm_.send(at::tensor(words, at::kLong).to(device), peer_, tag_));
  } else if (known->second != words) {
    return fail(ErrorCode::Failed, "tensors between stages changed their sizes or types from one part of a batch to the next",
                "stage " + std::to_string(comm_.rank()));
  }
  for (const auto& value : values) {
    if (value.defined() && value.numel() > 0) sent_.push_back(comm_.send(inMemoryOrder(value.detach()).contiguous(), peer_, tag_));
  }
  return {};
}

Result<void> Border::receiveInto(at::Tensor tensor) { return comm_.receive(tensor, peer_, tag_)->wait(); }

Result<models::Values> Border::receive(const BorderKey& key, at::Device device) {
  auto known = known_.find(key);
  if (known == known_.end()) {
    const at::Tensor words = at::empty({kWords}, at::TensorOptions(at::kLong).device(device));
    TRAINYARD_CHECK(receiveInto(words));
    const at::Tensor here = words.cpu();
    const auto* first = here.const_data_ptr<int64_t>();
    known = known_.emplace(key, Description(first, first + kWords)).first;
  }
  const Description& words = known->second;
  models::Values values(static_cast<size_t>(words[0]));
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t* own = words.data() + 1 + static_cast<int64_t>(i) * kPerTensor;
    if (own[0] < 0) continue;
    values[i] = roomFor(own, device);
    if (values[i].numel() > 0) TRAINYARD_CHECK(receiveInto(inMemoryOrder(values[i])));
    values[i].requires_grad_((own[1] & kAsksForGradient) != 0);
  }
  return values;
}

Result<void> Border::flush() {
  for (auto& work : sent_) TRAINYARD_CHECK(work->wait());
  sent_.clear();
  return {};
}

}  // namespace trainyard::parallel
