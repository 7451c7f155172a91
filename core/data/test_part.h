#pragma once
// The test part of a recipe: drawn at its first run and from then on always the same samples, whatever the seed; opened only by an explicit evaluation,
// and every opening is recorded. A recipe is known by its name and its data's path. Kept below dataHome()/test-parts, never beside the data.
#include <optional>
#include <string>
#include <vector>

#include "core/data/split.h"

namespace trainyard::data {

struct TestPart {
  std::vector<std::string> names;  // Dataset::name; empty where the data or a path says itself what the test part is
  double made = 0;                 // s since the epoch; 0: nothing is set aside yet
  struct Opening {
    std::string run;
    double time = 0;  // s since the epoch
    uint64_t samples = 0;
  };
  std::vector<Opening> openings;  // oldest first
};

// What is set aside for this recipe and how often it was opened. Writes nothing. Error Data: the record is damaged.
Result<TestPart> testPartOf(const recipe::Recipe& recipe);

// openWithSplit with the test part that is set aside: samples that went away are missing from it, new ones never join it. Where data.test is a share
// and nothing is set aside yet, it is drawn. Writes nothing.
Result<Opened> openWithTestPart(const recipe::Recipe& recipe);

// At the start of a recipe's first run: `test`, indices into `dataset`, is the test part from now on. Nothing happens where data.test is no share, or
// where it is of what is set aside already. Error Failed when it cannot be written, or another run has just set aside another one.
Result<void> settleTestPart(const recipe::Recipe& recipe, const Dataset& dataset, const std::vector<uint64_t>& test);

// Adds to the record that `run` was evaluated on `samples` samples of the test part. Before the evaluation: no result without a record. Error Failed.
Result<void> recordOpening(const recipe::Recipe& recipe, const std::string& run, uint64_t samples);

}  // namespace trainyard::data
