// Class folders: <class>/…/picture.jpg, or the same below train/ and val/.
#include <algorithm>
#include <map>
#include <set>

#include "core/base/units.h"
#include "core/data/formats.h"
#include "core/data/image_decode.h"

namespace trainyard::data {

namespace {

constexpr char kLayout[] = "put the pictures of each class into a folder of its own: roses/1.jpg, tulips/1.jpg; or the same below train/ and val/";

struct Sample {
  std::string file;  // below the root
  int label = 0;
  Part part = Part::Unassigned;
};

class ImageFolder : public Dataset {
 public:
  ImageFolder(fs::path root, std::vector<Sample> samples, std::vector<std::string> classes)
      : root_(std::move(root)), samples_(std::move(samples)), classes_(std::move(classes)) {}
  uint64_t size() const override { return samples_.size(); }
  int label(uint64_t index) const override { return samples_[index].label; }
  Part part(uint64_t index) const override { return samples_[index].part; }
  std::string name(uint64_t index) const override { return displayPath(samples_[index].file); }
  Result<cv::Mat> picture(uint64_t index) const override { return decodeImageFile(root_ / samples_[index].file); }
  const std::vector<std::string>& classes() const override { return classes_; }
  bool inMemory() const override { return false; }

 private:
  fs::path root_;
  std::vector<Sample> samples_;
  std::vector<std::string> classes_;
};

bool isFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return text;
}

bool isValidationName(const std::string& name) { return name == "val" || name == "valid" || name == "validation"; }

// A train folder beside folders of other names is a class of that name.
bool isSplit(const std::vector<fs::path>& folders) {
  bool train = false;
  for (const auto& folder : folders) {
    const std::string name = lower(folder.filename().string());
    train |= name == "train";
    if (name != "train" && name != "test" && !isValidationName(name)) return false;
  }
  return train;
}

// Everything below `folder` that looks like a picture. A linked folder is followed, but not into itself.
Result<void> collect(const fs::path& folder, std::set<fs::path>& open, std::vector<fs::path>& found) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (error)
    return fail(ErrorCode::Data, "the folder cannot be read: " + error.message(), displayPath(folder), "check its permissions, or remove the broken link");
  if (!open.insert(real).second) return {};
  TRAINYARD_TRY(const auto entries, listFolder(folder));
  for (const auto& entry : entries) {
    if (isFolder(entry)) {
      TRAINYARD_CHECK(collect(entry, open, found));
    } else if (looksLikeImage(entry)) {
      found.push_back(entry);
    }
  }
  open.erase(real);
  return {};
}

using ClassFiles = std::map<std::string, std::vector<fs::path>>;

Result<ClassFiles> classFilesBelow(const fs::path& folder, bool may_be_empty) {
  TRAINYARD_TRY(const auto entries, listFolder(folder));
  ClassFiles classes;
  bool loose = false;
  for (const auto& entry : entries) {
    if (!isFolder(entry)) {
      loose |= looksLikeImage(entry);
      continue;
    }
    std::vector<fs::path> found;
    std::set<fs::path> open;
    TRAINYARD_CHECK(collect(entry, open, found));
    if (!found.empty()) {
      classes[entry.filename().string()] = std::move(found);
    } else if (!may_be_empty) {
      return fail(ErrorCode::Data, "the class folder holds no picture", displayPath(entry),
                  "put pictures into it (JPEG, PNG, BMP, WebP, TIFF), or remove or rename it with a leading dot to leave the class out");
    }
  }
  if (classes.empty())
    return fail(ErrorCode::Data, loose ? "there are pictures here but no class folders" : "there are no class folders with pictures here", displayPath(folder),
                kLayout);
  return classes;
}

class Builder {
 public:
  explicit Builder(fs::path root) : root_(std::move(root)) {}

  void add(const ClassFiles& classes, Part part) {
    if (names_.empty()) {
      for (const auto& [name, files] : classes) names_.push_back(name);
    }
    for (const auto& [name, files] : classes) {
      const auto label = static_cast<int>(std::lower_bound(names_.begin(), names_.end(), name) - names_.begin());
      for (const auto& file : files) samples_.push_back({file.lexically_relative(root_).string(), label, part});
    }
  }

  // A class that only validation has can never be learned.
  Result<void> checkKnown(const ClassFiles& classes, const fs::path& folder) const {
    for (const auto& [name, files] : classes) {
      if (std::binary_search(names_.begin(), names_.end(), name)) continue;
      const std::string near = nearestWord(name, names_);
      return fail(ErrorCode::Data, "the class \"" + name + "\" is in validation but not in training", displayPath(folder / name),
                  near.empty() ? "add training pictures of it, or remove it" : "did you mean \"" + near + "\"?");
    }
    return {};
  }

  std::unique_ptr<Dataset> done() { return std::make_unique<ImageFolder>(std::move(root_), std::move(samples_), std::move(names_)); }

 private:
  fs::path root_;
  std::vector<Sample> samples_;
  std::vector<std::string> names_;
};

}  // namespace

Result<std::unique_ptr<Dataset>> openImageFolder(const recipe::Data& data) {
  TRAINYARD_TRY(const fs::path root, folderOf(data));
  TRAINYARD_TRY(const auto entries, listFolder(root));
  std::vector<fs::path> folders;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(folders), isFolder);
  Builder builder(root);
  if (!isSplit(folders)) {
    TRAINYARD_TRY(const auto classes, classFilesBelow(root, false));
    builder.add(classes, Part::Unassigned);
    return builder.done();
  }
  const auto train = std::find_if(folders.begin(), folders.end(), [](const fs::path& folder) { return lower(folder.filename().string()) == "train"; });
  TRAINYARD_TRY(const auto classes, classFilesBelow(*train, false));
  builder.add(classes, Part::Train);
  const fs::path* validation = nullptr;
  for (const auto& folder : folders) {
    if (!isValidationName(lower(folder.filename().string()))) continue;
    if (validation != nullptr) {
      return fail(ErrorCode::Data, "there are two validation folders, " + validation->filename().string() + " and " + folder.filename().string(),
                  displayPath(root), "keep one of them");
    }
    validation = &folder;
  }
  if (validation == nullptr) return builder.done();
  TRAINYARD_TRY(const auto held_out, classFilesBelow(*validation, true));
  TRAINYARD_CHECK(builder.checkKnown(held_out, *validation));
  builder.add(held_out, Part::Validation);
  return builder.done();
}

}  // namespace trainyard::data
