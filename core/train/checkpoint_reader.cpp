#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdio>

#include "core/train/checkpoint.h"

namespace trainyard::train {

namespace {

constexpr const char* kHint = "the checkpoint is damaged; an older one may be whole";

Result<void> verify(const fs::path& folder) {
  TRAINYARD_TRY(const std::string text, readFile(folder / "checksums.json"));
  const Json checksums = Json::parse(text, nullptr, false);
  if (!checksums.is_object()) return fail(ErrorCode::Data, "is not readable", displayPath(folder / "checksums.json"), kHint);
  for (const char* name : {"model.safetensors", "optimizer.safetensors", "trainer.json"}) {
    const Json entry = checksums.value(name, Json());
    TRAINYARD_TRY(const std::string bytes, readFile(folder / name));
    char sum[17];
    std::snprintf(sum, sizeof sum, "%016llx", static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
    if (!entry.is_object() || entry.value("xxh3_64", "") != sum) {
      return fail(ErrorCode::Data, "the checksum does not agree: " + std::to_string(bytes.size()) + " bytes, written were " + std::to_string(entry.is_object() ? entry.value("bytes", 0ULL) : 0ULL),
                  displayPath(folder / name), kHint);
    }
  }
  return {};
}

std::vector<fs::path> foldersNewestFirst(const runs::Layout& run) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run.checkpoints(), error)) {
    if (entry.path().filename().string().rfind("step-", 0) == 0) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end(), std::greater<>());
  return folders;
}

}  // namespace

Result<Loaded> loadCheckpoint(const fs::path& folder) {
  TRAINYARD_CHECK(verify(folder));
  TRAINYARD_TRY(auto model, models::SafetensorsFile::open(folder / "model.safetensors"));
  TRAINYARD_TRY(auto optimizer, models::SafetensorsFile::open(folder / "optimizer.safetensors"));
  TRAINYARD_TRY(const std::string text, readFile(folder / "trainer.json"));
  const std::string where = displayPath(folder / "trainer.json");
  const Json trainer = Json::parse(text, nullptr, false);
  if (!trainer.is_object()) return fail(ErrorCode::Data, "is not readable", where, kHint);
  TRAINYARD_TRY(TrainerState state, TrainerState::fromJson(trainer, where));
  return Loaded{folder, std::move(model), std::move(optimizer), trainer.value("optimizer", Json::object()), std::move(state)};
}

Result<std::optional<Loaded>> loadNewest(const runs::Layout& run, std::vector<Error>* skipped) {
  std::optional<Error> newest_error;
  for (const auto& folder : foldersNewestFirst(run)) {
    auto loaded = loadCheckpoint(folder);
    if (loaded) return std::optional(std::move(*loaded));
    if (skipped != nullptr) skipped->push_back(loaded.error());
    if (!newest_error) newest_error = loaded.error();
  }
  if (newest_error) return tl::unexpected(*newest_error);
  return std::nullopt;
}

Result<Loaded> loadBest(const runs::Layout& run) {
  const auto text = readFile(run.checkpointIndex());
  const Json index = text ? Json::parse(*text, nullptr, false) : Json();
  if (index.is_object() && index.contains("best") && index["best"].is_object()) return loadCheckpoint(run.dir / index["best"].value("path", ""));
  TRAINYARD_TRY(auto newest, loadNewest(run));
  if (!newest) return fail(ErrorCode::Data, "this run has no checkpoint yet", displayPath(run.dir), "wait for its first checkpoint, or send `trainyard control RUN checkpoint`");
  return std::move(*newest);
}

}  // namespace trainyard::train
