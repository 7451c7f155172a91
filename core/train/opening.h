#pragma once
// What a run says of itself before its first step: plan.json, and the notices at the head of its events.
#include "core/train/prepared.h"

namespace trainyard::train {

// How the devices share the work.
Json layoutOf(const Prepared& prepared);

// plan.json.
Json planOf(const Prepared& prepared);

// What the numbers depend on, and how the last step of an epoch differs.
void tellOfArithmetic(EventSink& sink, const Prepared& prepared, bool resuming);

// What is left out was named before the first step; later breakage is the loader's to report.
void tellOfData(EventSink& sink, const Input& input, bool resuming);

}  // namespace trainyard::train
