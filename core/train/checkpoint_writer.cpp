#include <fcntl.h>
#include <stdio.h>

#include <algorithm>
#include <cstdio>
#include <future>

#include "core/base/large_file.h"
#include "core/base/unfinished.h"
#include "core/base/units.h"
#include "core/train/checkpoint.h"
#include "core/train/checksums.h"
#include "core/train/finite.h"

namespace trainyard::train {

namespace {

std::string folderName(uint64_t step) {
  char name[32];
  std::snprintf(name, sizeof name, "step-%08llu", static_cast<unsigned long long>(step));
  return name;
}

// Writes one file of a checkpoint; gives its entry in checksums.json. The sum is taken piece by piece, so that the bytes are still in the
// processor's cache when they are copied.
Result<Json> writeSummed(const fs::path& path, const std::function<Result<void>(const models::Sink&)>& content) {
  constexpr size_t kPiece = size_t{256} << 10;
  TRAINYARD_TRY(LargeFile file, LargeFile::create(path));
  Checksum sum;
  const auto sink = [&](std::string_view bytes) -> Result<void> {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(kPiece, bytes.size()))) {
      sum.add(bytes.substr(0, kPiece));
      TRAINYARD_CHECK(file.write(bytes.substr(0, kPiece)));
    }
    return {};
  };
  TRAINYARD_CHECK(content(sink));
  TRAINYARD_CHECK(file.close());
  return sum.entry();
}

// All files of a checkpoint into a folder; gives their bytes.
Result<uint64_t> writeFiles(const fs::path& folder, const Snapshot& snapshot) {
  Json trainer = snapshot.trainer;
  trainer["optimizer"] = snapshot.optimizer_scalars;
  Json checksums = Json::object();
  const auto tensors = [&folder](const char* name, std::span<const models::NamedTensor> list, const models::Metadata& about) {
    return writeSummed(folder / name, [&](const models::Sink& sink) { return models::writeSafetensors(list, sink, about); });
  };
  // Both at once: the sums of one are made while the disk takes the other.
  auto optimizer = std::async(std::launch::async, [&] { return tensors("optimizer.safetensors", snapshot.optimizer, {}); });
  TRAINYARD_TRY(checksums["model.safetensors"], tensors("model.safetensors", snapshot.model, snapshot.about));
  TRAINYARD_TRY(checksums["optimizer.safetensors"], optimizer.get());
  TRAINYARD_TRY(checksums["trainer.json"], writeSummed(folder / "trainer.json", [&](const models::Sink& sink) { return sink(prettyJson(trainer) + "\n"); }));
  TRAINYARD_TRY(const Json ignored, writeSummed(folder / "checksums.json", [&](const models::Sink& sink) { return sink(prettyJson(checksums) + "\n"); }));
  uint64_t bytes = 0;
  for (const auto& [name, entry] : checksums.items()) bytes += entry["bytes"].get<uint64_t>();
  return bytes;
}

// Where a folder goes that is about to be removed.
fs::path nameAside(const fs::path& folder) { return folder.parent_path() / (".gone-" + folder.filename().string() + ".partial"); }

// Removes a folder that must never be seen in parts: its name goes first.
void discard(const fs::path& folder) {
  std::error_code error;
  const fs::path aside = nameAside(folder);
  fs::rename(folder, aside, error);
  if (!error) fs::remove_all(aside, error);
}

// Removes what an end in the middle of writing left behind. Ours alone lies in checkpoints/, and nobody else writes the index.
void tidy(const runs::Layout& run) {
  std::error_code error;
  std::vector<fs::path> unfinished;
  for (const auto& entry : fs::directory_iterator(run.checkpoints(), error)) {
    if (entry.path().filename().string().ends_with(".partial")) unfinished.push_back(entry.path());
  }
  for (const auto& path : unfinished) fs::remove_all(path, error);
  removeUnfinished(run.dir);
}

// A checkpoint that could only continue a broken run is none.
Result<void> requireFinite(const Snapshot& snapshot) {
  for (const auto& [name, tensor] : snapshot.model) {
    if (isFinite(tensor)) continue;
    return fail(ErrorCode::Failed, "the weights are no longer finite (" + name + ")", "step " + std::to_string(snapshot.step), "continue from the last checkpoint with a lower learning rate");
  }
  return {};
}

