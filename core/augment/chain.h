#pragma once
// From a stored picture to the numbers the network gets: the channels of [data], the recipe's [[augment]] steps, then the size of [data],
// then floats. Each step draws from (seed, epoch, sample, its place in the list), so a sample's augmentation does not depend on workers or
// timing, and a step that is switched off changes nothing about the others.
#include <memory>
#include <opencv2/core/mat.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/augment/levels.h"
#include "core/augment/source.h"
#include "core/base/random.h"
#include "core/base/result.h"
#include "core/recipe/recipe.h"

namespace trainyard::augment {

// One step. Stateless: any thread.
class Op {
 public:
  virtual ~Op() = default;
  virtual Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const = 0;  // 8-bit, 1 or 3 channels
  // As the first step of a chain: crops override it to decode no more than they need. Same draws and same pixels as apply(source.all()).
  virtual Result<cv::Mat> begin(Source& source, Random& random) const {
    TRAINYARD_TRY(const cv::Mat picture, source.all());
    return apply(picture, random);
  }
};

struct Key {
  uint64_t seed = 0, epoch = 0, sample = 0;
};

struct Shape {
  int channels = 0, height = 0, width = 0;
};

class Chain {
 public:
  // `stored`: shape of the data's first picture, for [data] size = 0 and channels = 0. Evaluation follows [[eval_augment]]; without it, the
  // training steps with random ones left out and centre crops where training crops. Error Recipe naming "augment[i] op" or "eval_augment[i] op".
  static Result<Chain> make(const recipe::Recipe& recipe, Shape stored, bool training);

  Shape shape() const;  // of the result
  const std::vector<float>& mean() const { return mean_; }  // of normalize, one per channel of the result; 0 and 1 without it
  const std::vector<float>& std() const { return std_; }

  // Writes height × width × channels floats (channels innermost) to `out`. Error Data when the picture cannot be read; Error Recipe naming the
  // step when the picture's shape does not fit it.
  Result<void> apply(Source& source, const Key& key, std::span<float> out) const;

  // The same without the conversion to floats, for previews: 8-bit.
  Result<cv::Mat> applyPixels(Source& source, const Key& key) const;

  Result<void> apply(const cv::Mat& picture, const Key& key, std::span<float> out) const {
    Decoded source(picture);
    return apply(source, key, out);
  }
  Result<cv::Mat> applyPixels(const cv::Mat& picture, const Key& key) const {
    Decoded source(picture);
    return applyPixels(source, key);
  }

 private:
  struct Step {
    std::shared_ptr<const Op> op;
    std::string where;      // the recipe key that made it
    uint64_t position = 0;  // of its table in the list
  };
  std::vector<Step> steps_;
  Shape shape_;
  std::vector<float> mean_, std_;
  Levels levels_;
};

// The ids with a maker; equal to the catalogue's.
std::vector<std::string> madeIds();

}  // namespace trainyard::augment
