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
constexpr std::array kMakers = {Entry{"constant", makeConstant},
                                Entry{"step", makeStep},
                                Entry{"multistep", makeMultistep},
                                Entry{"exponential", makeExponential},
                                Entry{"cosine", makeCosine},
                                Entry{"cosine_restarts", makeCosineRestarts},
                                Entry{"polynomial", makePolynomial},
                                Entry{"linear", makeLinear},
                                Entry{"one_cycle", makeOneCycle},
                                Entry{"inverse_sqrt", makeInverseSqrt},
                                Entry{"reduce_on_plateau", makeReduceOnPlateau}};

std::string knownIds() {
  std::string known;
  for (const std::string& id : madeIds()) known += (known.empty() ? "" : ", ") + id;
  return known;
}

Result<Hyper> baseOf(const recipe::Choice& optimizer) {
  const Hyper base = hyperOf(optimizer);
  if (!std::isfinite(base.lr) || base.lr < 0) {
    return fail(ErrorCode::Recipe, "the learning rate must be a number of at least 0", "optimizer.lr", "0.1 suits SGD, 0.001 Adam.");
  }
  return base;
}

}  // namespace

Hyper hyperOf(const recipe::Choice& optimizer) {
  const Json betas = optimizer.params.value("betas", Json::array());
  return {optimizer.number("lr"), optimizer.number("momentum", betas.empty() ? 0 : numberFrom(betas.front(), 0))};
}

Result<std::unique_ptr<Schedule>> make(const recipe::Recipe& recipe, uint64_t steps_per_epoch, uint64_t steps_total) {
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
    const uint64_t warmup = wanted.warmup * steps_per_unit, steps = steps_total > warmup ? steps_total - warmup : 1;
    const Setup setup{base, steps_per_unit, steps, (steps - 1) / steps_per_unit + 1, wanted.warmup};
    TRAINYARD_TRY(std::unique_ptr<Schedule> schedule, entry.make(wanted.choice, setup));
    return withWarmup(std::move(schedule), warmup);
  }
  const std::string near = nearestWord(wanted.choice.id, madeIds());
  return fail(ErrorCode::Recipe, "there is no schedule '" + wanted.choice.id + "'", "schedule.type",
              near.empty() ? "Known are " + knownIds() + "." : "Did you mean '" + near + "'?");
}

void Schedule::evaluated(double, uint64_t, ScheduleState&) const {}

std::vector<Hyper> previewAll(const Schedule& schedule, uint64_t steps_total) {
  std::vector<Hyper> steps;
  steps.reserve(steps_total);
  const ScheduleState state;
  for (uint64_t step = 0; step < steps_total; ++step) steps.push_back(schedule.at(step, state));
  return steps;
}

std::vector<double> preview(const Schedule& schedule, uint64_t steps_total) {
  std::vector<double> rates;
  rates.reserve(steps_total);
  for (const Hyper& hyper : previewAll(schedule, steps_total)) rates.push_back(hyper.lr);
  return rates;
}

std::vector<std::string> madeIds() {
  std::vector<std::string> ids;
  for (const Entry& entry : kMakers) ids.emplace_back(entry.id);
  return ids;
}

}  // namespace trainyard::schedule
