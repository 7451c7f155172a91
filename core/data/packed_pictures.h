#pragma once
// Inside the data room: datasets whose pictures lie inside larger files; what tar, zip, WebDataset and TFRecord share.
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/data/bytes.h"
#include "core/data/dataset.h"
#include "core/data/image_decode.h"

namespace trainyard::data {

// A larger file that pictures are taken from. Any thread.
class Container {
 public:
  virtual ~Container() = default;
  // The picture's file that was found at `at` with `size`: a position, an entry's number, whatever the container indexed it by. Error Data.
  virtual Result<std::string> take(uint64_t at, uint64_t size) const = 0;
  virtual int64_t modifiedNs() const = 0;
};

// The plainest one: pictures as they stand in a file (tar).
class BytesContainer : public Container {
 public:
  BytesContainer(std::shared_ptr<const Bytes> bytes, int64_t modified_ns) : bytes_(std::move(bytes)), modified_ns_(modified_ns) {}
  Result<std::string> take(uint64_t at, uint64_t size) const override { return bytes_->read(at, size); }
  int64_t modifiedNs() const override { return modified_ns_; }

 private:
  std::shared_ptr<const Bytes> bytes_;
  int64_t modified_ns_;
};

class PackedPictures : public Dataset {
 public:
  struct Sample {
    std::string name;
    uint64_t at = 0, size = 0;  // for Container::take; size also serves the scan's stamp
    uint32_t container = 0;
    int label = 0;
    Part part = Part::Unassigned;
  };

  PackedPictures(fs::path root, DecodeOptions options) : root_(std::move(root)), options_(options) {}
  void add(std::unique_ptr<Container> container) { containers_.push_back(std::move(container)); }
  void set(std::vector<Sample> samples, std::vector<std::string> classes) { samples_ = std::move(samples), classes_ = std::move(classes); }
  size_t containers() const { return containers_.size(); }

  uint64_t size() const override { return samples_.size(); }
  int label(uint64_t index) const override { return samples_[index].label; }
  Part part(uint64_t index) const override { return samples_[index].part; }
  std::string name(uint64_t index) const override { return displayPath(samples_[index].name); }
  const std::vector<std::string>& classes() const override { return classes_; }
  bool inMemory() const override { return false; }
  Result<cv::Mat> picture(uint64_t index) const override;
  Result<std::unique_ptr<augment::Source>> source(uint64_t index) const override;
  Result<std::string> fileBytes(uint64_t index) const override;
  Stamp stamp(uint64_t index) const override;

 private:
  std::string where(uint64_t index) const { return displayPath(root_ / samples_[index].name); }

  fs::path root_;
  DecodeOptions options_;
  std::vector<std::unique_ptr<Container>> containers_;
  std::vector<Sample> samples_;
  std::vector<std::string> classes_;
};

// A file of samples, one of several that make a dataset ("train-00012-of-01024").
struct Shard {
  fs::path path;
  std::string name;  // below data.path
  Part part = Part::Unassigned;
};

// data.path itself when it is a file, else what `is_shard` accepts in the folder and in the folders in it, sorted. A word of the name tells the
// part (train, val, valid, validation, test), if one says train at all. Error Data when there is none (`hint`).
Result<std::vector<Shard>> findShards(const recipe::Data& data, bool (*is_shard)(const fs::path&), const char* what, const char* hint);

// data.path, or the folder it is in when it is a file.
fs::path folderOfShards(const recipe::Data& data);

// Runs `work` for 0 … count-1 on all cores; the error of the lowest index wins.
Result<void> forEachShard(size_t count, const std::function<Result<void>(size_t)>& work);

// Class names for labels that are numbers: `names` (from the data itself) first, then classes.txt beside the shards, else the numbers, counted
// from `lowest`, which is taken off every label. Error Data: a label that is negative or above a million, or beyond the names.
struct NumberedClasses {
  std::vector<std::string> classes;
  int first = 0;  // label of class 0
};
Result<NumberedClasses> classesFromNumbers(const recipe::Data& data, int64_t lowest, int64_t highest, const std::string& highest_at,
                                           const std::map<int64_t, std::string>& names);
constexpr int64_t kMostClasses = 1'000'000;

}  // namespace trainyard::data
