#pragma once
// Inside the metrics: scores of all samples, for what depends on their order.
#include "core/train/metrics.h"

namespace trainyard::train {

// Gives up, and frees what it has, at more than kMostScores values and at one that is not finite.
class Scores {
 public:
  explicit Scores(int64_t columns) : columns_(static_cast<size_t>(columns)) {}
  void add(const at::Tensor& scores_NK, const at::Tensor& truths_NK);  // on the CPU
  std::vector<Ranking> rankings() const;                               // of each column; empty ones after giving up

 private:
  size_t columns_;
  bool usable_ = true;
  std::vector<double> scores_;
  std::vector<uint8_t> truths_;
};

// Over those that have a value.
std::optional<double> meanOf(std::span<const Ranking> rankings, std::optional<double> Ranking::*value);

}  // namespace trainyard::train
