#include "core/train/metrics_ranking.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::train {

Ranking rankingOf(std::span<const double> scores, std::span<const bool> truths) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [scores](size_t a, size_t b) { return scores[a] > scores[b]; });
  const auto all_true = static_cast<double>(std::count(truths.begin(), truths.end(), true)), all_false = static_cast<double>(truths.size()) - all_true;
  double is_true = 0, is_false = 0, area = 0, precision = 0;
  for (size_t i = 0; i < order.size();) {
    double more_true = 0, more_false = 0;
    const double score = scores[order[i]];
    for (; i < order.size() && scores[order[i]] == score; ++i) (truths[order[i]] ? more_true : more_false) += 1;
    area += more_false * (is_true + more_true / 2);
    is_true += more_true;
    is_false += more_false;
    precision += more_true * is_true / (is_true + is_false);
  }
  Ranking ranking;
  if (all_true > 0 && all_false > 0) ranking.auroc = area / (all_true * all_false);
  if (all_true > 0) ranking.average_precision = precision / all_true;
  return ranking;
}

void Scores::add(const at::Tensor& scores_NK, const at::Tensor& truths_NK) {
  if (!usable_) return;
  usable_ = scores_.size() + static_cast<uint64_t>(scores_NK.numel()) <= kMostScores && scores_NK.isfinite().all().item<bool>();
  if (!usable_) {
    scores_ = {};
    truths_ = {};
    return;
  }
  const at::Tensor scores = scores_NK.to(at::kDouble).contiguous(), truths = truths_NK.to(at::kBool).contiguous();
  scores_.insert(scores_.end(), scores.const_data_ptr<double>(), scores.const_data_ptr<double>() + scores.numel());
  truths_.insert(truths_.end(), truths.const_data_ptr<bool>(), truths.const_data_ptr<bool>() + truths.numel());
}

std::vector<Ranking> Scores::rankings() const {
  if (!usable_) return std::vector<Ranking>(columns_);
  const size_t samples = scores_.size() / columns_;
  std::vector<Ranking> rankings;
  std::vector<double> scores(samples);
  const auto truths = std::make_unique<bool[]>(samples);
  for (size_t column = 0; column < columns_; ++column) {
    for (size_t i = 0; i < samples; ++i) {
      scores[i] = scores_[i * columns_ + column];
      truths[i] = truths_[i * columns_ + column] != 0;
    }
    rankings.push_back(rankingOf(scores, {truths.get(), samples}));
  }
  return rankings;
}

std::optional<double> meanOf(std::span<const Ranking> rankings, std::optional<double> Ranking::*value) {
  double sum = 0, count = 0;
  for (const auto& ranking : rankings) {
    sum += (ranking.*value).value_or(0);
    count += (ranking.*value).has_value() ? 1 : 0;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

}  // namespace trainyard::train
