// Class folders: <class>/…/picture.jpg, or the same below train/ and val/.
#include <set>

#include "core/data/class_layout.h"
#include "core/data/formats.h"
#include "core/data/image_decode.h"

namespace trainyard::data {

namespace {

struct Sample {
  std::string file;  // below the root
  int label = 0;
  Part part = Part::Unassigned;
};

class ImageFolder : public Dataset {
 public:
  ImageFolder(fs::path root, std::vector<Sample> samples, std::vector<std::string> classes, DecodeOptions options)
      : root_(std::move(root)), samples_(std::move(samples)), classes_(std::move(classes)), options_(options) {}
  uint64_t size() const override { return samples_.size(); }
  int label(uint64_t index) const override { return samples_[index].label; }
  Part part(uint64_t index) const override { return samples_[index].part; }
  std::string name(uint64_t index) const override { return displayPath(samples_[index].file); }
  Result<cv::Mat> picture(uint64_t index) const override { return decodeImageFile(file(index), options_); }
  Result<std::unique_ptr<augment::Source>> source(uint64_t index) const override { return openImageFile(file(index), options_); }
  Result<std::string> fileBytes(uint64_t index) const override { return readFile(file(index)); }
  Stamp stamp(uint64_t index) const override { return stampOf(file(index)); }
  fs::path file(uint64_t index) const override { return root_ / samples_[index].file; }
  const std::vector<std::string>& classes() const override { return classes_; }
  bool inMemory() const override { return false; }

 private:
  fs::path root_;
  std::vector<Sample> samples_;
  std::vector<std::string> classes_;
  DecodeOptions options_;
};

// A link to nowhere that may have been a class folder, on a disk that is not there. One that is called like a picture is an unreadable picture.
bool isLostFolder(const fs::path& entry) {
  std::error_code ignored;
  return !entry.has_extension() && fs::is_symlink(entry, ignored) && !fs::exists(entry, ignored);
}

// Everything below `folder`. A linked folder is followed, but not into itself.
Result<void> collect(const fs::path& folder, const std::string& name, std::set<fs::path>& open, Listing& listing) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (error)
    return fail(ErrorCode::Data, "the folder cannot be read: " + error.message(), displayPath(folder), "check its permissions, or remove the broken link");
  if (!open.insert(real).second) return {};
  TRAINYARD_TRY(const auto entries, listFolder(folder));
  for (const auto& entry : entries) {
    const std::string inner = name.empty() ? entry.path().filename().string() : name + "/" + entry.path().filename().string();
    if (entry.is_directory(error)) {
      listing.folders.push_back(inner);
      TRAINYARD_CHECK(collect(entry, inner, open, listing));
    } else if (isLostFolder(entry)) {
      return fail(ErrorCode::Data, "the link leads nowhere: " + displayPath(fs::read_symlink(entry, error)), displayPath(entry),
                  "bring back what it leads to (is a disk missing?), or remove the link");
    } else {
      listing.files.push_back(inner);
    }
  }
  open.erase(real);
  return {};
}

}  // namespace

Result<std::unique_ptr<Dataset>> openImageFolder(const recipe::Data& data) {
  TRAINYARD_TRY(const fs::path root, folderOf(data));
  Listing listing;
  std::set<fs::path> open;
  TRAINYARD_CHECK(collect(root, {}, open, listing));
  TRAINYARD_TRY(ClassLayout layout, layOutClasses(listing, {}, root, data.exclude_classes));
  std::vector<Sample> samples;
  samples.reserve(layout.samples.size());
  for (const auto& [file, label, part] : layout.samples) samples.push_back({std::move(listing.files[file]), label, part});
  return std::make_unique<ImageFolder>(root, std::move(samples), std::move(layout.classes), decodeOptions(data));
}

}  // namespace trainyard::data
