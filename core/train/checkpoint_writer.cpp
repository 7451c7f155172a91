#include <ATen/ATen.h>
#include <fcntl.h>
#include <stdio.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdio>

#include "core/base/units.h"
#include "core/train/checkpoint.h"

namespace trainyard::train {

namespace {

std::string folderName(uint64_t step) {
  char name[32];
  std::snprintf(name, sizeof name, "step-%08llu", static_cast<unsigned long long>(step));
  return name;
}

// Writes one file of a checkpoint; gives its entry in checksums.json.
class HashedFile {
 public:
  explicit HashedFile(FileWriter file) : file_(std::move(file)), hash_(XXH3_createState(), XXH3_freeState) { XXH3_64bits_reset(hash_.get()); }

  Result<void> write(std::string_view bytes) {
    XXH3_64bits_update(hash_.get(), bytes.data(), bytes.size());
    bytes_ += bytes.size();
    return file_.write(bytes);
  }

  Result<Json> close() {
    TRAINYARD_CHECK(file_.close());
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(XXH3_64bits_digest(hash_.get())));
    return Json{{"bytes", bytes_}, {"xxh3_64", text}};
  }

 private:
  FileWriter file_;
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash_;
  uint64_t bytes_ = 0;
};

Result<Json> writeHashed(const fs::path& path, const std::function<Result<void>(const models::Sink&)>& content) {
  TRAINYARD_TRY(FileWriter file, FileWriter::create(path));
  HashedFile hashed(std::move(file));
  TRAINYARD_CHECK(content([&hashed](std::string_view bytes) { return hashed.write(bytes); }));
  return hashed.close();
}

// All files of a checkpoint into a folder; gives their bytes.
Result<uint64_t> writeFiles(const fs::path& folder, const Snapshot& snapshot) {
  Json trainer = snapshot.trainer;
  trainer["optimizer"] = snapshot.optimizer_scalars;
  Json checksums = Json::object();
  TRAINYARD_TRY(checksums["model.safetensors"], writeHashed(folder / "model.safetensors", [&](const models::Sink& sink) { return models::writeSafetensors(snapshot.model, sink, snapshot.about); }));
  TRAINYARD_TRY(checksums["optimizer.safetensors"],
                writeHashed(folder / "optimizer.safetensors", [&](const models::Sink& sink) { return models::writeSafetensors(snapshot.optimizer, sink); }));
  TRAINYARD_TRY(checksums["trainer.json"], writeHashed(folder / "trainer.json", [&](const models::Sink& sink) { return sink(prettyJson(trainer) + "\n"); }));
  TRAINYARD_CHECK(replaceFile(folder / "checksums.json", prettyJson(checksums) + "\n"));
  uint64_t bytes = 0;
  for (const auto& [name, entry] : checksums.items()) bytes += entry["bytes"].get<uint64_t>();
  return bytes;
}

// The index as it should be before this checkpoint: what lies on disk counts (the process may have died between a folder and the index), what
// was cut short is removed, and so is what a later step left behind in a past that training did not go on from.
Json tidyIndex(const runs::Layout& run, uint64_t step) {
  const auto text = readFile(run.checkpointIndex());
  Json index = text ? Json::parse(*text, nullptr, false) : Json();
  if (!index.is_object() || !index.contains("best")) index = {{"latest", nullptr}, {"best", nullptr}, {"all", Json::array()}};
  const std::string this_name = folderName(step);
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run.checkpoints(), error)) {
    const std::string name = entry.path().filename();
    const bool whole = name.rfind("step-", 0) == 0;
    if (whole && name < this_name) names.push_back(name);
    else if ((whole && name > this_name) || name.ends_with(".partial")) fs::remove_all(entry.path(), error);
  }
  std::sort(names.begin(), names.end());
  index["all"] = Json::array();
  for (const auto& name : names) index["all"].push_back("checkpoints/" + name);
  return index;
}

// A checkpoint that could only continue a broken run is none.
Result<void> requireFinite(const Snapshot& snapshot) {
  for (const auto& [name, tensor] : snapshot.model) {
    if (!tensor.is_floating_point() || at::isfinite(tensor).all().item<bool>()) continue;
    return fail(ErrorCode::Failed, "the weights are no longer finite (" + name + ")", "step " + std::to_string(snapshot.step), "continue from the last checkpoint with a lower learning rate");
  }
  return {};
}

