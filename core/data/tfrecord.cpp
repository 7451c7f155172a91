// TFRecord: shards of framed tf.Example messages with an encoded picture and a class label each. A record is its length (8 bytes, little-endian), the
// masked CRC-32C of those, the data, and the masked CRC-32C of the data.
#include <algorithm>
#include <map>

#include "core/base/units.h"
#include "core/data/crc32c.h"
#include "core/data/formats.h"
#include "core/data/packed_file.h"
#include "core/data/packed_pictures.h"
#include "core/data/tf_example.h"

namespace trainyard::data {

namespace {

constexpr uint64_t kHead = 12, kFoot = 4;
constexpr char kCopyAgain[] = "download or copy it again";

uint64_t littleEndian(std::string_view bytes, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  return value;
}

struct Record {
  uint64_t offset = 0, size = 0;  // of its data
  int64_t label = 0;
};

struct IndexedShard {
  std::unique_ptr<Container> container;
  std::vector<Record> records;
  std::map<int64_t, std::string> texts;  // label → name
};

// Takes the picture out of a record and checks the record's checksum, which costs nothing beside decoding.
class RecordFile : public Container {
 public:
  RecordFile(const Shard& shard, const OpenFile& seen, std::string image_key)
      : file_(shard.path, seen), modified_ns_(seen.modifiedNs()), image_key_(std::move(image_key)) {}
  int64_t modifiedNs() const override { return modified_ns_; }

  Result<std::string> take(uint64_t at, uint64_t size) const override {
    TRAINYARD_TRY(const std::string bytes, static_cast<const Bytes&>(file_).read(at, size + kFoot));
    const std::string_view record = std::string_view(bytes).substr(0, size);
    if (maskedCrc32c(record) != littleEndian(bytes, size, kFoot))
      return fail(ErrorCode::Data, "is damaged: the checksum of the record at byte " + formatCount(at) + " is wrong", file_.name(), kCopyAgain);
    TRAINYARD_TRY(const std::string_view picture, pictureOfExample(record, image_key_, file_.name()));
    return std::string(picture);
  }

 private:
  WatchedFile file_;
  int64_t modified_ns_;
  std::string image_key_;
};

class ShardReader {
 public:
  ShardReader(const Shard& shard, const ExampleKeys& keys) : shard_(shard), keys_(keys) {}

  Result<IndexedShard> read() {
    TRAINYARD_TRY(const auto file, OpenFile::open(shard_.path));
    TRAINYARD_TRY(const Packing packing, packingOf(*file));
    Window window(*file);
    for (uint64_t at = 0; at < file->size();) {
      if (packing != Packing::None && at == 0 && !headFits(window))
        return fail(ErrorCode::Data, "is compressed, which cannot be read in place", file->name(), "unpack it");
      TRAINYARD_TRY(const uint64_t size, dataSize(*file, window, at));
      at += kHead;
      TRAINYARD_CHECK(note(*file, window, at, size));
      at += size + kFoot;
    }
    indexed_.container = std::make_unique<RecordFile>(shard_, *file, keys_.image);
    return std::move(indexed_);
  }

 private:
  static bool headFits(Window& window) {
    const auto head = window.at(0, kHead);
    return head && maskedCrc32c(head->substr(0, 8)) == littleEndian(*head, 8, 4);
  }

  tl::unexpected<Error> refuse(const std::string& what, const std::string& hint) const {
    return fail(ErrorCode::Data, "record " + formatCount(indexed_.records.size()) + " " + what, displayPath(shard_.path), hint);
  }

  // Of the record that begins at `at`.
  Result<uint64_t> dataSize(const OpenFile& file, Window& window, uint64_t at) const {
    const std::string place = " (byte " + formatCount(at) + ")";
    if (file.size() - at < kHead + kFoot) return refuse("is cut short: " + formatCount(file.size() - at) + " bytes are left" + place, kCopyAgain);
    TRAINYARD_TRY(const std::string_view head, window.at(at, kHead));
    if (maskedCrc32c(head.substr(0, 8)) != littleEndian(head, 8, 4)) {
      if (at == 0) return fail(ErrorCode::Data, "is not a TFRecord file, or damaged: the first checksum is wrong", displayPath(shard_.path), kCopyAgain);
      return refuse("is damaged: the checksum of its length is wrong" + place, kCopyAgain);
    }
    const uint64_t size = littleEndian(head, 0, 8), left = file.size() - at - kHead - kFoot;
    if (size > left)
      return refuse("is cut short: it should have " + formatCount(size) + " bytes, but only " + formatCount(left) + " are left" + place, kCopyAgain);
    return size;
  }

