#pragma once
// Inside the data room: what was seen of a dataset's files, kept on disk by name, size and time of change.
#include <optional>
#include <string>
#include <unordered_map>

#include "core/data/look.h"

namespace trainyard::data {

// What a sample's look is kept under.
std::string keptAs(const Dataset& dataset, uint64_t sample);

// One thread; find() any number while nothing is added.
class ScanCache {
 public:
  // What the folder (empty: dataHome()/scans) holds about this data. A file that is missing, damaged, of another version or made with other
  // decoding settings counts as empty.
  static ScanCache open(const recipe::Data& data, const fs::path& folder);

  struct Entry {
    Look look;
    std::string what, hint;  // of the error, where the look is not Fine
  };
  // `stamp.bytes` is not 0.
  std::optional<Entry> find(const std::string& name, const Dataset::Stamp& stamp) const;

  void add(const std::string& name, const Dataset::Stamp& stamp, Entry entry);

  // Replaces the file by what was added, and of what was found there and not added again at most as many (samples that the recipe leaves out
  // for now). Error Failed.
  Result<void> save() const;

 private:
  using Key = std::array<uint64_t, 2>;
  struct KeyHash {
    size_t operator()(const Key& key) const { return key[0]; }
  };
  struct Record {
    Key key{};
    Dataset::Stamp stamp;
    Look look;
  };
  struct Kept {
    Record record;
    uint32_t text = 0;  // index into texts_ + 1; 0: none
  };

  static Key keyOf(const std::string& name);
  void read(const std::string& bytes);

  fs::path file_;
  uint64_t settings_ = 0;  // hash of what decoding depends on
  std::unordered_map<Key, Kept, KeyHash> found_, added_;
  std::vector<std::pair<std::string, std::string>> texts_;
};

}  // namespace trainyard::data
