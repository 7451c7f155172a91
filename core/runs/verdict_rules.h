#pragma once
// The rules of the verdict, one function each, in the order in which the first match wins. Internal to this room.
#include <optional>

#include "core/runs/verdict.h"
#include "core/runs/verdict_series.h"

namespace trainyard::runs {

using Found = std::optional<Judgement>;

Found silent(const RunSeries& series, const VerdictContext& context);
Found stalled(const RunSeries& series, const VerdictContext& context);
Found broken(const RunSeries& series, const VerdictContext& context);
Found diverging(const RunSeries& series, const VerdictContext& context);
Found notLearning(const RunSeries& series, const VerdictContext& context);
Found overfitting(const RunSeries& series, const VerdictContext& context);
Found levelledOff(const RunSeries& series, const VerdictContext& context);
Found waitingForData(const RunSeries& series, const VerdictContext& context);
Found gpuIdle(const RunSeries& series, const VerdictContext& context);
Found slowed(const RunSeries& series, const VerdictContext& context);
Found uneven(const RunSeries& series, const VerdictContext& context);
Judgement otherwise(const RunSeries& series);

// The point that stands for `step`: the last one at or before it; nullopt when there is none.
std::optional<size_t> pointAt(const RunSeries& series, int64_t step);

}  // namespace trainyard::runs
