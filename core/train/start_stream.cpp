#include "core/train/start_stream.h"

#include <ATen/ATen.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "core/base/files.h"

namespace trainyard::train {

namespace {

constexpr int64_t kPiece = 16 << 20;
constexpr std::array kFiles = {"model.safetensors", "optimizer.safetensors", "trainer.json", "checksums.json"};

// The same bytes on all ranks, piece by piece; `bytes` lies on the CPU.
Result<void> share(at::Tensor bytes, const Rank& rank) {
  const at::Device device = deviceOf(rank.device);
  for (int64_t at = 0; at < bytes.numel(); at += kPiece) {
    at::Tensor piece = bytes.narrow(0, at, std::min(kPiece, bytes.numel() - at));
    at::Tensor there = piece.to(device);  // the piece itself where it is on the CPU
    TRAINYARD_CHECK(rank.all->broadcast(there, 0)->wait());
    if (rank.index > 0 && !device.is_cpu()) piece.copy_(there);
  }
  return {};
}

at::Tensor bytesAt(void* data, size_t size) { return at::from_blob(data, {static_cast<int64_t>(size)}, at::kByte); }

Result<void> shareJson(Json& json, const Rank& rank) {
  std::string text = rank.index == 0 ? json.dump() : std::string();
  int64_t size = static_cast<int64_t>(text.size());
  TRAINYARD_CHECK(share(bytesAt(&size, sizeof size), rank));
  text.resize(static_cast<size_t>(size));
  TRAINYARD_CHECK(share(bytesAt(text.data(), text.size()), rank));
  json = Json::parse(text);
  return {};
}

Result<void> shareTensor(at::Tensor tensor, const Rank& rank) { return share(bytesAt(tensor.data_ptr(), tensor.nbytes()), rank); }

Result<void> sendFile(const fs::path& file, uint64_t bytes, const Rank& rank) {
  std::ifstream in(file, std::ios::binary);
  at::Tensor piece = at::empty({kPiece}, at::kByte);
  for (uint64_t at = 0; at < bytes;) {
    const int64_t length = std::min<int64_t>(kPiece, static_cast<int64_t>(bytes - at));
    if (!in.read(static_cast<char*>(piece.data_ptr()), length))
      return fail(ErrorCode::Failed, "cannot be read", displayPath(file), "see that the disk is well");
    TRAINYARD_CHECK(share(piece.narrow(0, 0, length), rank));
    at += static_cast<uint64_t>(length);
  }
  return {};
}

Result<void> receiveFile(const fs::path& file, uint64_t bytes, const Rank& rank) {
  std::ofstream out(file, std::ios::binary);
  at::Tensor piece = at::empty({kPiece}, at::kByte);
  for (uint64_t at = 0; at < bytes;) {
    const int64_t length = std::min<int64_t>(kPiece, static_cast<int64_t>(bytes - at));
    TRAINYARD_CHECK(share(piece.narrow(0, 0, length), rank));
    out.write(static_cast<const char*>(piece.data_ptr()), length);
    at += static_cast<uint64_t>(length);
  }
  out.close();
  if (!out) return fail(ErrorCode::Failed, "the checkpoint from rank 0 cannot be written", displayPath(file), "make room, or set TMPDIR to a folder with room");
  return {};
}

// Gone with this.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "trainyard-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

Result<void> sendStart(const Instruction& start, const Rank& rank) {
  Json list = Json::array();
  if (start.checkpoint) {
    for (const char* name : kFiles) list.push_back({{"name", name}, {"bytes", fs::file_size(start.checkpoint->folder / name)}});
    TRAINYARD_CHECK(shareJson(list, rank));
    for (const auto& file : list) TRAINYARD_CHECK(sendFile(start.checkpoint->folder / file["name"].get<std::string>(), file["bytes"], rank));
    return {};
  }
  for (const auto& [name, tensor] : *start.weights)
    list.push_back({{"name", name}, {"sizes", tensor.sizes().vec()}, {"type", static_cast<int>(tensor.scalar_type())}});
  TRAINYARD_CHECK(shareJson(list, rank));
  for (const auto& weight : *start.weights) TRAINYARD_CHECK(shareTensor(weight.tensor.detach().contiguous(), rank));
  return {};
}

Result<void> receiveStart(Instruction& start, const Rank& rank) {
  Json list;
  TRAINYARD_CHECK(shareJson(list, rank));
  const bool files = !list.empty() && list[0].contains("bytes");
  if (files) {
    const TemporaryFolder folder;
    if (folder.path().empty())
      return fail(ErrorCode::Failed, "no temporary folder can be made for the checkpoint from rank 0", "TMPDIR", "set it to a folder with room");
    for (const auto& file : list) TRAINYARD_CHECK(receiveFile(folder.path() / file["name"].get<std::string>(), file["bytes"], rank));
    TRAINYARD_TRY(Loaded loaded, loadCheckpoint(folder.path()));
    start.checkpoint = std::make_shared<const Loaded>(std::move(loaded));
    return {};
  }
  auto weights = std::make_shared<std::vector<models::NamedTensor>>();
  for (const auto& weight : list) {
    weights->push_back({weight["name"], at::empty(weight["sizes"].get<std::vector<int64_t>>(), static_cast<at::ScalarType>(weight["type"].get<int>()))});
    TRAINYARD_CHECK(shareTensor(weights->back().tensor, rank));
  }
  start.weights = std::move(weights);
  return {};
}

}  // namespace trainyard::train
