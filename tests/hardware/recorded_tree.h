#pragma once
// A file tree of another machine, rebuilt in a temporary folder.
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <string>

class RecordedTree {
 public:
  std::filesystem::path root() const { return folder_.path().toStdString(); }

  void file(const std::string& path, const std::string& text) const {
    const auto full = root() / path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary) << text;
  }

  // A link whose target is relative to the link, as those of /sys are.
  void link(const std::string& path, const std::string& target) const {
    const auto full = root() / path;
    std::filesystem::create_directories(full.parent_path());
    std::filesystem::create_symlink(target, full);
  }

 private:
  QTemporaryDir folder_;
};
