#pragma once
// A dataset: pictures with labels, whatever the format on disk. One implementation file per format, one maker line in formats.cpp.
#include <cstdint>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/recipe/recipe.h"

namespace trainyard::data {

// The part a sample belongs to where the data itself says so (train/ and val/ folders, MNIST's t10k files, CIFAR's test batch).
enum class Part { Unassigned, Train, Validation };

// Any thread may call any member. Opening reads what is needed to know sizes, labels and class names, not the pictures of a folder.
class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual uint64_t size() const = 0;
  virtual int label(uint64_t index) const = 0;  // 0 … classes-1
  virtual Part part(uint64_t index) const = 0;
  virtual std::string name(uint64_t index) const = 0;  // file below the folder, or "train-images 17"
  // 8-bit, 1 or 3 channels (RGB), height × width as stored. Error Data with the file's name when it cannot be read.
  virtual Result<cv::Mat> picture(uint64_t index) const = 0;
  virtual const std::vector<std::string>& classes() const = 0;  // index → name
  virtual bool inMemory() const = 0;                            // picture() costs no decoding
};

// Error Data (missing or empty folder, wrong magic, counts that disagree, truncated file), naming the file and what to do.
Result<std::unique_ptr<Dataset>> open(const recipe::Data& data);

// The ids with a maker; equal to the catalogue's.
std::vector<std::string> madeIds();

// Guesses the format of a folder: IDX files, CIFAR batches, else class folders.
std::string guessFormat(const fs::path& folder);

}  // namespace trainyard::data
