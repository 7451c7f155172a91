#pragma once
// Files, done safely. Paths are std::filesystem::path in the native encoding; every byte sequence the system allows works.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace trainyard {

namespace fs = std::filesystem;

// The whole file. Error Data when it cannot be opened or read (the system's reason is in `what`).
Result<std::string> readFile(const fs::path& path);

// Writes aside, fsyncs, renames over `path` and fsyncs the folder: a reader sees the old content or the new, never a part.
// On failure (no space, read-only, …) `path` is untouched and the side file removed. Error Failed.
Result<void> replaceFile(const fs::path& path, std::string_view bytes);

// A new file, written piece by piece; close() fsyncs. Without close() the file is incomplete: the caller removes it. One thread.
class FileWriter {
 public:
  static Result<FileWriter> create(const fs::path& path);
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();
  Result<void> write(std::string_view bytes);
  Result<void> close();

 private:
  FileWriter(fs::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  fs::path path_;
  int descriptor_;
};

// Creates the folder and its parents.
Result<void> makeFolder(const fs::path& path);

// fsync on a file or a folder.
Result<void> syncPath(const fs::path& path);

// A leading "~" or "~/" becomes the home folder; everything else is left as it is.
fs::path expandUser(std::string_view text);

// Bytes that this user may still write on the disk that holds `path` (its nearest existing parent); 0 when unknown.
uint64_t freeBytes(const fs::path& path);

// $XDG_DATA_HOME/trainyard or ~/.local/share/trainyard: holds runs/ and recipes/. Not created here.
fs::path dataHome();

// $TRAINYARD_RUNS, or dataHome()/runs. Not created here.
fs::path runsHome();

// resources/ beside the build or the installation of the running program; $TRAINYARD_RESOURCES overrides it.
fs::path resourcesFolder();

// The folder of the running program.
fs::path programFolder();

// UTF-8 text of a path for messages and JSON.
std::string displayPath(const fs::path& path);

}  // namespace trainyard
