#pragma once
// Inside the data room: two datasets as one.
#include <memory>

#include "core/data/dataset.h"

namespace trainyard::data {

// `held_out` behind `first`, all of it in `part`; its classes, labels, numbers, columns and categories are turned into those of `first` by name.
// Error Data for samples of a class that `first` does not have, a column that is missing or of another kind, other targets; `where` names the
// held-out data in it.
Result<std::shared_ptr<const Dataset>> join(std::shared_ptr<const Dataset> first, std::shared_ptr<const Dataset> held_out, Part part, const std::string& where);

}  // namespace trainyard::data
