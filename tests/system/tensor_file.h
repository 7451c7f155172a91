#pragma once
// Safetensors files as plain bytes: without the engine, so that a test sees what any other program would.
#include <QByteArray>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "tests/system/run_watcher.h"

namespace trainyard::system {

struct StoredTensor {
  std::string dtype;  // "F32"
  std::vector<int64_t> shape;
  QByteArray bytes;
  bool operator==(const StoredTensor&) const = default;
};
using StoredTensors = std::map<std::string, StoredTensor>;

inline StoredTensors readTensors(const QString& file) {
  const QByteArray all = readBytes(file);
  qsizetype header_bytes = 0;
  for (qsizetype i = 7; i >= 0; --i) header_bytes = header_bytes * 256 + static_cast<unsigned char>(all.at(i));
  const Json header = Json::parse(all.mid(8, header_bytes).toStdString());
  StoredTensors tensors;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const auto range = entry.at("data_offsets").get<std::vector<qsizetype>>();
    tensors[name] = {entry.at("dtype"), entry.at("shape"), all.mid(8 + header_bytes + range.at(0), range.at(1) - range.at(0))};
  }
  return tensors;
}

inline QByteArray tensorFile(const StoredTensors& tensors) {
  Json header = Json::object();
  QByteArray data;
  for (const auto& [name, tensor] : tensors) {
    header[name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
    data += tensor.bytes;
  }
  const QByteArray text = QByteArray::fromStdString(header.dump());
  QByteArray length;
  for (qsizetype rest = text.size(); length.size() < 8; rest /= 256) length += static_cast<char>(rest % 256);
  return length + text + data;
}

}  // namespace trainyard::system
