#include <ATen/ATen.h>
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

std::string checksum(std::string_view bytes) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
  return text;
}

struct Content {
  const char* name;
  std::string bytes;
};

std::vector<Content> contentOf(const Snapshot& snapshot) {
  Json trainer = snapshot.trainer;
  trainer["optimizer"] = snapshot.optimizer_scalars;
  return {{"model.safetensors", models::toSafetensors(snapshot.model)}, {"optimizer.safetensors", models::toSafetensors(snapshot.optimizer)}, {"trainer.json", prettyJson(trainer) + "\n"}};
}

Json readIndex(const runs::Layout& run) {
  const auto text = readFile(run.checkpointIndex());
  const Json index = text ? Json::parse(*text, nullptr, false) : Json();
  return index.is_object() ? index : Json{{"latest", nullptr}, {"best", nullptr}, {"all", Json::array()}};
}

// Removes all but the newest `keep` and the best.
void rotate(const runs::Layout& run, Json& index, uint64_t keep) {
  Json kept = Json::array();
  const Json& all = index["all"];
  for (size_t i = 0; i < all.size(); ++i) {
    const bool is_best = index["best"].is_object() && index["best"]["path"] == all[i]["path"];
    if (is_best || i + keep >= all.size()) kept.push_back(all[i]);
  }
  const Json before = all;
  index["all"] = kept;
  const auto written = replaceFile(run.checkpointIndex(), prettyJson(index) + "\n");
  if (!written) return;
  for (const auto& entry : before) {
    if (std::find(kept.begin(), kept.end(), entry) != kept.end()) continue;
    std::error_code ignored;
    fs::remove_all(run.dir / entry["path"].get<std::string>(), ignored);
  }
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
  const double begin = steadySeconds();
  const std::string name = folderName(snapshot.step);
  const fs::path aside = run.checkpoints() / ("." + name + ".partial"), folder = run.checkpoints() / name;
  std::error_code error;
  fs::remove_all(aside, error);
  TRAINYARD_CHECK(makeFolder(aside));
  Written written{fs::path("checkpoints") / name, 0, 0, snapshot.stall_ms, snapshot.step, snapshot.best};
  const auto write = [&]() -> Result<void> {
    Json checksums = Json::object();
    for (const auto& content : contentOf(snapshot)) {
      TRAINYARD_CHECK(replaceFile(aside / content.name, content.bytes));
      checksums[content.name] = {{"bytes", content.bytes.size()}, {"xxh3_64", checksum(content.bytes)}};
      written.bytes += content.bytes.size();
    }
    TRAINYARD_CHECK(replaceFile(aside / "checksums.json", prettyJson(checksums) + "\n"));
    TRAINYARD_CHECK(syncPath(aside));
    fs::remove_all(folder, error);
    fs::rename(aside, folder, error);
    if (error) return fail(ErrorCode::Failed, "cannot put the checkpoint in place: " + error.message(), displayPath(folder));
    return syncPath(run.checkpoints());
  };
  if (auto result = write(); !result) {
    fs::remove_all(aside, error);
    return tl::unexpected(result.error());
  }
  Json index = readIndex(run);
  Json& all = index["all"];
  const std::string path = displayPath(written.folder);
  all.erase(std::remove_if(all.begin(), all.end(), [&](const Json& entry) { return entry["path"] == path; }), all.end());
  all.push_back({{"path", path}, {"step", snapshot.step}, {"bytes", written.bytes}});
  index["latest"] = path;
  if (snapshot.best && snapshot.metric) {
    index["best"] = {{"path", path}, {"metric", snapshot.metric->metric}, {"value", jsonNumber(snapshot.metric->value)}, {"step", snapshot.step}};
  }
  TRAINYARD_CHECK(replaceFile(run.checkpointIndex(), prettyJson(index) + "\n"));
  rotate(run, index, keep);
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
