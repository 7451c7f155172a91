#include "core/train/bench_workload.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

namespace trainyard::train {

namespace {

loader::TensorView viewOf(const at::Tensor& tensor, loader::Element element) {
  return {static_cast<std::byte*>(tensor.data_ptr()), element, tensor.sizes().vec(), tensor.strides().vec()};
}

}  // namespace

Result<Workload> workload(const std::string& name) {
  if (name == "mlp") return Workload{{1, 28, 28}, {"mlp", {{"hidden", {128}}}}};
  if (name == "smallcnn") return Workload{{3, 32, 32}, {"smallcnn", Json::object()}};
  if (name == "resnet18") return Workload{{3, 64, 64}, {"resnet18", Json::object()}};
  if (name == "gpt") return Workload{{1, 1, 256}, {"gpt", {{"layers", 6}, {"width", 384}, {"heads", 6}, {"dropout", 0.0}}}, 8192, data::Task::Tokens};
  return fail(ErrorCode::Usage, "there is no benchmark model \"" + name + "\"", "--model", "known: mlp, smallcnn, resnet18, gpt");
}

recipe::Choice optimizerFor(const std::string& name) {
  if (name == "sgd") return {"sgd", {{"lr", 0.01}, {"momentum", 0.9}, {"weight_decay", 0.0}, {"dampening", 0.0}, {"nesterov", false}}};
  return {"adamw", {{"lr", 3e-4}, {"weight_decay", 0.01}, {"betas", {0.9, 0.999}}, {"eps", 1e-8}, {"amsgrad", false}}};
}

loader::Batch batchOf(const at::Tensor& inputs, const at::Tensor& targets) {
  loader::Batch batch;
  batch.inputs = viewOf(inputs, inputs.is_floating_point() ? loader::Element::F32 : loader::Element::I64);
  batch.targets = viewOf(targets, loader::Element::I64);
  batch.weight = batch.step_weight = static_cast<double>(targets.size(0));
  return batch;
}

Drawn draw(const Workload& work, int64_t samples, bool channels_last) {
  at::Generator generator = at::detail::createCPUGenerator(1);
  if (work.task == data::Task::Tokens) {
    const at::Tensor ids = at::randint(0, work.classes, {samples, work.shape.width + 1}, generator, at::TensorOptions(at::kLong));
    return {ids.slice(1, 0, work.shape.width), ids.slice(1, 1, work.shape.width + 1)};
  }
  const at::Tensor images_NCHW = at::randn({samples, work.shape.channels, work.shape.height, work.shape.width}, generator, at::TensorOptions(at::kFloat));
  const at::Tensor labels_N = at::randint(0, work.classes, {samples}, generator, at::TensorOptions(at::kLong));
  return {channels_last ? images_NCHW.contiguous(at::MemoryFormat::ChannelsLast) : images_NCHW, labels_N};
}

}  // namespace trainyard::train