// The newest `keep` and the best stay.
bool stays(const Json& index, size_t i, uint64_t keep) {
  const Json& all = index["all"];
  return i + keep >= all.size() || (index["best"].is_object() && index["best"]["path"] == all[i]);
}

// Writes the index, then removes what it no longer names: it never names a folder that is gone.
Result<void> rotate(const runs::Layout& run, Json index, uint64_t keep) {
  Json kept = Json::array(), gone = Json::array();
  for (size_t i = 0; i < index["all"].size(); ++i) (stays(index, i, keep) ? kept : gone).push_back(index["all"][i]);
  index["all"] = kept;
  TRAINYARD_CHECK(replaceFile(run.checkpointIndex(), prettyJson(index) + "\n"));
  std::error_code ignored;
  for (const auto& path : gone) fs::remove_all(run.dir / path.get<std::string>(), ignored);
  return {};
}

// Puts `aside` in the place of `folder` at one stroke, whether that exists (the same step, saved again) or not.
Result<void> putInPlace(const fs::path& aside, const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && ::renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) == 0) {
    fs::remove_all(aside, error);
  } else {
    fs::remove_all(folder, error);
    fs::rename(aside, folder, error);
    if (error) return fail(ErrorCode::Failed, "cannot put the checkpoint in place: " + error.message(), displayPath(folder));
  }
  return syncPath(folder.parent_path());
}

}  // namespace

std::vector<models::NamedTensor> copyToCpu(std::span<const models::NamedTensor> tensors) {
  std::vector<models::NamedTensor> out;
  out.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor plain = tensor.detach();
    out.push_back({name, plain.is_cpu() ? plain.clone() : plain.cpu()});
  }
  return out;
}

Result<Written> writeCheckpoint(const runs::Layout& run, const Snapshot& snapshot, uint64_t keep) {
  TRAINYARD_CHECK(requireFinite(snapshot));
  const double begin = steadySeconds();
  const std::string name = folderName(snapshot.step);
  const fs::path aside = run.checkpoints() / ("." + name + ".partial"), folder = run.checkpoints() / name;
  std::error_code error;
  Json index = tidyIndex(run, snapshot.step);
  TRAINYARD_CHECK(makeFolder(aside));
  Written written{fs::path("checkpoints") / name, 0, 0, snapshot.stall_ms, snapshot.step, snapshot.best};
  const auto write = [&]() -> Result<void> {
    TRAINYARD_TRY(written.bytes, writeFiles(aside, snapshot));
    TRAINYARD_CHECK(syncPath(aside));
    return putInPlace(aside, folder);
  };
  if (auto result = write(); !result) {
    fs::remove_all(aside, error);
    return tl::unexpected(result.error());
  }
  const std::string path = displayPath(written.folder);
  index["all"].push_back(path);
  index["latest"] = path;
  if (snapshot.best && snapshot.metric) {
    index["best"] = {{"path", path}, {"metric", snapshot.metric->metric}, {"value", jsonNumber(snapshot.metric->value)}, {"step", snapshot.step}};
  }
  TRAINYARD_CHECK(rotate(run, std::move(index), keep));
  written.seconds = steadySeconds() - begin;
  return written;
}

CheckpointWriter::CheckpointWriter(runs::Layout run, uint64_t keep, Done done) : run_(std::move(run)), keep_(keep), done_(std::move(done)), thread_([this] { work(); }) {}

CheckpointWriter::~CheckpointWriter() { queue_.close(); }

void CheckpointWriter::submit(Snapshot snapshot) {
  {
    std::scoped_lock lock(mutex_);
    ++waiting_;
  }
  queue_.push(std::move(snapshot));
}

Result<void> CheckpointWriter::drain() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return waiting_ == 0; });
  return last_;
}

void CheckpointWriter::work() {
  while (auto snapshot = queue_.pop()) {
    Result<Written> written = fail(ErrorCode::Failed, "not enough memory to write the checkpoint");
    try {
      written = writeCheckpoint(run_, *snapshot, keep_);
    } catch (const std::exception& error) {
      written = fail(ErrorCode::Failed, std::string("the checkpoint could not be written: ") + error.what());
    }
    done_(written, snapshot->step);
    std::scoped_lock lock(mutex_);
    last_ = written ? Result<void>() : tl::unexpected(written.error());
    --waiting_;
    idle_.notify_all();
  }
}

}  // namespace trainyard::train
