#pragma once
// Inside the data room: two datasets as one.
#include "core/data/split.h"

namespace trainyard::data {

// `held_out` behind `train`, its labels turned into those of `train` by class name; all of `train` that is not validation of its own
// trains. Error Data for a class that `train` does not have; `where` names the held-out folder in it.
Result<Opened> join(std::shared_ptr<const Dataset> train, std::shared_ptr<const Dataset> held_out, const std::string& where);

}  // namespace trainyard::data
