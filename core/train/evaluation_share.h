#pragma once
// Evaluation of the held-out samples by several ranks: each replica answers for its share of the samples, and rank 0 collects in the samples' order, so the numbers are
// those of one device.
#include "core/train/evaluator.h"
#include "core/train/rank.h"

namespace trainyard::train {

// One rank's part. All ranks begin one and call answer() rounds() times; cost and traffic grow with samples × outputs.
class EvaluationShare {
 public:
  // The first replica's buffers (running statistics of batch norm) become those of all. Error Device.
  static Result<std::unique_ptr<EvaluationShare>> begin(const models::Model& model, TrainStep& step, const Rank& rank, const Input& input, const recipe::Recipe& recipe);
  uint64_t rounds() const { return rounds_; }
  // On rank 0: the answers of all replicas. Elsewhere an empty list. Error Device.
  Result<std::vector<Answered>> answer();

 private:
  EvaluationShare(TrainStep& step, const Rank& rank, const Input& input, const recipe::Recipe& recipe);
  Result<Answered> own();
  Result<void> give(const Answered& answered);
  Result<Answered> receive(int from);

  TrainStep& step_;
  const Rank& rank_;
  at::Device device_;
  std::vector<int64_t> one_;  // sizes of a batch of one sample
  bool tokens_;
  uint64_t rounds_;
  std::unique_ptr<loader::Loader> loader_;  // where the rank reads data
};

}  // namespace trainyard::train
