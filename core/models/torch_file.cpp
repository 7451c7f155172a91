#include "core/models/torch_file.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <set>
#include <unordered_map>

#include "core/data/zip_file.h"
#include "core/models/pickle_reader.h"

namespace trainyard::models {

namespace {

using Kind = PickleValue::Kind;

static_assert(std::endian::native == std::endian::little, "weight files are little-endian");

constexpr std::string_view kZip("PK\x03\x04", 4);
// The old format's first pickle: protocol 2, a whole number of ten bytes.
constexpr std::string_view kMagic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10), kOldBeginning("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46", 8);
constexpr uint64_t kLargestPickle = 256 << 20;  // bytes; the numbers of the tensors are not in it

tl::unexpected<Error> damaged(const fs::path& file, const std::string& what) {
  return fail(ErrorCode::Data, what, displayPath(file), "the file is damaged or is not a PyTorch weight file; take another copy of it");
}

bool beginsWith(const fs::path& file, std::string_view expected) {
  std::string bytes(expected.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  return in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) && bytes == expected;
}

// Bytes of storages by key; shared, so that tensors can view them.
using Storages = std::unordered_map<std::string, std::shared_ptr<std::string>>;

struct Entry {
  std::string name;
  const TensorRecord* tensor;
};

std::vector<Entry> tensorsIn(const PickleValue& dictionary) {
  std::vector<Entry> entries;
  for (size_t i = 0; i + 1 < dictionary.items.size(); i += 2) {
    const auto &key = *dictionary.items[i], &value = *dictionary.items[i + 1];
    if (key.is(Kind::Text) && value.is(Kind::Tensor)) entries.push_back({key.text, &value.tensor});
  }
  return entries;
}

// The state dictionary: the value itself, or what training scripts keep under one of these names.
std::vector<Entry> stateDictionary(const PickleValue& value, int depth = 0) {
  constexpr const char* kNames[] = {"state_dict", "model_state_dict", "model_state", "model", "module", "net", "network", "weights"};
  constexpr int kDeepest = 3;
  if (!value.is(Kind::Dictionary)) return {};
  auto entries = tensorsIn(value);
  for (const char* name : kNames) {
    if (!entries.empty() || depth == kDeepest) break;
    for (size_t i = 0; i + 1 < value.items.size() && entries.empty(); i += 2) {
      if (value.items[i]->is(Kind::Text) && value.items[i]->text == name) entries = stateDictionary(*value.items[i + 1], depth + 1);
    }
  }
  return entries;
}

void dropSharedPrefix(std::vector<Entry>& entries, std::string_view prefix) {
  if (!std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name.starts_with(prefix); })) return;
  for (auto& entry : entries) entry.name.erase(0, prefix.size());
}

Result<std::vector<NamedTensor>> viewsOf(std::vector<Entry> entries, const Storages& storages, const fs::path& file) {
  if (entries.empty()) return fail(ErrorCode::Data, "holds no tensors by name", displayPath(file), "in Python, save the weights alone: torch.save(model.state_dict(), …)");
  for (const char* prefix : {"module.", "_orig_mod."}) dropSharedPrefix(entries, prefix);
  std::vector<NamedTensor> out;
  for (const auto& [name, record] : entries) {
    const auto found = storages.find(record->storage.key);
    const auto size = static_cast<uint64_t>(at::elementSize(record->storage.type)), elements = static_cast<uint64_t>(record->storage.elements);
    if (found == storages.end()) return damaged(file, "the numbers of tensor \"" + name + "\" are not in it");
    if (elements > found->second->size() / size) {
      return damaged(file, "the numbers of tensor \"" + name + "\" are cut short: " + std::to_string(elements) + " are said to be there, in " + std::to_string(found->second->size()) + " bytes");
    }
    char* numbers = found->second->data() + static_cast<uint64_t>(record->storage.offset + record->offset) * size;
    out.push_back({name, at::from_blob(numbers, record->sizes, record->strides, [kept = found->second](void*) {}, at::TensorOptions(record->storage.type))});
  }
  return out;
}

// Keys of the storages that `entries` use.
std::set<std::string> used(const std::vector<Entry>& entries) {
  std::set<std::string> keys;
  for (const auto& entry : entries) keys.insert(entry.tensor->storage.key);
  return keys;
}

