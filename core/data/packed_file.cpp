#include "core/data/packed_file.h"

#include <archive.h>

#include <memory>

namespace trainyard::data {

namespace {

struct FreeArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

Result<std::string> unpack(const std::string& packed, const std::string& name) {
  constexpr char kHint[] = "download or copy it again";
  if (packed.size() < 2 || packed[0] != '\x1f' || packed[1] != '\x8b') return fail(ErrorCode::Data, "is not a gzip file, whatever its name says", name, kHint);
  const std::unique_ptr<archive, FreeArchive> reader(archive_read_new());
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  const auto failure = [&] {
    const char* reason = archive_error_string(reader.get());
    return fail(ErrorCode::Data, std::string("cannot be unpacked: ") + (reason ? reason : "unknown reason"), name, kHint);
  };
  if (archive_read_open_memory(reader.get(), packed.data(), packed.size()) != ARCHIVE_OK) return failure();
  archive_entry* entry = nullptr;
  const int header = archive_read_next_header(reader.get(), &entry);
  if (header == ARCHIVE_EOF) return std::string();
  if (header != ARCHIVE_OK) return failure();
  std::string content;
  std::string piece(1 << 18, '\0');
  while (true) {
    const la_ssize_t count = archive_read_data(reader.get(), piece.data(), piece.size());
    if (count < 0) return failure();
    if (count == 0) return content;
    content.append(piece.data(), static_cast<size_t>(count));
  }
}

}  // namespace

Result<std::string> readPlainOrGz(const fs::path& file) {
  TRAINYARD_TRY(std::string bytes, readFile(file));
  if (file.extension() != ".gz") return bytes;
  return unpack(bytes, displayPath(file));
}

fs::path plainOrGz(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) return file;
  fs::path packed = file;
  packed += ".gz";
  return fs::is_regular_file(packed, ignored) ? packed : fs::path();
}

}  // namespace trainyard::data
