#pragma once
// How the golden values were made, repeated: see README.md in this folder.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <QTest>
#include <cmath>
#include <string>

#include "core/base/files.h"
#include "core/loader/loader.h"
#include "core/models/model.h"

namespace trainyard::golden {

inline Json readFrom(const std::string& name) {  // below golden/
  const auto text = readFile(fs::path(TEST_DATA_DIR) / "../golden" / name);
  if (!text) qFatal("%s", toText(text.error()).c_str());
  return Json::parse(*text);
}
inline Json read(const std::string& name) { return readFrom("training/" + name); }

inline recipe::Choice archOf(const std::string& id) { return {id, id == "mlp" ? Json{{"hidden", {128}}} : Json::object()}; }

inline models::InputShape shapeOf(const std::string& arch) {
  if (arch == "mlp") return {1, 28, 28};
  return arch == "smallcnn" ? models::InputShape{3, 32, 32} : models::InputShape{3, 64, 64};
}

inline double hashed(uint32_t i, uint32_t k) {
  uint32_t x = i * 0x9E3779B9u + k * 0x85EBCA6Bu;
  x ^= x >> 16;
  x *= 0x7FEB352Du;
  x ^= x >> 15;
  x *= 0x846CA68Bu;
  x ^= x >> 16;
  return x / 2147483648.0 - 1.0;
}

inline void fill(const models::Model& model) {
  at::NoGradGuard no_grad;
  uint32_t k = 0;
  for (const auto& [name, tensor] : model.parameters()) {
    at::Tensor values = at::empty(tensor.sizes(), at::kFloat);
    auto* out = values.mutable_data_ptr<float>();
    const double scale = tensor.dim() >= 2 ? 1.0 / std::sqrt(static_cast<double>(tensor[0].numel())) : 0.1;
    const double offset = tensor.dim() == 1 && name.ends_with("weight") ? 1.0 : 0.0;
    for (int64_t i = 0; i < values.numel(); ++i) out[i] = static_cast<float>(offset + hashed(static_cast<uint32_t>(i), k) * scale);
    tensor.detach().copy_(values);
    ++k;
  }
}

inline std::unique_ptr<models::Model> model(const std::string& arch, bool channels_last = true) {
  auto made = models::make(archOf(arch), shapeOf(arch), 10, 0);
  if (!made) qFatal("%s", toText(made.error()).c_str());
  fill(**made);
  if (channels_last) models::moveTo(**made, at::kCPU);
  return std::move(*made);
}

struct Data {
  at::Tensor images_NCHW, labels_N;
};
inline Data data(const std::string& arch, int64_t count) {
  const auto shape = shapeOf(arch);
  at::Generator generator = at::detail::createCPUGenerator(1);
  Data made;
  made.images_NCHW = at::randn({count, shape.channels, shape.height, shape.width}, generator, at::TensorOptions(at::kFloat));
  made.labels_N = at::randint(0, 10, {count}, generator, at::TensorOptions(at::kLong));
  return made;
}

inline std::vector<double> digest(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.detach().contiguous().flatten().to(at::kDouble);
  const int64_t n = flat.numel();
  std::vector<double> out{flat.sum().item<double>(), flat.abs().sum().item<double>()};
  for (const int64_t at : {int64_t{0}, n / 3, 2 * n / 3, n - 1}) out.push_back(flat[at].item<double>());
  return out;
}

// One micro-batch over tensors that outlive it.
inline loader::Batch batch(const at::Tensor& images_NCHW, const at::Tensor& labels_N, double step_weight) {
  loader::Batch out;
  out.inputs = {static_cast<std::byte*>(images_NCHW.data_ptr()), loader::Element::F32, images_NCHW.sizes().vec(), images_NCHW.strides().vec()};
  out.targets = {static_cast<std::byte*>(labels_N.data_ptr()), loader::Element::I64, labels_N.sizes().vec(), labels_N.strides().vec()};
  out.weight = static_cast<double>(labels_N.numel());
  out.step_weight = step_weight;
  return out;
}

inline bool near(double a, double b, double relative, double absolute = 0) { return std::abs(a - b) <= relative * std::abs(b) + absolute; }

}  // namespace trainyard::golden

// Compares two numbers and says both when they differ.
#define COMPARE_NEAR(actual, expected, relative, absolute, label)                                                                    \
  do {                                                                                                                              \
    const double actual_ = (actual), expected_ = (expected);                                                                        \
    QVERIFY2(trainyard::golden::near(actual_, expected_, relative, absolute),                                                       \
             qPrintable(QString("%1: %2, expected %3").arg(QString::fromStdString(label)).arg(actual_, 0, 'g', 10).arg(expected_, 0, 'g', 10))); \
  } while (false)
