#include "core/train/lr_find.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/train/arithmetic.h"
#include "core/train/session.h"

namespace trainyard::train {

namespace {

constexpr double kPast = 0.98, kExploded = 4;
constexpr size_t kSkippedFirst = 10;

// The micro-batches of the next update; through the end of an epoch into the next.
Json numbersOf(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(jsonNumber(value));
  return list;
}

}  // namespace

double Smoother::next(double loss) {
  average_ = kPast * average_ + (1 - kPast) * loss;
  weight_ = kPast * weight_ + (1 - kPast);
  return average_ / weight_;
}

std::optional<double> suggestRate(const std::vector<double>& lr, const std::vector<double>& smoothed) {
  std::optional<size_t> steepest;
  double slope = 0;
  const size_t end = smoothed.empty() ? 0 : smoothed.size() - 1;
  for (size_t i = kSkippedFirst; i < end; ++i) {
    const double here = i == kSkippedFirst ? smoothed[i + 1] - smoothed[i] : i + 1 == end ? smoothed[i] - smoothed[i - 1] : (smoothed[i + 1] - smoothed[i - 1]) / 2;
    if (!(here < slope)) continue;
    slope = here;
    steepest = i;
  }
  return steepest ? std::optional(lr[*steepest]) : std::nullopt;
}

Result<Json> findRate(const recipe::Recipe& recipe, const RateTest& test, const Observer& observer) {
  TRAINYARD_TRY(const DeviceName device, resolveDevice(recipe.parallel.devices.front()));
  TRAINYARD_CHECK(checkPrecision(recipe, device));
  TRAINYARD_TRY(const Input input, openInput(recipe));
  TRAINYARD_CHECK(openDevice(device));
  at::init_num_threads();
  at::set_num_threads(arithmeticThreads(recipe));
  setArithmetic(recipe);
  TRAINYARD_TRY(FreshModel fresh, freshModel(recipe, input));
  const Rank rank{.device = device};
  TRAINYARD_TRY(Session session, startSession(std::move(fresh), recipe, input, rank, {}));
  const double momentum = schedule::hyperOf(recipe.optimizer).momentum, factor = std::pow(test.to / test.from, 1.0 / static_cast<double>(std::max<uint64_t>(test.steps, 2) - 1));
  std::vector<double> rates, losses, smoothed;
  Smoother smoother;
  double best = INFINITY;
  for (uint64_t step = 0; step < test.steps; ++step) {
    if (observer.stop_requests != nullptr && observer.stop_requests->load() > 0) return fail(ErrorCode::Interrupted, "the search for a learning rate was stopped", "");
    TRAINYARD_TRY(auto micros, nextStep(*session.loader));
    models::RunContext context;
    context.training = true;
    context.seed = recipe.run.seed;
    context.step = step;
    const double rate = test.from * std::pow(factor, static_cast<double>(step));
    TRAINYARD_TRY(const StepReport report, session.step->run(micros, {rate, momentum}, context, false));
    const double loss = report.loss_sum.item<double>();
    if (!std::isfinite(loss)) break;
    rates.push_back(rate);
    losses.push_back(loss);
    smoothed.push_back(smoother.next(loss));
    if (observer.progress) observer.progress(step + 1, test.steps);
    if (step > 1 && smoothed.back() > kExploded * best) break;
    best = std::min(best, smoothed.back());
  }
  const auto suggestion = suggestRate(rates, smoothed);
  return Json{{"lr", rates}, {"loss", numbersOf(losses)}, {"smoothed", numbersOf(smoothed)}, {"suggestion", suggestion ? Json(*suggestion) : Json()}};
}

}  // namespace trainyard::train
