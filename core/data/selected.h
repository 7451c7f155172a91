#pragma once
// Inside the data room: a dataset without the samples and classes that the recipe leaves out.
#include "core/data/dataset.h"

namespace trainyard::data {

// `dataset` itself when nothing is left out. The classes behind one that is left out move up; a sample of several labels only loses that label.
// Names in data.exclude that are not there (any more) change nothing; a name in data.exclude_classes that is no class is an error when `strict`
// (the data that is trained on; held-out data may lack classes). Error Recipe, or Data when nothing remains.
Result<std::unique_ptr<Dataset>> leaveOut(std::unique_ptr<Dataset> dataset, const recipe::Data& data, bool strict);

}  // namespace trainyard::data
