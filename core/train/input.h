#pragma once
// What a recipe trains on: the dataset, its split and the chains from pictures to tensors.
#include <ATen/core/Tensor.h>

#include <memory>

#include "core/data/training_data.h"
#include "core/loader/loader.h"
#include "core/models/model.h"
#include "core/runs/run_directory.h"

namespace trainyard::train {

struct Input {
  std::shared_ptr<const data::Dataset> dataset;
  data::Split parts;
  data::Task task = data::Task::Classes;
  Json record;                               // what of the data goes with the run: data.json
  std::string changed;                       // on resuming: what is different from the record; empty: nothing
  std::optional<augment::Mixer> mixer;
  std::shared_ptr<const loader::Preparer> training, evaluation;
  models::InputShape shape;
  int64_t outputs = 0;  // of the network: classes, labels or numbers
  int workers = 1;      // loader threads
};

// `record`: data.json of the run that goes on; null for a new one. Error Data or Recipe; also where the batch is larger than the training part.
Result<Input> openInput(const recipe::Recipe& recipe, const Json& record = nullptr);

// Threads of arithmetic on a CPU, of each rank: the recipe's, else its share of all cores but one.
int arithmeticThreads(const recipe::Recipe& recipe);

// data.json of a run; null where a run has none. Error Data when it is damaged.
Result<Json> readRecord(const runs::Layout& run);

}  // namespace trainyard::train
