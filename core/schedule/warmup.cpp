#include "core/schedule/makers.h"

namespace trainyard::schedule {

namespace {

class Warmup final : public Schedule {
 public:
  Warmup(std::unique_ptr<Schedule> inner, uint64_t steps) : inner_(std::move(inner)), steps_(steps) {}

  Hyper at(uint64_t step, const ScheduleState& state) const override {
    if (step >= steps_) return inner_->at(step - steps_, state);
    Hyper hyper = inner_->at(0, state);
    hyper.lr *= static_cast<double>(step + 1) / (static_cast<double>(steps_) + 1);
    return hyper;
  }

  std::string watches() const override { return inner_->watches(); }

  void evaluated(double value, uint64_t step, ScheduleState& state) const override {
    if (step >= steps_) inner_->evaluated(value, step - steps_, state);
  }

 private:
  std::unique_ptr<Schedule> inner_;
  uint64_t steps_;
};

}  // namespace

std::unique_ptr<Schedule> withWarmup(std::unique_ptr<Schedule> inner, uint64_t steps) {
  if (steps == 0) return inner;
  return std::make_unique<Warmup>(std::move(inner), steps);
}

}  // namespace trainyard::schedule
