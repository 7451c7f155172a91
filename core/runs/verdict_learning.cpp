// Rules about what is learnt: from the losses and evaluations.
#include <algorithm>
#include <cmath>

#include "core/runs/verdict_rules.h"

namespace trainyard::runs {

namespace {

constexpr double kSkipsInARow = 10;
constexpr int64_t kDivergedFor = 50;
constexpr double kExploded = 10;  // times the first loss: diverging, however much it jumps about
constexpr double kUpdatesToLearn = 500;
constexpr size_t kFewestPoints = 20, kFewestEvals = 5, kMeanOf = 3, kFewestStrays = 6;

double stepsSkippedInARow(const RunSeries& series) {
  double row = 0;
  for (size_t i = series.steps.size(); i-- > 0;) {
    const StepPoint& point = series.steps[i];
    const double covered = i > 0 ? static_cast<double>(point.step - series.steps[i - 1].step) : point.skipped;
    if (!(point.skipped > 0)) break;
    row += point.skipped;
    if (point.skipped < covered) break;
  }
  return row;
}

// The first step of the non-finite losses that last until now.
std::optional<int64_t> brokenSince(const RunSeries& series, bool half_precision) {
  std::optional<int64_t> since;
  for (size_t i = series.steps.size(); i-- > 0;) {
    const StepPoint& point = series.steps[i];
    // The gradient scaler steps over such a loss; it only counts when there are too many in a row.
    if (std::isfinite(point.loss) || (half_precision && point.skipped > 0)) break;
    since = point.step;
  }
  if (!since && !series.evals.empty() && !std::isfinite(series.evals.back().loss)) since = series.evals.back().step;
  if (!since && half_precision && stepsSkippedInARow(series) > kSkipsInARow) since = series.steps.back().step;
  return since;
}

double standardError(double share, double samples) {
  // Agresti and Coull: not zero where all or none were right.
  const double n = samples + 4, p = (share * samples + 2) / n;
  return std::sqrt(p * (1 - p) / n);
}

// Higher is better: accuracy where it was measured, else the negative loss. An evaluation without it is the worst.
std::vector<double> scoresOf(const RunSeries& series, bool by_accuracy) {
  std::vector<double> scores;
  for (const EvalPoint& point : series.evals) {
    const double score = by_accuracy ? point.accuracy : -point.loss;
    scores.push_back(std::isfinite(score) ? score : -HUGE_VAL);
  }
  return scores;
}

double noiseOfLosses(const RunSeries& series) {
  std::vector<double> jumps;
  for (size_t i = 1; i < series.evals.size(); ++i) jumps.push_back(std::fabs(series.evals[i].loss - series.evals[i - 1].loss));
  return 1.48 * median(std::move(jumps)) / std::sqrt(2.0);
}

// How much an evaluation's loss strays from the line through its neighbours: a trend counts for nothing. 0 while too few could tell.
double strayOfLosses(const RunSeries& series) {
  std::vector<double> strays;
  for (size_t i = 2; i < series.evals.size(); ++i) {
    strays.push_back(std::fabs(series.evals[i].loss - 2 * series.evals[i - 1].loss + series.evals[i - 2].loss));
  }
  return strays.size() < kFewestStrays ? 0 : 1.48 * median(std::move(strays)) / std::sqrt(6.0);
}

// A smoothed loss so far above the first one that no noise explains it.
bool exploded(const RunSeries& series, double loss) { return series.steps.front().loss > 0 && loss > kExploded * series.steps.front().loss; }

size_t bestEval(const RunSeries& series) {
  size_t best = 0;
  for (size_t i = 1; i < series.evals.size(); ++i) {
    if (series.evals[i].loss < series.evals[best].loss || !std::isfinite(series.evals[best].loss)) best = i;
  }
  return best;
}

int64_t lastStep(const RunSeries& series) {
  return std::max(series.steps.empty() ? 0 : series.steps.back().step, series.evals.empty() ? 0 : series.evals.back().step);
}

}  // namespace

std::optional<size_t> pointAt(const RunSeries& series, int64_t step) {
  const auto after = std::upper_bound(series.steps.begin(), series.steps.end(), step, [](int64_t value, const StepPoint& point) { return value < point.step; });
  if (after == series.steps.begin()) return std::nullopt;
  return static_cast<size_t>(after - series.steps.begin()) - 1;
}

Found broken(const RunSeries& series, const VerdictContext& context) {
  const auto since = brokenSince(series, context.half_precision);
  if (!since) return std::nullopt;
  Judgement found{Verdict::Broken};
  found.values["step"] = *since;
  for (size_t i = series.checkpoints.size(); i-- > 0;) {
    if (series.checkpoints[i].first >= *since) continue;
    found.values["checkpoint_step"] = series.checkpoints[i].first;
    found.values["checkpoint"] = series.checkpoints[i].second;
    break;
  }
  if (const auto point = pointAt(series, *since)) found.values["lr"] = jsonNumber(series.steps[*point].lr);
  return found;
}

Found diverging(const RunSeries& series, const VerdictContext&) {
  double lowest = HUGE_VAL;
  size_t lowest_at = 0;
  constexpr size_t kNone = SIZE_MAX;
  size_t since = kNone;
  // The smoothed loss of the first points is hardly smooth: a lucky one is no lowest. But what explodes may do so at once.
  const size_t settled = std::max(series.warm, kFewestPoints);
  for (size_t i = 0; i < series.steps.size(); ++i) {
    const double now = series.smoothed[i];
    const bool beyond = exploded(series, now);
    if (!std::isfinite(now) || (i < settled && !beyond)) continue;
    if (i >= settled && now < lowest) {
      lowest = now;
      lowest_at = i;
    }
    const bool high = beyond || now - lowest > std::max({0.5 * lowest, 0.1 * series.first_loss, 4 * series.noise});
    if (!high) since = kNone;
    if (high && since == kNone) since = i;
  }
  if (since == kNone || series.steps.back().step - series.steps[since].step < kDivergedFor) return std::nullopt;
  if (series.steps.front().loss < lowest) {
    lowest = series.steps.front().loss;
    lowest_at = 0;
  }
  Judgement found{Verdict::Diverging};
  found.values["step"] = series.steps[since].step;
  found.values["loss"] = jsonNumber(series.smoothed.back());
  found.values["lowest"] = jsonNumber(lowest);
  found.values["lowest_step"] = series.steps[lowest_at].step;
  found.values["lr"] = jsonNumber(series.steps.back().lr);
  return found;
}

Found notLearning(const RunSeries& series, const VerdictContext& context) {
  if (series.steps.empty() || static_cast<double>(series.steps.back().step) < std::max(series.stepsPerEpoch(), kUpdatesToLearn)) return std::nullopt;
  if (!(series.smoothed.back() > 0.98 * series.first_loss)) return std::nullopt;
  Judgement found{Verdict::NotLearning};
  found.values["step"] = series.steps.back().step;
  found.values["loss"] = jsonNumber(series.smoothed.back());
  found.values["first_loss"] = jsonNumber(series.first_loss);
  const double share = context.largest_class_share;
  if (share > 0 && !series.evals.empty() && std::isfinite(series.evals.back().accuracy)) {
    const EvalPoint& last = series.evals.back();
    const double error = last.samples > 0 ? std::sqrt(share * (1 - share) / last.samples) : 0;
    if (last.accuracy > share + 2 * error) return std::nullopt;
    found.values["accuracy"] = last.accuracy;
    found.values["largest_class_share"] = share;
  }
  return found;
}

Found overfitting(const RunSeries& series, const VerdictContext&) {
  const size_t count = series.evals.size();
  if (count < kFewestEvals || series.steps.empty()) return std::nullopt;
  const size_t best = bestEval(series);
  if (count - 1 - best < kMeanOf) return std::nullopt;
  double mean = 0;
  for (size_t i = count - kMeanOf; i < count; ++i) mean += series.evals[i].loss / static_cast<double>(kMeanOf);
  // More than the evaluations jump about anyway, too: few validation pictures make a restless loss.
  if (!(mean > 1.05 * series.evals[best].loss) || mean - series.evals[best].loss < 3 * strayOfLosses(series)) return std::nullopt;
  const auto then = pointAt(series, series.evals[best].step);
  if (!then || !(series.smoothed.back() < 0.99 * series.smoothed[*then])) return std::nullopt;
  Judgement found{Verdict::Overfitting};
  found.values["epoch"] = series.evals[best].epoch;
  found.values["step"] = series.evals[best].step;
  found.values["best"] = series.evals[best].loss;
  found.values["loss"] = mean;
  found.values["evaluations"] = count - 1 - best;
  return found;
}

Found levelledOff(const RunSeries& series, const VerdictContext& context) {
  const size_t count = series.evals.size();
  if (context.drop_ahead || count < kFewestEvals + 1) return std::nullopt;
  const double window = 0.2 * static_cast<double>(series.steps_total);
  size_t begin = count - 1 - kFewestEvals;
  while (begin > 0 && static_cast<double>(lastStep(series) - series.evals[begin].step) < window) --begin;
  if (static_cast<double>(lastStep(series) - series.evals[begin].step) < window) return std::nullopt;

  const bool by_accuracy = std::isfinite(series.evals.back().accuracy);
  const std::vector<double> scores = scoresOf(series, by_accuracy);
  const double before = *std::max_element(scores.begin(), scores.begin() + static_cast<ptrdiff_t>(begin) + 1);
  const auto best = std::max_element(scores.begin(), scores.end());
  const double error = by_accuracy ? standardError(*best, std::max(1.0, series.evals.back().samples)) : noiseOfLosses(series);
  if (!(*best - before < error)) return std::nullopt;
  const EvalPoint& best_eval = series.evals[static_cast<size_t>(best - scores.begin())];
  Judgement found{Verdict::LevelledOff};
  found.values["evaluations"] = count - 1 - begin;
  found.values["since_epoch"] = series.evals[begin].epoch;
  found.values["epoch"] = best_eval.epoch;
  found.values["step"] = best_eval.step;
  found.values["metric"] = by_accuracy ? "accuracy" : "loss";
  found.values["best"] = by_accuracy ? *best : -*best;
  found.values["gain"] = *best - before;
  return found;
}

Judgement otherwise(const RunSeries& series) {
  const size_t count = series.steps.size();
  Judgement found{Verdict::TooEarly};
  if (count > 0) found.values["step"] = series.steps.back().step;
  if (count >= kFewestPoints) {
    const double now = series.smoothed.back(), then = series.smoothed[count - std::max(kFewestPoints, count / 4)];
    const size_t evals = series.evals.size();
    const bool new_best = evals >= 2 && bestEval(series) + kMeanOf > evals - 1 && bestEval(series) > 0;
    found.verdict = (now < 0.99 * then || new_best) && !exploded(series, now) ? Verdict::LearningWell : Verdict::Steady;
    found.values["loss"] = jsonNumber(now);
    found.values["before"] = jsonNumber(then);
  }
  const double share = waitingShare(series);
  if (share >= 0.15) found.values["waiting_share"] = share;
  return found;
}

}  // namespace trainyard::runs
