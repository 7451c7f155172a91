// WebDataset: tar shards with <stem>.jpg and <stem>.cls or <stem>.json side by side.
#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>
#include <variant>

#include "core/base/units.h"
#include "core/data/formats.h"
#include "core/data/packed_file.h"
#include "core/data/packed_pictures.h"
#include "core/data/tar_index.h"

namespace trainyard::data {

namespace {

constexpr uint64_t kLongestLabel = 16 << 20;  // bytes of a .cls or .json file
constexpr char kPackAnew[] = "pack the shards anew, with one picture and one label per sample";

using Label = std::variant<int64_t, std::string>;

// What a shard holds under one stem; indices into TarIndex::files.
struct Found {
  std::string stem;
  std::optional<size_t> picture, cls, json;
};

struct Labelled {
  TarEntry picture;
  std::string stem;
  Label label;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return text;
}

// The stem ends at the first dot of the file's name, as WebDataset has it.
std::pair<std::string, std::string> stemAndKind(const std::string& name) {
  const size_t slash = name.rfind('/');
  const size_t dot = name.find('.', slash == std::string::npos ? 0 : slash + 1);
  return {name.substr(0, dot), dot == std::string::npos ? "" : lower(name.substr(dot))};
}

// One shard, from names to labels.
class ShardReader {
 public:
  ShardReader(const Bytes& bytes, std::string label_key) : bytes_(bytes), labels_(bytes), label_key_(std::move(label_key)) {}

  Result<std::vector<Labelled>> read(TarIndex index) {
    TRAINYARD_TRY(const auto samples, group(index));
    std::vector<Labelled> labelled;
    for (const Found& found : samples) {
      if (!found.picture) continue;  // text or sound alone
      if (!found.cls && !found.json) return refuse(found.stem, "has no label: there is neither " + found.stem + ".cls nor " + found.stem + ".json", kPackAnew);
      const TarEntry& entry = index.files[found.cls ? *found.cls : *found.json];
      if (entry.size > kLongestLabel) return refuse(found.stem, "has a label file of " + formatBytes(entry.size), kPackAnew);
      TRAINYARD_TRY(const std::string text, labelText(entry));
      TRAINYARD_TRY(Label label, found.cls ? fromNumber(text, found.stem) : fromJson(text, found.stem));
      labelled.push_back({std::move(index.files[*found.picture]), found.stem, std::move(label)});
    }
    return labelled;
  }

 private:
  tl::unexpected<Error> refuse(const std::string& stem, const std::string& what, const std::string& hint) const {
    return fail(ErrorCode::Data, "the sample " + stem + " " + what, bytes_.name(), hint);
  }

  Result<std::vector<Found>> group(const TarIndex& index) const {
    std::vector<Found> samples;
    std::unordered_map<std::string, size_t> by_stem;
    for (size_t i = 0; i < index.files.size(); ++i) {
      const std::string& name = index.files[i].name;
      const auto [stem, kind] = stemAndKind(name);
      const bool picture = looksLikeImage("x" + kind) && kind.rfind('.') == 0;
      if ((!picture && kind != ".cls" && kind != ".json") || isHiddenName(fs::path(name).filename().string())) continue;
      const auto [at, fresh] = by_stem.emplace(stem, samples.size());
      if (fresh) samples.push_back({stem, {}, {}, {}});
      Found& found = samples[at->second];
      auto& slot = picture ? found.picture : kind == ".cls" ? found.cls : found.json;
      if (slot) return refuse(stem, "has two of a kind: " + index.files[*slot].name + " and " + name, kPackAnew);
      slot = i;
    }
    return samples;
  }

  // Labels are short and stand close together.
  Result<std::string> labelText(const TarEntry& entry) {
    if (entry.size > Window::kLargest) return bytes_.read(entry.offset, entry.size);
    TRAINYARD_TRY(const std::string_view text, labels_.at(entry.offset, static_cast<size_t>(entry.size)));
    return std::string(text);
  }

  Result<Label> fromNumber(std::string_view text, const std::string& stem) const {
    const std::string_view all = text;
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
      return refuse(stem, "has the label \"" + std::string(all.substr(0, 40)) + "\", which is no whole number",
                    "a .cls file holds the number of the class, from 0");
    return checked(value, stem);
  }

  Result<Label> checked(int64_t value, const std::string& stem) const {
    if (value < 0) return refuse(stem, "has the label " + std::to_string(value), "labels are class numbers, counted from 0");
    return Label(value);
  }

  Result<Label> fromJson(const std::string& text, const std::string& stem) const {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) return refuse(stem, "has a .json file that is no JSON object", kPackAnew);
    for (const std::string& key : label_key_.empty() ? std::vector<std::string>{"label", "cls"} : std::vector<std::string>{label_key_}) {
      const auto found = json.find(key);
      if (found == json.end()) continue;
      if (found->is_number_integer())
        return checked(found->is_number_unsigned() && found->get<uint64_t>() > INT64_MAX ? INT64_MAX : found->get<int64_t>(), stem);
      if (found->is_string() && !found->get_ref<const std::string&>().empty()) return Label(found->get<std::string>());
      return refuse(stem, "has the label " + compactJson(*found).substr(0, 40) + " under \"" + key + "\"", "a label is a whole number or a name");
    }
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.push_back(key);
    const std::string wanted = label_key_.empty() ? "label" : label_key_;
    const std::string near = nearestWord(wanted, keys);
    return refuse(stem, "has no \"" + wanted + "\" in its .json file",
                  near.empty() ? "name the key that holds the label with data.label_key" : "did you mean data.label_key = \"" + near + "\"?");
  }

