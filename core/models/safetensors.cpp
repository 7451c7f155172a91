#include "core/models/safetensors.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

namespace trainyard::models {

namespace {

struct TypeName {
  at::ScalarType type;
  const char* name;
};
constexpr TypeName kTypes[] = {{at::kFloat, "F32"}, {at::kDouble, "F64"}, {at::kHalf, "F16"}, {at::kBFloat16, "BF16"}, {at::kLong, "I64"},
                               {at::kInt, "I32"},   {at::kShort, "I16"},  {at::kChar, "I8"},  {at::kByte, "U8"},      {at::kBool, "BOOL"}};

const char* typeName(at::ScalarType type) {
  for (const auto& entry : kTypes) {
    if (entry.type == type) return entry.name;
  }
  return "?";
}

std::string shapeText(at::IntArrayRef sizes) {
  std::string text = "[";
  for (size_t i = 0; i < sizes.size(); ++i) text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + "]";
}

struct Mapping {
  void* address = nullptr;
  size_t bytes = 0;
  ~Mapping() {
    if (address != nullptr) ::munmap(address, bytes);
  }
};

tl::unexpected<Error> broken(const fs::path& file, const std::string& what) {
  return fail(ErrorCode::Data, what, displayPath(file), "the file is damaged or is not a safetensors file; take another copy of it");
}

struct Opened {
  std::shared_ptr<Mapping> mapping;
  std::string header;  // read, not mapped: a disk that fails gives an error here, where the mapping would end the process
};

Result<std::string> readHeader(int descriptor, uint64_t file_bytes, const fs::path& file) {
  uint64_t header_bytes = 0;
  if (::pread(descriptor, &header_bytes, sizeof header_bytes, 0) != sizeof header_bytes) return broken(file, std::string("cannot be read: ") + std::strerror(errno));
  if (header_bytes > file_bytes - 8) {
    return broken(file, "is cut short or not a safetensors file: its header claims " + std::to_string(header_bytes) + " bytes, the file has " + std::to_string(file_bytes));
  }
  std::string header(header_bytes, '\0');
  for (size_t have = 0; have < header.size();) {
    const ssize_t got = ::pread(descriptor, header.data() + have, header.size() - have, static_cast<off_t>(8 + have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return broken(file, std::string("cannot be read: ") + std::strerror(errno));
    have += static_cast<size_t>(got);
  }
  return header;
}

Result<Opened> openFile(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return fail(ErrorCode::Data, std::string("cannot open: ") + std::strerror(errno), displayPath(file), "check the path and its permissions");
  const auto work = [&]() -> Result<Opened> {
    struct stat info {};
    if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 8) return broken(file, "is too short to be a safetensors file");
    auto mapping = std::make_shared<Mapping>();
    mapping->bytes = static_cast<size_t>(info.st_size);
    TRAINYARD_TRY(std::string header, readHeader(descriptor, mapping->bytes, file));
    void* address = ::mmap(nullptr, mapping->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) return fail(ErrorCode::Data, std::string("cannot be mapped: ") + std::strerror(errno), displayPath(file));
    mapping->address = address;
    return Opened{std::move(mapping), std::move(header)};
  };
  auto opened = work();
  ::close(descriptor);
  return opened;
}

// One header entry → a tensor over the mapping; nullopt where the entry does not make sense.
std::optional<at::Tensor> tensorFrom(const Json& entry, const std::shared_ptr<Mapping>& mapping, size_t data_start) {
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets")) return {};
  std::optional<at::ScalarType> type;
  for (const auto& known : kTypes) {
    if (entry["dtype"] == known.name) type = known.type;
  }
  const Json &shape = entry["shape"], &offsets = entry["data_offsets"];
  if (!type || !shape.is_array() || !offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) return {};
  std::vector<int64_t> sizes;
  uint64_t bytes = at::elementSize(*type);
  for (const auto& size : shape) {
    if (!size.is_number_unsigned()) return {};
    const uint64_t n = size.get<uint64_t>();
    if (n != 0 && bytes > std::numeric_limits<uint64_t>::max() / n) return {};
    bytes *= n;
    sizes.push_back(static_cast<int64_t>(n));
  }
  const uint64_t begin = offsets[0].get<uint64_t>(), end = offsets[1].get<uint64_t>(), available = mapping->bytes - data_start;
  if (begin > end || end > available || end - begin != bytes) return {};
  auto* address = static_cast<char*>(mapping->address) + data_start + begin;
  at::Tensor view = at::from_blob(address, sizes, [mapping](void*) {}, at::TensorOptions(*type));
  const bool aligned = reinterpret_cast<uintptr_t>(address) % at::elementSize(*type) == 0;
  return aligned ? view : view.clone();
}

}  // namespace

Result<void> writeSafetensors(std::span<const NamedTensor> tensors, const Sink& sink, const Metadata& metadata) {
  Json header = Json::object();
  for (const auto& [key, value] : metadata) header["__metadata__"][key] = value;
  uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    const uint64_t bytes = tensor.nbytes();
    header[name] = {{"dtype", typeName(tensor.scalar_type())}, {"shape", tensor.sizes().vec()}, {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  std::string text = compactJson(header);
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string length;
  for (int i = 0; i < 8; ++i) length.push_back(static_cast<char>(text.size() >> (8 * i)));
  TRAINYARD_CHECK(sink(length + text));
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor plain = tensor.detach().contiguous();
    TRAINYARD_CHECK(sink({static_cast<const char*>(plain.const_data_ptr()), plain.nbytes()}));
  }
  return {};
}

std::string toSafetensors(std::span<const NamedTensor> tensors) {
  std::string out;
  (void)writeSafetensors(tensors, [&out](std::string_view bytes) -> Result<void> {
    out += bytes;
    return {};
  });
  return out;
}

Result<SafetensorsFile> SafetensorsFile::open(const fs::path& file) {
  TRAINYARD_TRY(const Opened opened, openFile(file));
  const auto& mapping = opened.mapping;
  const size_t header_bytes = opened.header.size();
  const Json header = Json::parse(opened.header, nullptr, false);
  if (!header.is_object()) return broken(file, "has no readable safetensors header");
  SafetensorsFile result;
  result.mapping_ = mapping;
  result.bytes_ = {static_cast<const char*>(mapping->address), mapping->bytes};
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      for (const auto& [key, value] : entry.items()) result.metadata_.emplace_back(key, value.is_string() ? value.get<std::string>() : compactJson(value));
      continue;
    }
    auto tensor = tensorFrom(entry, mapping, 8 + header_bytes);
    if (!tensor) return broken(file, "the header's entry for tensor \"" + name + "\" does not match the file's " + std::to_string(mapping->bytes) + " bytes");
    result.tensors_.push_back({name, *tensor});
  }
  return result;
}

const at::Tensor* SafetensorsFile::find(const std::string& name) const {
  for (const auto& named : tensors_) {
    if (named.name == name) return &named.tensor;
  }
  return nullptr;
}

Result<void> loadInto(std::span<const NamedTensor> targets, const SafetensorsFile& file, const std::string& where) {
  const std::string hint = "these weights belong to another architecture, or to another number of classes";
  for (const auto& [name, target] : targets) {
    const at::Tensor* found = file.find(name);
    if (found == nullptr) return fail(ErrorCode::Data, "tensor \"" + name + "\" of shape " + shapeText(target.sizes()) + " is missing", where, hint);
    if (found->sizes() != target.sizes()) {
      return fail(ErrorCode::Data, "tensor \"" + name + "\" has shape " + shapeText(found->sizes()) + " in the file; the model needs " + shapeText(target.sizes()), where, hint);
    }
  }
  for (const auto& [name, tensor] : file.tensors()) {
    const auto known = std::find_if(targets.begin(), targets.end(), [&name = name](const NamedTensor& target) { return target.name == name; });
    if (known == targets.end()) return fail(ErrorCode::Data, "the model has no tensor \"" + name + "\" of shape " + shapeText(tensor.sizes()), where, hint);
  }
  at::NoGradGuard no_grad;
  for (const auto& [name, target] : targets) {
    at::Tensor destination = target.detach();
    destination.copy_(*file.find(name));
  }
  return {};
}

}  // namespace trainyard::models
