#pragma once
// Metrics over samples, never over batches; equal to scikit-learn's.
#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <span>

#include "core/base/json.h"
#include "core/data/dataset.h"

namespace trainyard::train {

// What cannot be said is left out (AUROC where every sample is of one class, the ranking metrics where there are more scores than are kept).
struct Metrics {
  // Classes: accuracy, top5 (of more than five classes), f1_macro, f1_weighted, auroc, average_precision.
  // Labels: accuracy (over all yes-or-no answers), exact_match, f1_macro, f1_weighted, auroc, average_precision.
  // Numbers: mae, rmse, r2, each the mean over the numbers. Tokens: accuracy, perplexity.
  Json values = Json::object();
  // By index. Classes and labels: {samples, precision, recall, f1, auroc, average_precision}; numbers: {mae, rmse, r2}; tokens: none.
  Json per_class = Json::array();
  std::vector<std::vector<uint64_t>> confusion;  // classes: [true][predicted]
};

// Takes in batch after batch. One thread.
class MetricsTally {
 public:
  virtual ~MetricsTally() = default;
  // outputs: fp32, N × K (tokens: N × T × V), any device. targets: as the batch has them. losses: a value a sample (a place).
  virtual void add(const at::Tensor& outputs, const at::Tensor& targets, const at::Tensor& losses) = 0;
  virtual Metrics done() = 0;
};
std::unique_ptr<MetricsTally> metricsTally(data::Task task, int64_t outputs);

// How well scores put the true ones first. Equal scores count as one threshold. Macro averages leave out what has no value.
struct Ranking {
  std::optional<double> auroc;              // none where all are true or none is
  std::optional<double> average_precision;  // none where none is true
};
Ranking rankingOf(std::span<const double> scores, std::span<const bool> truths);

// Scores kept for the ranking metrics: values, eight bytes each.
constexpr uint64_t kMostScores = 4'000'000;

}  // namespace trainyard::train