  const Bytes& bytes_;
  Window labels_;
  std::string label_key_;
};

struct IndexedShard {
  std::unique_ptr<Container> container;
  std::vector<Labelled> samples;
};

Result<IndexedShard> readShard(const Shard& shard, const std::string& label_key) {
  TRAINYARD_TRY(const auto file, OpenFile::open(shard.path));
  TRAINYARD_TRY(const Packing packing, packingOf(*file));
  if (packing != Packing::None) return fail(ErrorCode::Data, "is a packed archive, which cannot be read in place", file->name(), "unpack it to a plain .tar");
  TRAINYARD_TRY(TarIndex index, indexTar(*file));
  IndexedShard indexed;
  TRAINYARD_TRY(indexed.samples, ShardReader(*file, label_key).read(std::move(index)));
  indexed.container = std::make_unique<BytesContainer>(std::make_shared<WatchedFile>(shard.path, *file), file->modifiedNs());
  return indexed;
}

bool isTar(const fs::path& path) { return lower(path.extension().string()) == ".tar"; }

// Labels of all shards to class indices.
class Labels {
 public:
  Result<void> see(const Label& label, const std::string& at) {
    if (const auto* number = std::get_if<int64_t>(&label)) {
      if (number_at_.empty() || *number > highest_) highest_ = *number, number_at_ = at;
      lowest_ = std::min(lowest_, *number);
    } else {
      names_.insert(std::get<std::string>(label));
      name_at_ = at;
    }
    if (number_at_.empty() || name_at_.empty()) return {};
    return fail(ErrorCode::Data, "has a number for a label, and " + name_at_ + " a name", number_at_, "labels are either all numbers or all names");
  }

  Result<NumberedClasses> classes(const recipe::Data& data) const {
    if (names_.empty()) return classesFromNumbers(data, lowest_, highest_, number_at_, {});
    return NumberedClasses{{names_.begin(), names_.end()}, 0};
  }

  int indexOf(const Label& label, const NumberedClasses& numbered) const {
    if (const auto* number = std::get_if<int64_t>(&label)) return static_cast<int>(*number) - numbered.first;
    return static_cast<int>(std::lower_bound(numbered.classes.begin(), numbered.classes.end(), std::get<std::string>(label)) - numbered.classes.begin());
  }

 private:
  std::set<std::string> names_;
  int64_t lowest_ = INT64_MAX, highest_ = 0;
  std::string number_at_, name_at_;  // where the highest number and a name stand
};

}  // namespace

Result<std::unique_ptr<Dataset>> openWebDataset(const recipe::Data& data) {
  TRAINYARD_TRY(const auto shards, findShards(data, isTar, "tar shards", "WebDataset's shards are called like train-000000.tar"));
  const std::string label_key = data.format.params.value("label_key", "");
  std::vector<IndexedShard> indexed(shards.size());
  TRAINYARD_CHECK(forEachShard(shards.size(), [&](size_t i) -> Result<void> {
    TRAINYARD_TRY(indexed[i], readShard(shards[i], label_key));
    return {};
  }));
  Labels labels;
  for (size_t i = 0; i < shards.size(); ++i) {
    for (const Labelled& sample : indexed[i].samples) TRAINYARD_CHECK(labels.see(sample.label, shards[i].name + "/" + sample.stem));
  }
  const bool any = std::any_of(indexed.begin(), indexed.end(), [](const IndexedShard& shard) { return !shard.samples.empty(); });
  if (!any) {
    return fail(ErrorCode::Data, "there are no pictures in the shards", displayPath(data.path),
                "samples are <stem>.jpg with <stem>.cls or <stem>.json beside it; for class folders in an archive choose the format \"tar\"");
  }
  TRAINYARD_TRY(NumberedClasses numbered, labels.classes(data));
  auto pictures = std::make_unique<PackedPictures>(folderOfShards(data), decodeOptions(data));
  std::vector<PackedPictures::Sample> samples;
  for (size_t i = 0; i < shards.size(); ++i) {
    for (Labelled& sample : indexed[i].samples) {
      samples.push_back({shards[i].name + "/" + sample.picture.name, sample.picture.offset, sample.picture.size, static_cast<uint32_t>(i),
                         labels.indexOf(sample.label, numbered), shards[i].part});
    }
    pictures->add(std::move(indexed[i].container));
  }
  pictures->set(std::move(samples), std::move(numbered.classes));
  return pictures;
}

bool looksLikeWebDataset(const fs::path& tar) {
  constexpr uint64_t kFirstLook = 64;
  const auto file = OpenFile::open(tar);
  if (!file) return false;
  const auto index = indexTar(**file, kFirstLook);
  if (!index) return false;
  std::set<std::string> labelled;
  for (const TarEntry& entry : index->files) {
    const auto [stem, kind] = stemAndKind(entry.name);
    if (kind == ".cls" || kind == ".json") labelled.insert(stem);
  }
  return std::any_of(index->files.begin(), index->files.end(), [&](const TarEntry& entry) {
    const auto [stem, kind] = stemAndKind(entry.name);
    return labelled.contains(stem) && looksLikeImage("x" + kind);
  });
}

}  // namespace trainyard::data
