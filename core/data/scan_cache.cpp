#include "core/data/scan_cache.h"

#include <cstdio>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace trainyard::data {

namespace {

constexpr uint64_t kVersion = 2;
constexpr std::array<char, 8> kMagic = {'T', 'Y', 's', 'c', 'a', 'n', 's', '\n'};

// The file: this, `records` records, the texts as JSON, XXH3 of everything before.
struct Header {
  std::array<char, 8> magic = kMagic;
  uint64_t version = kVersion, record_bytes = 0, settings = 0, records = 0, text_bytes = 0;
};

uint64_t hashOf(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T valueAt(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(static_cast<void*>(&value), bytes.data() + at, sizeof value);
  return value;
}

fs::path fileFor(const recipe::Data& data, const fs::path& folder) {
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(data.path, ignored);
  std::array<char, 24> name{};
  std::snprintf(name.data(), name.size(), "%016llx.bin", static_cast<unsigned long long>(hashOf(data.format.id + '\n' + whole.string())));
  return (folder.empty() ? dataHome() / "scans" : folder) / name.data();
}

// Pictures decoded otherwise have other statistics, and may be refused where they were not.
uint64_t settingsOf(const recipe::Data& data) {
  const Json settings = {data.channels, data.background, data.max_megapixels};
  return hashOf(compactJson(settings));
}

}  // namespace

std::string keptAs(const Dataset& dataset, uint64_t sample) {
  const fs::path file = dataset.file(sample);
  return file.empty() ? dataset.name(sample) : file.string();
}

ScanCache ScanCache::open(const recipe::Data& data, const fs::path& folder) {
  ScanCache cache;
  cache.file_ = fileFor(data, folder);
  cache.settings_ = settingsOf(data);
  if (const auto bytes = readFile(cache.file_)) cache.read(*bytes);
  return cache;
}

void ScanCache::read(const std::string& bytes) {
  static_assert(std::is_trivially_copyable_v<Record>);
  if (bytes.size() < sizeof(Header) + sizeof(uint64_t)) return;
  const auto header = valueAt<Header>(bytes, 0);
  const size_t body = bytes.size() - sizeof(Header) - sizeof(uint64_t);
  if (header.magic != kMagic || header.version != kVersion || header.record_bytes != sizeof(Record) || header.settings != settings_) return;
  if (header.records > body / sizeof(Record) || header.text_bytes != body - header.records * sizeof(Record)) return;
  const std::string_view checked(bytes.data(), bytes.size() - sizeof(uint64_t));
  if (hashOf(checked) != valueAt<uint64_t>(bytes, checked.size())) return;
  found_.reserve(header.records);
  for (uint64_t i = 0; i < header.records; ++i) {
    const auto record = valueAt<Record>(bytes, sizeof(Header) + i * sizeof(Record));
    found_.emplace(record.key, Kept{record, 0});
  }
  const Json texts = Json::parse(checked.substr(checked.size() - header.text_bytes), nullptr, false);
  for (const auto& text : texts) {
    texts_.emplace_back(text.at(1).get<std::string>(), text.at(2).get<std::string>());
    const size_t at = sizeof(Header) + text.at(0).get<uint64_t>() * sizeof(Record);
    found_[valueAt<Record>(bytes, at).key].text = static_cast<uint32_t>(texts_.size());
  }
}

ScanCache::Key ScanCache::keyOf(const std::string& name) {
  const XXH128_hash_t hash = XXH3_128bits(name.data(), name.size());
  return {hash.low64, hash.high64};
}

std::optional<ScanCache::Entry> ScanCache::find(const std::string& name, const Dataset::Stamp& stamp) const {
  const auto kept = found_.find(keyOf(name));
  if (kept == found_.end() || kept->second.record.stamp != stamp) return {};
  Entry entry{kept->second.record.look, {}, {}};
  if (kept->second.text > 0) std::tie(entry.what, entry.hint) = texts_[kept->second.text - 1];
  return entry;
}

void ScanCache::add(const std::string& name, const Dataset::Stamp& stamp, Entry entry) {
  Kept kept{{keyOf(name), stamp, entry.look}, 0};
  if (!entry.what.empty()) {
    texts_.emplace_back(std::move(entry.what), std::move(entry.hint));
    kept.text = static_cast<uint32_t>(texts_.size());
  }
  added_[kept.record.key] = kept;
}

Result<void> ScanCache::save() const {
  Header header;
  header.record_bytes = sizeof(Record);
  header.settings = settings_;
  std::string records;
  Json texts = Json::array();
  const auto keep = [&](const Kept& kept) {
    if (kept.text > 0) texts.push_back({header.records, texts_[kept.text - 1].first, texts_[kept.text - 1].second});
    append(records, kept.record);
    ++header.records;
  };
  for (const auto& [key, kept] : added_) keep(kept);
  size_t others = added_.size();
  for (const auto& [key, kept] : found_) {
    if (others == 0) break;
    if (added_.contains(key)) continue;
    keep(kept);
    --others;
  }
  const std::string text = compactJson(texts);
  header.text_bytes = text.size();
  std::string bytes;
  bytes.reserve(sizeof header + records.size() + text.size() + sizeof(uint64_t));
  append(bytes, header);
  bytes += records;
  bytes += text;
  append(bytes, hashOf(bytes));
  TRAINYARD_CHECK(makeFolder(file_.parent_path()));
  return replaceFile(file_, bytes);
}

}  // namespace trainyard::data