Result<std::vector<NamedTensor>> readZip(const fs::path& file) {
  TRAINYARD_TRY(const auto zip, data::ZipFile::open(file));
  std::unordered_map<std::string_view, const data::ZipFile::Entry*> entries;
  const data::ZipFile::Entry* pickle_entry = nullptr;
  for (const auto& entry : zip->entries()) {
    entries[entry.name] = &entry;
    if (entry.name.ends_with("/data.pkl") && std::count(entry.name.begin(), entry.name.end(), '/') == 1) pickle_entry = &entry;
  }
  if (pickle_entry == nullptr) return damaged(file, "is a zip archive without data.pkl: not one that torch.save wrote");
  const std::string folder = pickle_entry->name.substr(0, pickle_entry->name.find('/') + 1);
  if (entries.contains(folder + "constants.pkl")) {
    return fail(ErrorCode::Data, "is a TorchScript module, not weights", displayPath(file), "train it as it is: arch = \"torchscript\" with file = …");
  }
  if (pickle_entry->size > kLargestPickle) return damaged(file, "its list of tensors takes " + std::to_string(pickle_entry->size) + " bytes");
  if (const auto order = entries.find(folder + "byteorder"); order != entries.end()) {
    TRAINYARD_TRY(const std::string text, zip->take(order->second->number, order->second->size));
    if (text != "little") return damaged(file, "was written on a " + text + "-endian computer");
  }
  TRAINYARD_TRY(const std::string bytes, zip->take(pickle_entry->number, pickle_entry->size));
  size_t at = 0;
  const std::string where = displayPath(file);
  TRAINYARD_TRY(const Pickle pickle, Pickle::read(bytes, at, where));
  auto tensors = stateDictionary(pickle.root());
  Storages storages;
  for (const auto& key : used(tensors)) {
    const std::string name = folder + "data/" + key;
    const auto found = entries.find(name);
    if (found == entries.end()) return damaged(file, "\"" + name + "\" is not in it");
    TRAINYARD_TRY(std::string numbers, zip->take(found->second->number, found->second->size));
    storages[key] = std::make_shared<std::string>(std::move(numbers));
  }
  return viewsOf(std::move(tensors), storages, file);
}

// Pickles of the magic number, the version, facts about the computer, the tensors, the keys of the storages; then each storage as its count and numbers.
Result<std::vector<NamedTensor>> readOld(const fs::path& file) {
  TRAINYARD_TRY(const std::string bytes, readFile(file));
  const std::string where = displayPath(file);
  size_t at = 0;
  TRAINYARD_TRY(const Pickle magic, Pickle::read(bytes, at, where));
  if (magic.root().text != kMagic) return damaged(file, "does not begin as a PyTorch weight file");
  TRAINYARD_TRY(const Pickle version, Pickle::read(bytes, at, where));
  TRAINYARD_TRY(const Pickle computer, Pickle::read(bytes, at, where));
  TRAINYARD_TRY(const Pickle content, Pickle::read(bytes, at, where));
  TRAINYARD_TRY(const Pickle keys, Pickle::read(bytes, at, where));
  auto tensors = stateDictionary(content.root());
  const std::set<std::string> wanted = used(tensors);
  std::unordered_map<std::string, const StorageRecord*> records;  // those of an optimizer, saved besides, too: their numbers are passed over
  for (const auto* storage : content.storages()) records[storage->key] = storage;
  Storages storages;
  for (const auto* key : keys.root().items) {
    uint64_t count = 0;
    if (!key->is(Kind::Text) || bytes.size() - at < sizeof count) return damaged(file, "is cut short: the numbers of a tensor are missing");
    std::memcpy(&count, bytes.data() + at, sizeof count);
    at += sizeof count;
    const auto record = records.find(key->text);
    if (record == records.end()) return damaged(file, "holds numbers that belong to no tensor");
    const auto size = static_cast<uint64_t>(at::elementSize(record->second->type));
    if (count > (bytes.size() - at) / size) return damaged(file, "is cut short: " + std::to_string(count) + " numbers should follow byte " + std::to_string(at));
    if (wanted.contains(key->text)) storages[key->text] = std::make_shared<std::string>(bytes.substr(at, count * size));
    at += count * size;
  }
  return viewsOf(std::move(tensors), storages, file);
}

}  // namespace

bool isTorchFile(const fs::path& file) { return beginsWith(file, kZip) || beginsWith(file, kOldBeginning); }

Result<std::vector<NamedTensor>> readTorchFile(const fs::path& file) { return beginsWith(file, kZip) ? readZip(file) : readOld(file); }

}  // namespace trainyard::models
