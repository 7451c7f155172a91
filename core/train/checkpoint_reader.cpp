#include <algorithm>

#include "core/train/checkpoint.h"
#include "core/train/checksums.h"

namespace trainyard::train {

namespace {

constexpr const char* kHint = "the checkpoint is damaged; an older one may be whole";

// The JSON object of a file.
Result<Json> readObject(const fs::path& file, std::string& text) {
  TRAINYARD_TRY(text, readFile(file));
  Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) return fail(ErrorCode::Data, "is not readable", displayPath(file), kHint);
  return object;
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
  std::string text;
  TRAINYARD_TRY(const Json checksums, readObject(folder / "checksums.json", text));
  TRAINYARD_TRY(auto model, models::SafetensorsFile::open(folder / "model.safetensors"));
  TRAINYARD_TRY(auto optimizer, models::SafetensorsFile::open(folder / "optimizer.safetensors"));
  TRAINYARD_TRY(const Json trainer, readObject(folder / "trainer.json", text));
  std::vector<FileToVerify> files;
  const auto add = [&](const char* name, std::span<const char> bytes) { files.push_back({folder / name, bytes, checksums.value(name, Json())}); };
  add("model.safetensors", model.bytes());
  add("optimizer.safetensors", optimizer.bytes());
  add("trainer.json", text);
  TRAINYARD_CHECK(verify(files));
  TRAINYARD_TRY(TrainerState state, TrainerState::fromJson(trainer, displayPath(folder / "trainer.json")));
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
