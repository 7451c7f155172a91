#pragma once
// The safetensors format: 8 bytes little-endian header length, a JSON header, the tensors' bytes. Data only: nothing in it is ever executed.
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/files.h"
#include "core/models/model.h"

namespace trainyard::models {

// Writes header and bytes of `tensors` (CPU, any strides; contiguous in logical order) piece by piece, so that only one tensor at a time is held
// twice. Gives the sink's first error.
using Sink = std::function<Result<void>(std::string_view bytes)>;
using Metadata = std::vector<std::pair<std::string, std::string>>;  // the header's __metadata__
Result<void> writeSafetensors(std::span<const NamedTensor> tensors, const Sink& sink, const Metadata& metadata = {});

// The same as one string.
std::string toSafetensors(std::span<const NamedTensor> tensors);

// A file mapped into memory; its tensors are views that live as long as any of them. Any thread.
class SafetensorsFile {
 public:
  // Error Data naming the file: not a safetensors file, cut short, header that does not match the bytes.
  static Result<SafetensorsFile> open(const fs::path& file);
  const std::vector<NamedTensor>& tensors() const { return tensors_; }
  const at::Tensor* find(const std::string& name) const;
  const Metadata& metadata() const { return metadata_; }
  std::span<const char> bytes() const { return bytes_; }  // the whole file

 private:
  std::vector<NamedTensor> tensors_;
  Metadata metadata_;
  std::shared_ptr<const void> mapping_;
  std::span<const char> bytes_;
};

// Copies by name into `targets`, keeping their device and strides. Every target must be there with its shape and type, and nothing else may be:
// Error Data names the tensor, both shapes and the file. Nothing is copied unless everything fits.
Result<void> loadInto(std::span<const NamedTensor> targets, const SafetensorsFile& file, const std::string& where);

}  // namespace trainyard::models
