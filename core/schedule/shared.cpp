#include <cmath>

#include "core/schedule/makers.h"

namespace trainyard::schedule {

namespace {

constexpr uint64_t kExactDrops = 4096;

class ByUnits final : public Schedule {
 public:
  ByUnits(const Setup& setup, std::function<double(uint64_t)> rate) : setup_(setup), rate_(std::move(rate)) {}
  Hyper at(uint64_t step, const ScheduleState&) const override { return {rate_(step / setup_.steps_per_unit), setup_.base.momentum}; }

 private:
  Setup setup_;
  std::function<double(uint64_t)> rate_;
};

}  // namespace

std::unique_ptr<Schedule> byUnits(const Setup& setup, std::function<double(uint64_t unit)> rate) { return std::make_unique<ByUnits>(setup, std::move(rate)); }

Drops::Drops(double rate, double gamma) : gamma_(gamma), rates_{rate} {
  while (rates_.size() <= kExactDrops && rates_.back() != rates_.back() * gamma) rates_.push_back(rates_.back() * gamma);
}

double Drops::after(uint64_t drops) const {
  if (drops < rates_.size()) return rates_[drops];
  const uint64_t last = rates_.size() - 1;
  return rates_[last] * std::pow(gamma_, static_cast<double>(drops - last));
}

Result<uint64_t> lengthOf(const recipe::Choice& choice, const char* key, uint64_t fallback) {
  const double length = choice.number(key, static_cast<double>(fallback));
  if (!(length >= 1) || length > 9e18) {
    return fail(ErrorCode::Recipe, std::string(key) + " must be at least 1", std::string("schedule.") + key,
                "Give a number of epochs (or steps, with unit = \"step\").");
  }
  return static_cast<uint64_t>(length);
}

Result<double> gammaOf(const recipe::Choice& choice) {
  const double gamma = choice.number("gamma");
  if (!(gamma > 0) || !std::isfinite(gamma)) {
    return fail(ErrorCode::Recipe, "gamma must be greater than 0", "schedule.gamma", "0.1 leaves a tenth of the learning rate at each drop.");
  }
  return gamma;
}

}  // namespace trainyard::schedule
