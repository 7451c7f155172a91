#include <array>
#include <cmath>

#include "core/base/units.h"
#include "core/schedule/makers.h"

namespace trainyard::schedule {

namespace {

struct Entry {
  const char* id;
  Maker make;
};
constexpr std::array kMakers = {Entry{"constant", makeConstant}, Entry{"step", makeStep}};

Result<Hyper> baseOf(const recipe::Choice& optimizer) {
  const Hyper base{optimizer.number("lr"), optimizer.number("momentum", 0)};
  if (!std::isfinite(base.lr) || base.lr < 0) {
    return fail(ErrorCode::Recipe, "the learning rate must be a number of at least 0", "optimizer.lr", "0.1 suits SGD, 0.001 Adam.");
  }
  return base;
}

}  // namespace

Result<std::unique_ptr<Schedule>> make(const recipe::Recipe& recipe, uint64_t steps_per_epoch, uint64_t) {
  const recipe::Schedule& wanted = recipe.schedule;
  if (steps_per_epoch == 0) {
    return fail(ErrorCode::Recipe, "an epoch has no steps: there is nothing to train on", "train.batch_size", "Lower batch_size, or give more training data.");
  }
  TRAINYARD_TRY(const Hyper base, baseOf(recipe.optimizer));
  const uint64_t steps_per_unit = wanted.per_epoch ? steps_per_epoch : 1;
  if (wanted.warmup > static_cast<uint64_t>(INT64_MAX) / steps_per_unit) {
    return fail(ErrorCode::Recipe, "a warm-up of " + formatCount(wanted.warmup) + (wanted.per_epoch ? " epochs" : " steps") + " is too long", "schedule.warmup",
                "A few epochs, or a few hundred steps, are usual.");
  }
  for (const Entry& entry : kMakers) {
    if (wanted.choice.id != entry.id) continue;
    TRAINYARD_TRY(std::unique_ptr<Schedule> schedule, entry.make(wanted.choice, Setup{base, steps_per_unit}));
    return withWarmup(std::move(schedule), wanted.warmup * steps_per_unit);
  }
  const std::string near = nearestWord(wanted.choice.id, madeIds());
  return fail(ErrorCode::Recipe, "there is no schedule '" + wanted.choice.id + "'", "schedule.type",
              near.empty() ? "Known are constant and step." : "Did you mean '" + near + "'?");
}

std::vector<double> preview(const Schedule& schedule, uint64_t steps_total) {
  std::vector<double> rates;
  rates.reserve(steps_total);
  const ScheduleState state;
  for (uint64_t step = 0; step < steps_total; ++step) rates.push_back(schedule.at(step, state).lr);
  return rates;
}

std::vector<std::string> madeIds() {
  std::vector<std::string> ids;
  for (const Entry& entry : kMakers) ids.emplace_back(entry.id);
  return ids;
}

}  // namespace trainyard::schedule
