#include "core/data/tar_index.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/base/units.h"

namespace trainyard::data {

namespace {

using namespace std::string_view_literals;

constexpr uint64_t kBlock = 512;
constexpr uint64_t kLongestExtension = 1 << 20;  // of a long name or a pax header
constexpr int kLongestLinkChain = 16;
constexpr char kHint[] = "download or copy it again, or pack it anew";

// Field positions of a ustar header.
struct Field {
  size_t at, size;
};
constexpr Field kName{0, 100}, kSize{124, 12}, kChecksum{148, 8}, kLink{157, 100}, kMagic{257, 6}, kPrefix{345, 155};
constexpr size_t kType = 156;

std::string_view raw(std::string_view header, Field field) { return header.substr(field.at, field.size); }

std::string_view text(std::string_view header, Field field) {
  const std::string_view bytes = raw(header, field);
  return bytes.substr(0, bytes.find('\0'));
}

// Octal digits between spaces and NULs, or, with the highest bit set, a big-endian number.
std::optional<uint64_t> number(std::string_view field) {
  uint64_t value = 0;
  if ((static_cast<unsigned char>(field[0]) & 0x80) != 0) {
    if (static_cast<unsigned char>(field[0]) != 0x80) return std::nullopt;  // negative, or far too large
    for (const char c : field.substr(1)) {
      if (value >> 55 != 0) return std::nullopt;
      value = value << 8 | static_cast<unsigned char>(c);
    }
    return value;
  }
  const size_t first = std::min(field.find_first_not_of(' '), field.size());
  field.remove_prefix(first);
  for (size_t i = 0; i < field.size() && field[i] != '\0' && field[i] != ' '; ++i) {
    if (field[i] < '0' || field[i] > '7') return std::nullopt;
    value = value << 3 | static_cast<uint64_t>(field[i] - '0');
  }
  return value;
}

bool checksumFits(std::string_view header) {
  const auto stored = number(raw(header, kChecksum));
  uint64_t plain = 0;
  int64_t with_sign = 0;  // some old programs summed signed bytes
  for (size_t i = 0; i < kBlock; ++i) {
    const char c = i >= kChecksum.at && i < kChecksum.at + kChecksum.size ? ' ' : header[i];
    plain += static_cast<unsigned char>(c);
    with_sign += static_cast<signed char>(c);
  }
  return stored && (*stored == plain || static_cast<int64_t>(*stored) == with_sign);
}

struct Link {
  std::string name, target;
  bool hard = false;
};

class Walker {
 public:
  Walker(const Bytes& bytes, uint64_t limit) : bytes_(bytes), window_(bytes), limit_(limit) {}

  Result<TarIndex> walk() {
    while (true) {
      if (bytes_.size() == 0) return refuse("is empty, not a tar file", 0);
      if (at_ == bytes_.size()) return refuse("is cut short: it ends without an end mark", at_);
      if (bytes_.size() - at_ < kBlock) return refuse("is cut short in the middle of a header", at_);
      TRAINYARD_TRY(const std::string_view header, window_.at(at_, kBlock));
      if (std::all_of(header.begin(), header.end(), [](char c) { return c == '\0'; })) break;
      TRAINYARD_CHECK(entry(std::string(header)));
      if (index_.files.size() + index_.folders.size() + links_.size() >= limit_) break;
    }
    resolveLinks();
    return std::move(index_);
  }

 private:
  tl::unexpected<Error> refuse(const std::string& what, uint64_t offset) const {
    return fail(ErrorCode::Data, what + " (byte " + formatCount(offset) + ")", bytes_.name(), kHint);
  }

  // One header and whatever it announces.
  Result<void> entry(const std::string& header) {
    const uint64_t start = at_;
    if (!checksumFits(header))
      return refuse(start == 0 ? "is not a tar file, or damaged: the first header's checksum is wrong" : "is damaged: a header's checksum is wrong", start);
    const auto header_size = number(raw(header, kSize));
    if (!header_size) return refuse("is damaged: the size of an entry is no number", start);
    at_ += kBlock;
    const char type = header[kType];
    if (type == 'L' || type == 'K' || type == 'x' || type == 'g') return extension(type, *header_size, start);
    const uint64_t size = pax_size_.value_or(*header_size);
    const std::string stored = !long_name_.empty() ? long_name_ : headerName(header);
    const std::string target = !long_link_.empty() ? long_link_ : std::string(text(header, kLink));
    const bool sparse = sparse_ || type == 'S';
    long_name_.clear(), long_link_.clear(), pax_size_.reset(), sparse_ = false;
    if (sparse) return refuse("holds " + stored + " as a sparse file, which is not read", start);
    if (type == 'M') return refuse("is the second volume of an archive, which is not read", start);
    const auto name = cleanEntryName(stored);
    if (!name) return refuse("holds an entry whose path leaves the archive: \"" + stored + "\"", start);
    return place(type, *name, target, stored.ends_with('/'), size, start);
  }

