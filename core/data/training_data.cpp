#include "core/data/training_data.h"

#include <algorithm>
#include <set>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/base/units.h"
#include "core/data/test_part.h"

namespace trainyard::data {

namespace {

class Fingerprint {
 public:
  Fingerprint() : state_(XXH3_createState(), &XXH3_freeState) { XXH3_64bits_reset(state_.get()); }
  void add(const void* data, size_t bytes) { XXH3_64bits_update(state_.get(), data, bytes); }
  void addName(const std::string& name) { add((name + '\n').data(), name.size() + 1); }
  std::string text() const {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(XXH3_64bits_digest(state_.get())));
    return text;
  }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

std::string fingerprint(const Dataset& dataset) {
  Fingerprint names;
  for (uint64_t i = 0; i < dataset.size(); ++i) names.addName(dataset.name(i));
  return names.text();
}

// What an earlier part of the run left out, by name.
std::vector<LeftOut> leftOutBefore(const Json& record) {
  std::vector<LeftOut> list;
  if (!record.is_object()) return list;
  for (const auto& entry : record.value("left_out", Json::array())) list.push_back({entry.value("file", ""), entry.value("why", "")});
  return list;
}

void remove(std::vector<uint64_t>& part, const std::vector<bool>& out) {
  part.erase(std::remove_if(part.begin(), part.end(), [&](uint64_t index) { return out[index]; }), part.end());
}

}  // namespace

Task taskFrom(const Json& record) {
  const std::string name = record.is_object() ? record.value("task", "classes") : "classes";
  for (const Task task : {Task::Labels, Task::Numbers, Task::Tokens}) {
    if (name == taskName(task)) return task;
  }
  return Task::Classes;
}

Result<TrainingData> openForTraining(const recipe::Recipe& recipe, const Json& record, const ScanOptions& options) {
  TRAINYARD_TRY(Opened opened, openWithTestPart(recipe));
  TrainingData data{std::move(opened.dataset), std::move(opened.parts), leftOutBefore(record), {}};
  const Dataset& dataset = *data.dataset;
  std::vector<bool> out(dataset.size());
  if (record.is_object()) {
    std::set<std::string> names;
    for (const auto& entry : data.left_out) names.insert(entry.file);
    for (uint64_t i = 0; !names.empty() && i < dataset.size(); ++i) out[i] = names.contains(dataset.name(i));
  } else {
    TRAINYARD_TRY(const auto found, unusable(dataset, recipe.data, options));
    for (const auto& [sample, error] : found) {
      out[sample] = true;
      data.left_out.push_back({dataset.name(sample), error.what});
    }
  }
  for (auto* part : {&data.parts.train, &data.parts.validation, &data.parts.test}) remove(*part, out);
  if (data.parts.train.empty()) {
    const std::string first = data.left_out.empty() ? "" : "; the first: " + data.left_out.front().file + " " + data.left_out.front().why;
    return fail(ErrorCode::Data, "no picture for training can be read" + first, "data.path", "copy the files again");
  }
  if (const size_t samples = data.parts.train.size(); recipe.train.batch_size > samples) {
    return fail(ErrorCode::Recipe,
                "the batch of " + std::to_string(recipe.train.batch_size) + " is larger than the training part of " + std::to_string(samples) + " samples",
                "train.batch_size", "use at most " + std::to_string(samples));
  }
  if (dataset.columns() != nullptr) {
    if (record.is_object() && record.contains("encoder")) {
      TRAINYARD_TRY(data.encoder, TableEncoder::fromJson(record.at("encoder")));
    } else {
      data.encoder = TableEncoder::learn(dataset, data.parts.train);
    }
  }
  return data;
}

Json recordOf(const TrainingData& data) {
  Json record{
      {"task", taskName(data.dataset->task())}, {"samples", data.dataset->size()}, {"fingerprint", fingerprint(*data.dataset)}, {"left_out", Json::array()}};
  for (const auto& [file, why] : data.left_out) record["left_out"].push_back({{"file", file}, {"why", why}});
  if (data.encoder) record["encoder"] = data.encoder->toJson();
  return record;
}

Result<std::string> contentsOf(const Dataset& dataset, std::span<const uint64_t> samples) {
  Fingerprint contents;
  for (const auto& name : dataset.classes()) contents.addName(name);
  std::vector<float> target(dataset.classes().size());
  for (const uint64_t i : samples) {
    contents.addName(dataset.name(i));
    const int label = dataset.label(i);
    contents.add(&label, sizeof label);
    if (dataset.task() == Task::Labels || dataset.task() == Task::Numbers) {
      dataset.target(i, target);
      contents.add(target.data(), target.size() * sizeof(float));
    }
    if (dataset.columns() != nullptr) contents.add(dataset.row(i).data(), dataset.row(i).size_bytes());
    if (dataset.task() != Task::Tokens) continue;
    TRAINYARD_TRY(const std::string bytes, dataset.fileBytes(i));
    contents.add(bytes.data(), bytes.size());
  }
  return contents.text();
}

std::string changedSince(const Json& record, const TrainingData& data) {
  if (!record.is_object() || !record.contains("fingerprint")) return {};
  if (record.at("fingerprint") == fingerprint(*data.dataset)) return {};
  const uint64_t before = record.value("samples", uint64_t{0}), now = data.dataset->size();
  if (before == now) return "some of the " + formatCount(now) + " files have other names than when the run started";
  return "there are " + formatCount(now) + " samples now, and there were " + formatCount(before) + " when the run started";
}

}  // namespace trainyard::data
