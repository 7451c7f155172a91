#pragma once
// A dataset: samples with targets, whatever the format on disk. One implementation file per format, one maker line in formats.cpp.
#include <cstdint>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/augment/source.h"
#include "core/base/result.h"
#include "core/data/table_columns.h"
#include "core/data/task.h"
#include "core/recipe/recipe.h"

namespace trainyard::data {

// The part a sample belongs to where the data itself says so (train/ and val/ folders, MNIST's t10k files, CIFAR's test batch).
enum class Part { Unassigned, Train, Validation, Test };

// Any thread may call any member (each new one is handed on in view.h). Opening reads what is needed to know sizes, labels and class names, not the pictures of
// a folder.
class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual uint64_t size() const = 0;
  virtual Part part(uint64_t index) const = 0;
  virtual std::string name(uint64_t index) const = 0;  // file below the folder, or "train-images 17"; the same in every opening

  virtual Task task() const { return Task::Classes; }
  virtual int label(uint64_t index) const = 0;  // Classes: 0 … classes-1; else 0
  // Labels: one name per class. Numbers: one name per number.
  virtual const std::vector<std::string>& classes() const = 0;  // index → name
  // Labels: 0 or 1 per class; Numbers: the values. `out` has classes().size() elements.
  virtual void target(uint64_t, std::span<float>) const {}

  // Where the target was read, for messages: "labels.csv:17"; else the sample's name.
  virtual std::string labelPlace(uint64_t index) const { return name(index); }

  // 8-bit, 1 or 3 channels (RGB), height × width as people see it. Error Data with the file's name when it cannot be read.
  virtual Result<cv::Mat> picture(uint64_t index) const = 0;
  // The same before it is decoded. `where` of its errors is the file's name too.
  virtual Result<std::unique_ptr<augment::Source>> source(uint64_t index) const {
    TRAINYARD_TRY(cv::Mat pixels, picture(index));
    return std::make_unique<augment::Decoded>(std::move(pixels));
  }
  // As stored: the picture's file (JPEG, PNG, …), for the scan; Task::Tokens: the window and one byte more. Error Data; Usage: no file of its own.
  virtual Result<std::string> fileBytes(uint64_t index) const { return fail(ErrorCode::Usage, "is not a file of its own", name(index)); }
  // What the scan keeps its results under; size 0 where samples have no files of their own.
  struct Stamp {
    uint64_t bytes = 0;
    int64_t modified_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  virtual Stamp stamp(uint64_t) const { return {}; }
  // Where the file itself lies, for opening it; empty inside an archive or in memory.
  virtual fs::path file(uint64_t) const { return {}; }

  virtual bool inMemory() const = 0;  // picture() costs no decoding

  // Tables have columns instead of pictures: picture() fails, row() gives one raw value per column.
  virtual const std::vector<Column>* columns() const { return nullptr; }
  virtual std::span<const float> row(uint64_t) const { return {}; }  // missing: NaN; categories: index into Column::categories
};

// Error Data (missing or empty folder, wrong magic, counts that disagree, truncated file), naming the file and what to do. Samples and classes
// named in data.exclude and data.exclude_classes are left out.
Result<std::unique_ptr<Dataset>> open(const recipe::Data& data);

// The ids with a maker; equal to the catalogue's.
std::vector<std::string> madeIds();

// {name: index}: made once for a dataset; it travels with run, checkpoint and export.
Json classMap(const Dataset& dataset);

// The classes in the order in which people expect them, as indices: "2" before "10", small letters beside large ones. Indices themselves follow the
// names' bytes, as torchvision's do.
std::vector<size_t> displayOrder(const std::vector<std::string>& classes);

// Guesses the format of a folder or file.
std::string guessFormat(const fs::path& path);

}  // namespace trainyard::data
