#pragma once
// What the network said of single samples.
#include "core/train/input.h"

namespace trainyard::train {

struct Prediction {
  uint64_t index = 0;  // into the dataset
  double loss = 0;
  std::vector<double> target;  // Classes: its index; Labels: the indices of those that hold; Numbers: the values; Tokens: none
  // Classes and Labels: the five likeliest, with their probabilities, the likeliest first. Numbers: each of them. Tokens: none.
  std::vector<std::pair<int64_t, double>> top;
};

// Of a batch. outputs: fp32, N × K (tokens: N × T × V); losses as evaluationLosses gives them. Any device.
std::vector<Prediction> predictionsOf(data::Task task, const std::vector<uint64_t>& samples, const at::Tensor& outputs, const at::Tensor& targets,
                                      const at::Tensor& losses);

// {index, name, target, top: [{index, probability}], loss}; target is a number for classes, else a list; numbers have `value` for `probability`.
Json toJson(const Prediction& prediction, const Input& input);

// As lines of a table: file, target, the likeliest with their probabilities, loss. Class names are those of `names`, by index.
std::string csvHeader(data::Task task, const std::vector<std::string>& names);
std::string csvLine(const Prediction& prediction, const Input& input, const std::vector<std::string>& names);

// Keeps those of largest loss; a loss that is not a number is the largest.
class Worst {
 public:
  explicit Worst(size_t most) : most_(most) {}
  void add(Prediction prediction);
  std::vector<Prediction> take();  // the largest loss first

 private:
  size_t most_;
  std::vector<Prediction> heap_;  // the smallest loss in front
};

}  // namespace trainyard::train