  Result<void> note(const OpenFile& file, Window& window, uint64_t at, uint64_t size) {
    auto example = peekExample(file, window, at, size, keys_);
    if (!example) return refuse(example.error().what, example.error().hint);
    constexpr char kKeys[] = "choose the keys that this data has with image_key and label_key";
    if (!example->has_image) return refuse("has no picture under \"" + keys_.image + "\"", kKeys);
    if (!example->label) return refuse("has no label under \"" + keys_.label + "\"", kKeys);
    const int64_t label = *example->label;
    if (label < 0) return refuse("has the label " + std::to_string(label), "labels are class numbers, counted from 0 or 1");
    if (!example->text.empty()) {
      const std::string& known = indexed_.texts.emplace(label, example->text).first->second;
      if (known != example->text)
        return refuse("calls the class " + std::to_string(label) + " \"" + example->text + "\", an earlier one \"" + known + "\"", "write the records anew");
    }
    indexed_.records.push_back({at, size, label});
    return {};
  }

  const Shard& shard_;
  const ExampleKeys& keys_;
  IndexedShard indexed_;
};

struct Range {
  int64_t lowest = INT64_MAX, highest = 0;
  std::string highest_at;
};

Result<std::map<int64_t, std::string>> joinTexts(const std::vector<Shard>& shards, const std::vector<IndexedShard>& indexed) {
  std::map<int64_t, std::string> texts;
  for (size_t i = 0; i < shards.size(); ++i) {
    for (const auto& [label, text] : indexed[i].texts) {
      const std::string& known = texts.emplace(label, text).first->second;
      if (known != text)
        return fail(ErrorCode::Data, "calls the class " + std::to_string(label) + " \"" + text + "\", an earlier shard \"" + known + "\"",
                    displayPath(shards[i].path), "write the records anew");
    }
  }
  return texts;
}

}  // namespace

Result<std::unique_ptr<Dataset>> openTfRecord(const recipe::Data& data) {
  TRAINYARD_TRY(const auto shards, findShards(data, looksLikeTfRecord, "TFRecord files", "they are called like flowers.tfrecord or train-00000-of-00100"));
  ExampleKeys keys;
  keys.image = data.format.params.value("image_key", keys.image);
  keys.label = data.format.params.value("label_key", keys.label);
  keys.text = data.format.params.value("text_key", keys.text);
  std::vector<IndexedShard> indexed(shards.size());
  TRAINYARD_CHECK(forEachShard(shards.size(), [&](size_t i) -> Result<void> {
    TRAINYARD_TRY(indexed[i], ShardReader(shards[i], keys).read());
    return {};
  }));
  Range range;
  size_t count = 0;
  for (size_t i = 0; i < shards.size(); ++i) {
    for (size_t r = 0; r < indexed[i].records.size(); ++r, ++count) {
      const int64_t label = indexed[i].records[r].label;
      range.lowest = std::min(range.lowest, label);
      if (label >= range.highest) range.highest = label, range.highest_at = shards[i].name + " record " + std::to_string(r);
    }
  }
  if (count == 0) return fail(ErrorCode::Data, "there is no record in the TFRecord files", displayPath(data.path), kCopyAgain);
  TRAINYARD_TRY(const auto texts, joinTexts(shards, indexed));
  TRAINYARD_TRY(NumberedClasses numbered, classesFromNumbers(data, range.lowest, range.highest, range.highest_at, texts));
  auto pictures = std::make_unique<PackedPictures>(folderOfShards(data), decodeOptions(data));
  std::vector<PackedPictures::Sample> samples;
  samples.reserve(count);
  for (size_t i = 0; i < shards.size(); ++i) {
    for (size_t r = 0; r < indexed[i].records.size(); ++r) {
      const Record& record = indexed[i].records[r];
      samples.push_back({shards[i].name + " " + std::to_string(r), record.offset, record.size, static_cast<uint32_t>(i),
                         static_cast<int>(record.label) - numbered.first, shards[i].part});
    }
    pictures->add(std::move(indexed[i].container));
  }
  pictures->set(std::move(samples), std::move(numbered.classes));
  return pictures;
}

bool looksLikeTfRecord(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.find(".tfrecord") != std::string::npos || name.find(".tfrec") != std::string::npos || path.extension() == ".record") return true;
  const size_t of = name.rfind("-of-");
  const auto digit = [&](size_t at) { return at < name.size() && name[at] >= '0' && name[at] <= '9'; };
  return of != std::string::npos && of > 0 && path.extension().empty() && digit(of - 1) && digit(of + 4);
}

}  // namespace trainyard::data
