#include "core/runs/verdict.h"

#include <array>
#include <utility>

#include "core/runs/verdict_rules.h"

namespace trainyard::runs {

namespace {

constexpr int kShowAfter = 3, kClearAfter = 6;

constexpr std::array<std::string_view, 14> kNames = {"silent",           "stalled",  "broken", "diverging", "not_learning", "overfitting",   "levelled_off",
                                                     "waiting_for_data", "gpu_idle", "slowed", "uneven",    "too_early",    "learning_well", "steady"};

using Rule = Found (*)(const RunSeries&, const VerdictContext&);
constexpr std::array<Rule, 11> kRules = {silent, stalled, broken, diverging, notLearning, overfitting, levelledOff, waitingForData, gpuIdle, slowed, uneven};

bool isCalm(Verdict verdict) { return verdict >= Verdict::TooEarly; }

}  // namespace

std::string_view verdictName(Verdict verdict) { return kNames.at(static_cast<size_t>(verdict)); }

Judgement judge(std::span<const Event> events, const VerdictContext& context) {
  const RunSeries series = seriesOf(events);
  for (const Rule rule : kRules) {
    if (auto found = rule(series, context)) return *std::move(found);
  }
  return otherwise(series);
}

const Judgement& VerdictHold::check(const Judgement& fresh) {
  seen_ = fresh.verdict == candidate_.verdict ? seen_ + 1 : 1;
  candidate_ = fresh;
  if (std::exchange(first_, false) || fresh.verdict == shown_.verdict || (isCalm(fresh.verdict) && isCalm(shown_.verdict))) {
    missed_ = 0;
    shown_ = fresh;
    return shown_;
  }
  ++missed_;
  const bool may_replace = isCalm(shown_.verdict) || fresh.verdict < shown_.verdict || missed_ >= kClearAfter;
  if (may_replace && seen_ >= kShowAfter) {
    shown_ = fresh;
    missed_ = 0;
  } else if (missed_ >= kClearAfter && !isCalm(shown_.verdict)) {
    shown_ = Judgement{Verdict::Steady, Json::object()};
    missed_ = 0;
  }
  return shown_;
}

}  // namespace trainyard::runs