Json readIndex(const runs::Layout& run) {
  const auto text = readFile(run.checkpointIndex());
  Json index = text ? Json::parse(*text, nullptr, false) : Json();
  return index.is_object() ? index : Json::object();
}

// The folder that an index entry names.
std::string nameIn(const Json& entry) { return entry.is_object() ? fs::path(entry.value("path", "")).filename().string() : ""; }

// Which checkpoint is the best: the trainer's state says so, whatever became of the index. Where that one could not be written, the one before it
// stays the best, if it is still there.
Json bestOf(const Snapshot& snapshot, const Json& before, const std::vector<std::string>& names) {
  const auto there = [&](const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  Json best = snapshot.trainer.value("best", Json());
  if (best.is_object() && best.contains("step") && there(folderName(best["step"].get<uint64_t>()))) {
    best["path"] = "checkpoints/" + folderName(best["step"].get<uint64_t>());
    return best;
  }
  return there(nameIn(before)) ? before : Json();
}

// Writes the index by what lies on disk, then removes what it no longer names. Later steps than this
// belong to a past that training did not go on from.
Result<void> rotate(const runs::Layout& run, const Snapshot& snapshot, uint64_t keep) {
  const std::string newest = folderName(snapshot.step);
  std::vector<std::string> names, gone;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run.checkpoints(), error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("step-")) (name <= newest ? names : gone).push_back(name);
  }
  std::sort(names.begin(), names.end());
  const Json before = readIndex(run).value("best", Json());
  const Json best = bestOf(snapshot, before, names);
  Json all = Json::array();
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string path = "checkpoints/" + names[i];
    if (i + keep >= names.size() || (best.is_object() && best["path"] == path)) all.push_back(path);
    else gone.push_back(names[i]);
  }
  const Json index{{"latest", "checkpoints/" + newest}, {"best", best}, {"all", all}};
  const auto write = [&] { return replaceFile(run.checkpointIndex(), prettyJson(index) + "\n"); };
  auto written = write();
  if (!written) std::erase(gone, nameIn(before));
  for (const auto& name : gone) discard(run.checkpoints() / name);
  return written || gone.empty() ? written : write();  // what was removed may have made room
}

// Puts `aside` in the place of `folder`, at one stroke where the file system can exchange two names (the same step, saved again).
Result<void> putInPlace(const fs::path& aside, const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    fs::rename(aside, folder, error);
  } else if (::renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) == 0) {
    fs::remove_all(aside, error);
    error.clear();
  } else {
    std::error_code ignored;
    const fs::path old = nameAside(folder);
    fs::rename(folder, old, error);
    if (!error) fs::rename(aside, folder, error);
    if (error) fs::rename(old, folder, ignored);
    else fs::remove_all(old, ignored);
  }
  if (error) return fail(ErrorCode::Failed, "cannot put the checkpoint in place: " + error.message(), displayPath(folder), "check the disk");
  return syncPath(folder.parent_path());
}

}  // namespace

Result<Written> writeCheckpoint(const runs::Layout& run, const Snapshot& snapshot, uint64_t keep) {
  TRAINYARD_CHECK(requireFinite(snapshot));
  const double begin = steadySeconds();
  const std::string name = folderName(snapshot.step);
  const fs::path aside = run.checkpoints() / ("." + name + ".partial"), folder = run.checkpoints() / name;
  tidy(run);
  TRAINYARD_CHECK(makeFolder(aside));
  Written written{fs::path("checkpoints") / name, 0, 0, snapshot.stall_ms, snapshot.step, snapshot.best};
  const auto write = [&]() -> Result<void> {
    TRAINYARD_TRY(written.bytes, writeFiles(aside, snapshot));
    TRAINYARD_CHECK(syncPath(aside));
    return putInPlace(aside, folder);
  };
  if (auto result = write(); !result) {
    std::error_code error;
    fs::remove_all(aside, error);
    return tl::unexpected(result.error());
  }
  TRAINYARD_CHECK(rotate(run, snapshot, keep));
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