  Result<void> place(char type, const std::string& name, const std::string& target, bool folder_name, uint64_t size, uint64_t start) {
    // Links, devices and folders have no content, whatever their size says.
    const bool device = type == '3' || type == '4' || type == '6', link = type == '1' || type == '2';
    if (link) links_.push_back({name, target, type == '1'});
    if (type == '5' && !name.empty()) index_.folders.push_back(name);
    if (link || device || type == '5') return {};
    if (size > bytes_.size() - at_) {
      return refuse("is cut short: " + name + " should have " + formatCount(size) + " bytes, but only " + formatCount(bytes_.size() - at_) + " are left",
                    start);
    }
    const bool folder = type == 'D' || (folder_name && (type == '0' || type == '\0'));
    const bool label = type == 'V';
    if (folder) {
      if (!name.empty()) index_.folders.push_back(name);
    } else if (!label && !name.empty()) {
      const auto [found, fresh] = by_name_.emplace(name, index_.files.size());
      if (!fresh) {
        return refuse(
            "holds " + name + " twice, with contents from byte " + formatCount(index_.files[found->second].offset) + " and from byte " + formatCount(at_),
            start);
      }
      index_.files.push_back({name, at_, size});
    }
    return skip(size, start);
  }

  // Contents are padded to whole blocks.
  Result<void> skip(uint64_t size, uint64_t start) {
    const uint64_t padded = size + (kBlock - size % kBlock) % kBlock;
    if (padded > bytes_.size() - at_) return refuse("is cut short behind the last entry", start);
    at_ += padded;
    return {};
  }

  static std::string headerName(std::string_view header) {
    std::string name(text(header, kName));
    const std::string_view prefix = raw(header, kMagic) == "ustar\0"sv ? text(header, kPrefix) : std::string_view();
    return prefix.empty() ? name : std::string(prefix) + "/" + name;
  }

  // What describes the entry behind it.
  Result<void> extension(char type, uint64_t size, uint64_t start) {
    if (size > kLongestExtension) return refuse("is damaged: a header of " + formatCount(size) + " bytes", start);
    if (size > bytes_.size() - at_) return refuse("is cut short in a long header", start);
    TRAINYARD_TRY(const std::string content, bytes_.read(at_, size));
    TRAINYARD_CHECK(skip(size, start));
    const std::string first(content.substr(0, content.find('\0')));
    if (type == 'L') long_name_ = first;
    if (type == 'K') long_link_ = first;
    if (type == 'x') return pax(content, start);
    return {};
  }

  // Records "<length> <key>=<value>\n".
  Result<void> pax(std::string_view records, uint64_t start) {
    while (!records.empty()) {
      size_t length = 0, at = 0;
      while (at < records.size() && at < 8 && records[at] >= '0' && records[at] <= '9') length = length * 10 + static_cast<size_t>(records[at++] - '0');
      if (at == 0 || at >= records.size() || records[at] != ' ' || length < at + 3 || length > records.size() || records[length - 1] != '\n')
        return refuse("is damaged: a pax header makes no sense", start);
      const std::string_view record = records.substr(at + 1, length - at - 2);
      const size_t equals = record.find('=');
      if (equals == std::string_view::npos) return refuse("is damaged: a pax header makes no sense", start);
      const std::string_view key = record.substr(0, equals), value = record.substr(equals + 1);
      if (key == "path") long_name_ = value;
      if (key == "linkpath") long_link_ = value;
      if (key == "size") {
        if (value.empty() || value.size() > 18 || !std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; }))
          return refuse("is damaged: the size of an entry is no number", start);
        pax_size_ = std::stoull(std::string(value));
      }
      sparse_ |= key.starts_with("GNU.sparse.");
      records.remove_prefix(length);
    }
    return {};
  }

  void resolveLinks() {
    std::unordered_map<std::string, std::string> targets;
    for (const Link& link : links_) {
      const fs::path from = link.hard ? fs::path() : fs::path(link.name).parent_path();
      const std::string target = (from / link.target).lexically_normal().string();
      if (!link.name.empty()) targets.emplace(link.name, target);
    }
    for (const Link& link : links_) {
      std::string name = link.name;
      for (int i = 0; i < kLongestLinkChain && targets.contains(name); ++i) name = targets[name];
      const auto found = by_name_.find(name);
      if (found == by_name_.end() || by_name_.contains(link.name)) {
        ++index_.links_ignored;
        continue;
      }
      const TarEntry& original = index_.files[found->second];
      index_.files.push_back({link.name, original.offset, original.size});
      by_name_.emplace(link.name, index_.files.size() - 1);
    }
  }

  const Bytes& bytes_;
  Window window_;
  uint64_t limit_;
  uint64_t at_ = 0;
  TarIndex index_;
  std::unordered_map<std::string, size_t> by_name_;
  std::vector<Link> links_;
  // From extension headers, for the next entry.
  std::string long_name_, long_link_;
  std::optional<uint64_t> pax_size_;
  bool sparse_ = false;
};

}  // namespace

Result<TarIndex> indexTar(const Bytes& bytes, uint64_t limit) { return Walker(bytes, limit).walk(); }

std::optional<std::string> cleanEntryName(std::string_view name) {
  if (name.starts_with('/') || name.find('\0') != std::string_view::npos) return std::nullopt;
  std::string clean;
  while (!name.empty()) {
    const size_t slash = std::min(name.find('/'), name.size());
    const std::string_view part = name.substr(0, slash);
    if (part == "..") return std::nullopt;
    if (!part.empty() && part != ".") clean += (clean.empty() ? "" : "/") + std::string(part);
    name.remove_prefix(std::min(slash + 1, name.size()));
  }
  return clean;
}

}  // namespace trainyard::data
