// Rules about the pace: whether it goes on, how fast, and what holds it up.
#include <algorithm>
#include <cmath>

#include "core/runs/verdict_rules.h"

namespace trainyard::runs {

namespace {

constexpr double kSilentAfter_s = 30, kStalledAfter_s = 60, kFirstStepWithin_s = 300, kWindow_s = 60, kHot_c = 83;
constexpr size_t kRecentPoints = 50, kFewestPoints = 10, kSpeedOf = 5;

// s between two step lines; NaN before there are three.
double usualInterval(const RunSeries& series) {
  std::vector<double> gaps;
  const auto& steps = series.steps;
  for (size_t i = steps.size() > kRecentPoints ? steps.size() - kRecentPoints : 1; i < steps.size(); ++i) {
    if (steps[i - 1].time >= series.session_start) gaps.push_back(steps[i].time - steps[i - 1].time);
  }
  return gaps.size() < 2 ? std::nan("") : median(std::move(gaps));
}

// The evaluation at the end of an epoch says nothing until it is done: it may take as long as the epoch did.
double evaluationUnderWay_s(const RunSeries& series, double usual) {
  const double per_epoch = series.stepsPerEpoch();
  if (series.steps.empty() || per_epoch < 1 || !std::isfinite(usual)) return 0;
  const int64_t step = series.steps.back().step;
  const double in_epoch = std::fmod(static_cast<double>(step), per_epoch);
  const bool epoch_over = in_epoch == 0 || in_epoch + series.stride >= per_epoch;
  const bool evaluated = !series.evals.empty() && series.evals.back().step >= step;
  return epoch_over && !evaluated ? per_epoch / series.stride * usual : 0;
}

// Median use of each GPU in the last minute; only those that were watched all that time.
std::map<std::string, double> recentUse(const RunSeries& series, double now) {
  std::map<std::string, double> use;
  for (const auto& [device, points] : series.gpus) {
    std::vector<double> values;
    for (auto point = points.rbegin(); point != points.rend() && point->time > now - kWindow_s; ++point) values.push_back(point->utilization);
    const double middle = median(values);
    if (values.size() >= kFewestPoints && values.size() < points.size() && std::isfinite(middle)) use[device] = middle;
  }
  return use;
}

struct Pace {
  size_t at = 0;  // of series.steps
  double time = 0, speed = 0;
};

std::vector<Pace> pacesOf(const RunSeries& series) {
  std::vector<Pace> paces;
  for (size_t i = 0; i < series.steps.size(); ++i) {
    const StepPoint& point = series.steps[i];
    const double speed = point.speed > 0 ? point.speed : point.step_ms > 0 ? 1000 / point.step_ms : std::nan("");
    if (point.time >= series.engine_start && std::isfinite(speed)) paces.push_back({i, point.time, speed});
  }
  return paces;
}

// The highest speed that was kept for some points: one lucky point is no measure.
Pace bestPace(const std::vector<Pace>& paces) {
  Pace best;
  for (size_t i = kSpeedOf; i <= paces.size(); ++i) {
    std::vector<double> speeds;
    for (size_t j = i - kSpeedOf; j < i; ++j) speeds.push_back(paces[j].speed);
    const double middle = median(std::move(speeds));
    if (middle > best.speed) best = {paces[i - 1].at, paces[i - 1].time, middle};
  }
  return best;
}

double medianOf(const RunSeries& series, size_t begin, size_t end, double StepPoint::*member) {
  std::vector<double> values;
  for (size_t i = begin; i < end; ++i) values.push_back(series.steps[i].*member);
  const double middle = median(std::move(values));
  return std::isfinite(middle) ? middle : 0;
}

bool isHot(const RunSeries& series) {
  return std::any_of(series.gpus.begin(), series.gpus.end(),
                     [](const auto& entry) { return !entry.second.empty() && entry.second.back().temperature >= kHot_c; });
}

// The part of the step that grew most since the best time.
std::string causeOf(const RunSeries& series, size_t best, size_t slow) {
  const size_t fast = best + 1 >= kSpeedOf ? best + 1 - kSpeedOf : 0;
  const auto growth = [&](double StepPoint::*member) { return medianOf(series, slow, series.steps.size(), member) - medianOf(series, fast, best + 1, member); };
  const double waiting = growth(&StepPoint::wait_ms), compute = growth(&StepPoint::compute_ms), comm = growth(&StepPoint::comm_ms);
  const double most = std::max({waiting, compute, comm});
  if (!(most > 0)) return "unknown";
  if (most == waiting) return "data";
  if (most == comm) return "communication";
  return isHot(series) ? "heat" : "compute";
}

}  // namespace

Found silent(const RunSeries& series, const VerdictContext& context) {
  const double since = std::max(series.last_device_time, series.session_start);
  if (!context.live || since == 0 || !(context.now - since > kSilentAfter_s)) return std::nullopt;
  Judgement found{Verdict::Silent};
  found.values["seconds"] = context.now - since;
  found.values["since"] = since;
  return found;
}

Found stalled(const RunSeries& series, const VerdictContext& context) {
  const double since = std::max(series.last_activity, series.session_start);
  if (!context.live || since == 0) return std::nullopt;
  const double usual = usualInterval(series);
  double allowed = std::isfinite(usual) ? std::max(kStalledAfter_s, 20 * usual) : kFirstStepWithin_s;
  allowed += series.longest_break + evaluationUnderWay_s(series, usual);
  if (!(context.now - since > allowed)) return std::nullopt;
  Judgement found{Verdict::Stalled};
  found.values["seconds"] = context.now - since;
  found.values["since"] = since;
  if (!series.steps.empty()) found.values["step"] = series.steps.back().step;
  if (std::isfinite(usual)) found.values["usual_seconds"] = usual;
  return found;
}

Found waitingForData(const RunSeries& series, const VerdictContext&) {
  const double share = waitingShare(series);
  if (!(share >= 0.30)) return std::nullopt;
  Judgement found{Verdict::WaitingForData};
  found.values["share"] = share;
  if (share < 1) found.values["speedup"] = 1 / (1 - share);
  return found;
}

Found gpuIdle(const RunSeries& series, const VerdictContext& context) {
  const auto use = recentUse(series, context.now);
  const double waiting = waitingShare(series);
  if (!context.live || use.empty() || !(waiting < 0.10) || series.steps.front().time > context.now - kWindow_s) return std::nullopt;
  std::vector<double> values;
  for (const auto& [device, value] : use) values.push_back(value);
  const double middle = median(std::move(values));
  if (!(middle < 0.60)) return std::nullopt;
  Judgement found{Verdict::GpuIdle};
  found.values["use"] = middle;
  found.values["share"] = waiting;
  return found;
}

Found slowed(const RunSeries& series, const VerdictContext& context) {
  const std::vector<Pace> paces = pacesOf(series);
  if (!context.live || paces.size() < kFewestPoints) return std::nullopt;
  const Pace best = bestPace(paces);
  size_t begin = paces.size();
  while (begin > 0 && paces[begin - 1].speed < 0.7 * best.speed) --begin;
  if (begin == paces.size() || paces.back().time - paces[begin].time < kWindow_s) return std::nullopt;
  std::vector<double> speeds;
  for (size_t i = begin; i < paces.size(); ++i) speeds.push_back(paces[i].speed);
  const double now = median(std::move(speeds));
  Judgement found{Verdict::Slowed};
  found.values["speed"] = now;
  found.values["best"] = best.speed;
  found.values["share"] = now / best.speed;
  found.values["step"] = series.steps[paces[begin].at].step;
  found.values["cause"] = causeOf(series, best.at, paces[begin].at);
  return found;
}

Found uneven(const RunSeries& series, const VerdictContext& context) {
  const auto use = recentUse(series, context.live ? context.now : series.last_device_time);
  if (use.size() < 2) return std::nullopt;
  const auto [low, high] = std::minmax_element(use.begin(), use.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const double spread = high->second > 0 ? (high->second - low->second) / high->second : 0;
  if (!(spread > 0.15)) return std::nullopt;
  Judgement found{Verdict::Uneven};
  found.values["spread"] = spread;
  found.values["slowest"] = high->first;
  found.values["idlest"] = low->first;
  return found;
}

}  // namespace trainyard::runs
