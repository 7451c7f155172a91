#pragma once
// What a recipe trains on, as it stands at this moment: the dataset, its parts without the pictures that cannot be used, and what the training
// part teaches about a table. A run keeps the record of it, so that resuming, evaluating and predicting agree with the training.
#include <optional>
#include <span>

#include "core/data/scan.h"
#include "core/data/split.h"

namespace trainyard::data {

struct LeftOut {
  std::string file;
  std::string why;
};

struct TrainingData {
  std::shared_ptr<const Dataset> dataset;
  Split parts;                          // without what is left out
  std::vector<LeftOut> left_out;        // unreadable samples, by Dataset::name
  std::optional<TableEncoder> encoder;  // tables
};

// `record`: of the run that goes on (null: a new one): what it left out stays out, and its encoder is kept. Error Recipe or Data; Error Data
// when nothing is left to train on. Writes nothing: a new run settles its test part itself (test_part.h).
Result<TrainingData> openForTraining(const recipe::Recipe& recipe, const Json& record = nullptr, const ScanOptions& options = {});

// {task, samples, fingerprint, left_out: [{file, why}], encoder}: the run's data.json.
Json recordOf(const TrainingData& data);

// Whether the samples are still those of the record; the text says what changed, empty when nothing did.
std::string changedSince(const Json& record, const TrainingData& data);

// A fingerprint of the classes and of these samples' names and targets, in this order; of a table's rows and a text's bytes too, not of pictures.
Result<std::string> contentsOf(const Dataset& dataset, std::span<const uint64_t> samples);

// "classes", "labels", "numbers"
Task taskFrom(const Json& record);

}  // namespace trainyard::data
