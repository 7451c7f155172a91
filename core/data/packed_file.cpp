#include "core/data/packed_file.h"

#include <archive.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>

#include "core/base/units.h"

namespace trainyard::data {

namespace {

using namespace std::string_view_literals;

constexpr char kHint[] = "download or copy it again";
constexpr size_t kPiece = size_t{1} << 20;
constexpr uint64_t kLargestGz = uint64_t{64} << 30;  // of one data file: a bomb, not data

struct Magic {
  std::string_view start;
  Packing packing;
};
constexpr Magic kMagics[] = {{"\x1f\x8b"sv, Packing::Gzip},
                             {"\xfd"
                              "7zXZ\0"sv,
                              Packing::Xz},
                             {"BZh"sv, Packing::Bzip2},
                             {"\x28\xb5\x2f\xfd"sv, Packing::Zstd}};

// What comes out is collected here.
class Collected {
 public:
  Collected(const Bytes& packed, uint64_t limit, const char* too_large) : packed_(packed), limit_(limit), too_large_(too_large) {}
  Result<void> add(const char* bytes, size_t count) {
    if (count > limit_ - content_.size()) return fail(ErrorCode::Data, "unpacks to more than " + formatBytes(limit_), packed_.name(), too_large_);
    content_.append(bytes, count);
    return {};
  }
  std::string take() { return std::move(content_); }

 private:
  const Bytes& packed_;
  uint64_t limit_;
  const char* too_large_;
  std::string content_;
};

// zlib rather than libarchive, which does not look at the checksum of a .gz.
class Gunzip {
 public:
  Gunzip(const Bytes& packed, Collected& out) : packed_(packed), out_(out) { ready_ = inflateInit2(&stream_, kGzip) == Z_OK; }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip() {
    if (ready_) inflateEnd(&stream_);
  }

  Result<void> run() {
    if (!ready_) return fail(ErrorCode::OutOfMemory, "there is no memory to unpack it", packed_.name(), "close other programs");
    std::string piece(kPiece, '\0'), unpacked(kPiece, '\0');
    bool inside = true;
    for (uint64_t at = 0; at < packed_.size();) {
      piece.resize(static_cast<size_t>(std::min<uint64_t>(kPiece, packed_.size() - at)));
      TRAINYARD_CHECK(packed_.read(at, piece.data(), piece.size()));
      at += piece.size();
      stream_.next_in = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_in = static_cast<uInt>(piece.size());
      TRAINYARD_CHECK(drain(unpacked, inside));
    }
    if (inside) return fail(ErrorCode::Data, "is cut short: the packed data has no end", packed_.name(), kHint);
    return {};
  }

 private:
  static constexpr int kGzip = 15 + 16;

