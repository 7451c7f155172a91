#include "core/schedule/makers.h"

namespace trainyard::schedule {

namespace {

class Constant final : public Schedule {
 public:
  explicit Constant(const Hyper& base) : base_(base) {}
  Hyper at(uint64_t, const ScheduleState&) const override { return base_; }

 private:
  Hyper base_;
};

}  // namespace

Result<std::unique_ptr<Schedule>> makeConstant(const recipe::Choice&, const Setup& setup) { return std::make_unique<Constant>(setup.base); }

}  // namespace trainyard::schedule
