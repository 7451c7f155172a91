#include "core/train/gather.h"

#include <ATen/ATen.h>

#include <map>

namespace trainyard::train {

namespace {

constexpr int kTag = 7000;  // of everything here; messages of one sender keep their order

at::Tensor bytesOf(const std::string& text, at::Device device) {
  return at::from_blob(const_cast<char*>(text.data()), {static_cast<int64_t>(text.size())}, at::kByte).clone().to(device);
}

Json describe(const std::vector<StatePart>& parts) {
  Json list = Json::array();
  for (const auto& part : parts) {
    list.push_back({{"name", part.name}, {"sizes", part.full_sizes}, {"offset", part.offset}, {"values", part.tensor.numel()}, {"type", static_cast<int>(part.tensor.scalar_type())}});
  }
  return list;
}

// Whole tensors that fill with parts.
class Assembly {
 public:
  void add(const std::string& name, const std::vector<int64_t>& sizes, int64_t offset, const at::Tensor& flat) {
    auto [place, fresh] = index_.emplace(name, tensors_.size());
    if (fresh) tensors_.push_back({name, at::empty(sizes, flat.options().device(at::kCPU))});
    tensors_[place->second].tensor.view(-1).narrow(0, offset, flat.numel()).copy_(flat);
  }
  std::vector<models::NamedTensor> take() { return std::move(tensors_); }

 private:
  std::vector<models::NamedTensor> tensors_;
  std::map<std::string, size_t> index_;
};

Result<void> receiveList(const Json& list, int from, comm::Communicator& all, at::Device device, Assembly& assembly) {
  for (const auto& part : list) {
    at::Tensor flat = at::empty({part["values"].get<int64_t>()}, at::TensorOptions(static_cast<at::ScalarType>(part["type"].get<int>())).device(device));
    if (flat.numel() > 0) TRAINYARD_CHECK(all.receive(flat, from, kTag)->wait());
    assembly.add(part["name"], part["sizes"].get<std::vector<int64_t>>(), part["offset"], flat);
  }
  return {};
}

Result<Json> receiveJson(int from, comm::Communicator& all, at::Device device) {
  at::Tensor length = at::zeros({1}, at::TensorOptions(at::kLong).device(device));
  TRAINYARD_CHECK(all.receive(length, from, kTag)->wait());
  at::Tensor bytes = at::empty({length.item<int64_t>()}, at::TensorOptions(at::kByte).device(device));
  TRAINYARD_CHECK(all.receive(bytes, from, kTag)->wait());
  bytes = bytes.cpu();
  const char* text = static_cast<const char*>(bytes.data_ptr());
  return Json::parse(text, text + bytes.numel());
}

at::Tensor flat(const at::Tensor& tensor, at::Device device) { return tensor.detach().to(device).contiguous().view(-1); }

}  // namespace

Result<WholeState> gatherState(const TrainStep& step, comm::Communicator& all, at::Device device) {
  const at::NoGradGuard no_grad;
  TRAINYARD_TRY(const StateParts own, step.parts());
  Assembly model, optimizer;
  for (const auto& part : own.model) model.add(part.name, part.full_sizes, part.offset, flat(part.tensor, at::kCPU));
  for (const auto& part : own.optimizer) optimizer.add(part.name, part.full_sizes, part.offset, flat(part.tensor, at::kCPU));
  for (int from = 1; from < all.size(); ++from) {
    TRAINYARD_TRY(const Json lists, receiveJson(from, all, device));
    TRAINYARD_CHECK(receiveList(lists["model"], from, all, device, model));
    TRAINYARD_CHECK(receiveList(lists["optimizer"], from, all, device, optimizer));
  }
  return WholeState{model.take(), optimizer.take(), own.scalars};
}

Result<void> giveState(const TrainStep& step, comm::Communicator& all, at::Device device) {
  const at::NoGradGuard no_grad;
  TRAINYARD_TRY(const StateParts own, step.parts());
  const std::string text = Json{{"model", describe(own.model)}, {"optimizer", describe(own.optimizer)}}.dump();
  std::vector<comm::WorkPtr> sent{all.send(at::full({1}, static_cast<int64_t>(text.size()), at::TensorOptions(at::kLong).device(device)), 0, kTag), all.send(bytesOf(text, device), 0, kTag)};
  for (const auto* parts : {&own.model, &own.optimizer}) {
    for (const auto& part : *parts) {
      if (part.tensor.numel() > 0) sent.push_back(all.send(flat(part.tensor, device), 0, kTag));
    }
  }
  for (const auto& work : sent) TRAINYARD_CHECK(work->wait());
  return {};
}

}  // namespace trainyard::train
