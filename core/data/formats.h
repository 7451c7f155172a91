#pragma once
// Inside the data room: one maker per format, and what several formats share.
#include <functional>
#include <memory>

#include "core/data/dataset.h"
#include "core/data/image_decode.h"

namespace trainyard::data {

using Maker = Result<std::unique_ptr<Dataset>> (*)(const recipe::Data& data);

Result<std::unique_ptr<Dataset>> openImageFolder(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openImageCsv(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openTable(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openIdx(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openCifar10(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openCifar100(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openTar(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openZip(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openWebDataset(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openTfRecord(const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openText(const recipe::Data& data);

// Of those that lie inside larger files: "tar", "zip", "webdataset", "tfrecord", or "" when `path` is none. Looks at names and into the first entries.
std::string guessPacked(const fs::path& path);
bool looksLikeWebDataset(const fs::path& tar);
bool looksLikeTfRecord(const fs::path& path);  // by its name
bool looksLikeText(const fs::path& path);      // a .txt file, or a folder that holds nothing else

// Held-out data for `training`, opened to match it: the same kind of targets, a table's columns of the same kinds. Without the samples and classes
// that `data` leaves out. Error Data.
Result<std::unique_ptr<Dataset>> openLike(const Dataset& training, const recipe::Data& data);
Result<std::unique_ptr<Dataset>> openTableLike(const recipe::Data& data, const Dataset& training);

// .DS_Store, ._picture.jpg, Thumbs.db and whatever else starts with a dot.
bool isHiddenName(std::string_view name);

// Visible entries, sorted by name; most know what they are without another look at the disk. Error Data with the system's reason.
Result<std::vector<fs::directory_entry>> listFolder(const fs::path& folder);

// A picture file before it is decoded; what the scan keeps its results under (size 0 when the file is gone).
Result<std::unique_ptr<augment::Source>> openImageFile(const fs::path& file, const DecodeOptions& options);
Dataset::Stamp stampOf(const fs::path& file);

// The folder of data.path, or an error when it is missing or a file.
Result<fs::path> folderOf(const recipe::Data& data);

// One name a line; blank lines at the end are no names.
std::vector<std::string> splitLines(std::string_view text);

// Pictures of one size, side by side in memory, channels innermost.
class MemoryDataset : public Dataset {
 public:
  struct Stretch {  // samples that come from one file, in its order
    uint64_t first = 0;
    std::string file;
    Part part = Part::Unassigned;
  };

  MemoryDataset(int height, int width, int channels) : height_(height), width_(width), channels_(channels) {}
  uint64_t size() const override { return labels_.size(); }
  int label(uint64_t index) const override { return labels_[index]; }
  Part part(uint64_t index) const override { return stretchOf(index).part; }
  std::string name(uint64_t index) const override;
  Result<cv::Mat> picture(uint64_t index) const override;
  const std::vector<std::string>& classes() const override { return classes_; }
  bool inMemory() const override { return true; }

  int height() const { return height_; }
  int width() const { return width_; }
  int channels() const { return channels_; }
  size_t pictureBytes() const { return static_cast<size_t>(height_) * width_ * channels_; }
  void beginStretch(std::string file, Part part) { stretches_.push_back({size(), std::move(file), part}); }
  std::vector<unsigned char>& pixels() { return pixels_; }
  std::vector<int>& labels() { return labels_; }
  void setClasses(std::vector<std::string> classes) { classes_ = std::move(classes); }

 private:
  const Stretch& stretchOf(uint64_t index) const;

  int height_, width_, channels_;
  std::vector<unsigned char> pixels_;
  std::vector<int> labels_;
  std::vector<Stretch> stretches_;
  std::vector<std::string> classes_;
};

}  // namespace trainyard::data
