#include "core/data/packed_pictures.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/units.h"
#include "core/data/formats.h"

namespace trainyard::data {

namespace {

constexpr int kShardDepth = 2;  // data.path/train/shard
constexpr uint64_t kLargestFile = uint64_t{1} << 30;

std::vector<std::string> wordsOf(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) words.back() += static_cast<char>(c | 0x20);
    if (!letter && !words.back().empty()) words.emplace_back();
  }
  return words;
}

Part partOf(std::string_view name) {
  for (const std::string& word : wordsOf(name)) {
    if (word == "train" || word == "training") return Part::Train;
    if (word == "val" || word == "valid" || word == "validation") return Part::Validation;
    if (word == "test") return Part::Test;
  }
  return Part::Unassigned;
}

Result<void> collect(const fs::path& folder, const std::string& below, int depth, bool (*is_shard)(const fs::path&), std::vector<Shard>& shards) {
  TRAINYARD_TRY(const auto entries, listFolder(folder));
  for (const auto& entry : entries) {
    const std::string name = below + entry.path().filename().string();
    std::error_code ignored;
    if (fs::is_directory(entry, ignored)) {
      if (depth > 1) TRAINYARD_CHECK(collect(entry, name + "/", depth - 1, is_shard, shards));
    } else if (is_shard(entry)) {
      shards.push_back({entry, name, partOf(name)});
    }
  }
  return {};
}

// Classes are matched by name: two cranes of ImageNet become "crane (134)" and "crane (517)".
void tellApart(NumberedClasses& numbered) {
  std::map<std::string, int> counts;
  for (const std::string& name : numbered.classes) ++counts[name];
  for (size_t i = 0; i < numbered.classes.size(); ++i) {
    if (counts[numbered.classes[i]] > 1) numbered.classes[i] += " (" + std::to_string(static_cast<int>(i) + numbered.first) + ")";
  }
}

}  // namespace

Result<cv::Mat> PackedPictures::picture(uint64_t index) const {
  TRAINYARD_TRY(const std::string bytes, fileBytes(index));
  return decodeImage(bytes, where(index), options_);
}

Result<std::unique_ptr<augment::Source>> PackedPictures::source(uint64_t index) const {
  TRAINYARD_TRY(std::string bytes, fileBytes(index));
  return openImage(std::move(bytes), where(index), options_);
}

Result<std::string> PackedPictures::fileBytes(uint64_t index) const {
  const Sample& sample = samples_[index];
  if (sample.size > kLargestFile)
    return fail(ErrorCode::Data, "has " + formatBytes(sample.size) + "; the largest picture file that is read has " + formatBytes(kLargestFile), where(index),
                "leave it out with data.exclude");
  auto bytes = containers_[sample.container]->take(sample.at, sample.size);
  if (!bytes) bytes.error().where = where(index);
  return bytes;
}

Dataset::Stamp PackedPictures::stamp(uint64_t index) const {
  const Sample& sample = samples_[index];
  return {sample.size, containers_[sample.container]->modifiedNs()};
}

Result<std::vector<Shard>> findShards(const recipe::Data& data, bool (*is_shard)(const fs::path&), const char* what, const char* hint) {
  std::error_code ignored;
  if (fs::is_regular_file(data.path, ignored)) return std::vector<Shard>{{data.path, data.path.filename().string(), Part::Unassigned}};
  TRAINYARD_TRY(const fs::path root, folderOf(data));
  std::vector<Shard> shards;
  TRAINYARD_CHECK(collect(root, {}, kShardDepth, is_shard, shards));
  if (shards.empty()) return fail(ErrorCode::Data, std::string("there are no ") + what + " here", displayPath(root), hint);
  // A folder of validation shards alone may be what somebody trains on.
  const bool split = std::any_of(shards.begin(), shards.end(), [](const Shard& shard) { return shard.part == Part::Train; });
  for (Shard& shard : shards) {
    if (!split) shard.part = Part::Unassigned;
  }
  return shards;
}

fs::path folderOfShards(const recipe::Data& data) {
  std::error_code ignored;
  return fs::is_regular_file(data.path, ignored) ? data.path.parent_path() : data.path;
}

Result<void> forEachShard(size_t count, const std::function<Result<void>(size_t)>& work) {
  std::mutex mutex;
  std::optional<Error> error;
  size_t failed = count;
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) {
      auto result = work(i);
      if (result) continue;
      const std::lock_guard lock(mutex);
      if (i < failed) failed = i, error = std::move(result).error();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    const size_t most = std::max(1U, std::thread::hardware_concurrency());
    for (size_t i = 1; i < std::min(count, most); ++i) threads.emplace_back(run);
    run();
  }
  if (error) return tl::unexpected(*std::move(error));
  return {};
}

Result<NumberedClasses> classesFromNumbers(const recipe::Data& data, int64_t lowest, int64_t highest, const std::string& highest_at,
                                           const std::map<int64_t, std::string>& names) {
  if (highest >= kMostClasses)
    return fail(ErrorCode::Data, "has the label " + std::to_string(highest) + "; labels go up to " + formatCount(kMostClasses - 1), highest_at,
                "labels are class numbers, counted from 0 or 1");
  std::error_code ignored;
  const fs::path file = folderOfShards(data) / "classes.txt";
  NumberedClasses numbered;
  numbered.first = lowest == 1 ? 1 : 0;
  const auto apart = [&] {
    tellApart(numbered);
    return numbered;
  };
  if (!names.empty() || !fs::exists(file, ignored)) {
    for (int64_t label = numbered.first; label <= highest; ++label) {
      const auto found = names.find(label);
      numbered.classes.push_back(found != names.end() ? found->second : std::to_string(label));
    }
    return apart();
  }
  TRAINYARD_TRY(const std::string text, readFile(file));
  numbered.classes = splitLines(text);
  const auto count = static_cast<int64_t>(numbered.classes.size());
  if (count < highest || (count == highest && lowest == 0)) {
    return fail(ErrorCode::Data, "names " + std::to_string(count) + " classes, but " + highest_at + " has the label " + std::to_string(highest),
                displayPath(file), "one name a line, the first for label 0 (for label 1 where labels are counted from 1)");
  }
  numbered.first = count > highest ? 0 : 1;  // as many names as the highest label: labels are counted from 1, whichever of them occur
  return apart();
}

}  // namespace trainyard::data