  // One piece. `inside`: a member has begun and not ended. Members follow each other; zeros may pad the end.
  Result<void> drain(std::string& unpacked, bool& inside) {
    while (true) {
      if (!inside) {
        while (stream_.avail_in > 0 && *stream_.next_in == 0) ++stream_.next_in, --stream_.avail_in;
        if (stream_.avail_in == 0) return {};
        inflateReset(&stream_);
        inside = true;
      }
      stream_.next_out = reinterpret_cast<Bytef*>(unpacked.data());
      stream_.avail_out = static_cast<uInt>(unpacked.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      TRAINYARD_CHECK(out_.add(unpacked.data(), unpacked.size() - stream_.avail_out));
      if (status == Z_STREAM_END) {
        inside = false;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        const std::string reason = stream_.msg != nullptr ? stream_.msg : "the packed data is damaged";
        return fail(ErrorCode::Data, "cannot be unpacked: " + reason, packed_.name(), kHint);
      } else if (stream_.avail_out > 0 && stream_.avail_in == 0) {
        return {};
      }
    }
  }

  const Bytes& packed_;
  Collected& out_;
  z_stream stream_{};
  bool ready_ = false;
};

struct FreeArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

struct Feed {
  const Bytes* packed;
  uint64_t at = 0;
  std::string piece;
  Error error;
};

la_ssize_t feedPiece(archive* reader, void* opaque, const void** buffer) {
  Feed& feed = *static_cast<Feed*>(opaque);
  feed.piece.resize(static_cast<size_t>(std::min<uint64_t>(kPiece, feed.packed->size() - feed.at)));
  if (auto read = feed.packed->read(feed.at, feed.piece.data(), feed.piece.size()); !read) {
    feed.error = std::move(read).error();
    archive_set_error(reader, EIO, "%s", feed.error.what.c_str());
    return -1;
  }
  feed.at += feed.piece.size();
  *buffer = feed.piece.data();
  return static_cast<la_ssize_t>(feed.piece.size());
}

// xz, bzip2 and zstd, whose libraries check their own sums.
Result<void> unpackByLibarchive(const Bytes& packed, Packing packing, Collected& out) {
  const std::unique_ptr<archive, FreeArchive> reader(archive_read_new());
  if (packing == Packing::Xz) archive_read_support_filter_xz(reader.get());
  if (packing == Packing::Bzip2) archive_read_support_filter_bzip2(reader.get());
  if (packing == Packing::Zstd) archive_read_support_filter_zstd(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  const auto failure = [&] {
    const char* reason = archive_error_string(reader.get());
    return fail(ErrorCode::Data, std::string("cannot be unpacked: ") + (reason != nullptr ? reason : "unknown reason"), packed.name(), kHint);
  };
  Feed feed{&packed, 0, {}, {}};
  if (archive_read_open(reader.get(), &feed, nullptr, feedPiece, nullptr) != ARCHIVE_OK) return failure();
  archive_entry* entry = nullptr;
  const int header = archive_read_next_header(reader.get(), &entry);
  if (header == ARCHIVE_EOF) return {};
  if (header != ARCHIVE_OK) return failure();
  std::string piece(kPiece, '\0');
  while (true) {
    const la_ssize_t count = archive_read_data(reader.get(), piece.data(), piece.size());
    if (count < 0) return failure();
    if (count == 0) return {};
    TRAINYARD_CHECK(out.add(piece.data(), static_cast<size_t>(count)));
  }
}

}  // namespace

Result<Packing> packingOf(const Bytes& bytes) {
  TRAINYARD_TRY(const std::string start, bytes.read(0, std::min<uint64_t>(bytes.size(), 6)));
  for (const Magic& magic : kMagics) {
    if (start.starts_with(magic.start)) return magic.packing;
  }
  return Packing::None;
}

Result<std::string> unpack(const Bytes& packed, uint64_t limit, const char* too_large) {
  TRAINYARD_TRY(const Packing packing, packingOf(packed));
  Collected out(packed, limit, too_large);
  if (packing == Packing::None) return fail(ErrorCode::Data, "is not a packed file, whatever its name says", packed.name(), kHint);
  if (packing == Packing::Gzip) {
    TRAINYARD_CHECK(Gunzip(packed, out).run());
  } else {
    TRAINYARD_CHECK(unpackByLibarchive(packed, packing, out));
  }
  return out.take();
}

Result<std::string> readPlainOrGz(const fs::path& file) {
  if (file.extension() != ".gz") return readFile(file);
  TRAINYARD_TRY(const auto packed, OpenFile::open(file));
  TRAINYARD_TRY(const Packing packing, packingOf(*packed));
  if (packing != Packing::Gzip) return fail(ErrorCode::Data, "is not a gzip file, whatever its name says", displayPath(file), kHint);
  return unpack(*packed, std::min(kLargestGz, 2 * halfOfFreeMemory()), "it cannot be a data file of this kind");
}

fs::path plainOrGz(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) return file;
  fs::path packed = file;
  packed += ".gz";
  return fs::is_regular_file(packed, ignored) ? packed : fs::path();
}

uint64_t halfOfFreeMemory() {
  constexpr uint64_t kUnknown = uint64_t{2} << 30;
  std::ifstream info("/proc/meminfo");
  for (std::string key; info >> key;) {
    uint64_t kibibytes = 0;
    if (key == "MemAvailable:" && info >> kibibytes) return kibibytes * 512;
  }
  return kUnknown / 2;
}

}  // namespace trainyard::data
