#pragma once
// Data parallelism: the gradients of all ranks, summed.
#include <memory>
#include <vector>

#include "core/comm/communicator.h"

namespace c10d {
class Reducer;
}

namespace trainyard::parallel {

struct SumOptions {
  bool overlap = true;  // sums while backward goes on (c10d::Reducer); a backward pass must reach each parameter once then. Else after it.
  bool bf16 = false;    // what travels is rounded to bf16, and so are the sums
};

// Sums, never averages. One thread, each rank's own; all ranks make the same calls. In each step: begin(), then for each micro-batch beforeForward(),
// the forward pass, beforeBackward(), the backward pass; finish(). Every rank needs a backward pass in the last micro-batch.
// Buckets of 25 MiB travel, the first of 1 MiB; gradients are views of them and stay the same memory from step to step. They have the parameters'
// strides. Failing collectives throw comm::CommError or what LibTorch throws.
class GradientSum {
 public:
  // The parameters in the order of the forward pass. They and `comm` outlive it.
  GradientSum(std::vector<at::Tensor> parameters, comm::Communicator& comm, SumOptions options);
  ~GradientSum();

  void begin();  // gradients are 0
  void beforeForward(bool last);
  void beforeBackward(bool last);
  void finish();  // the sums are there
  double waited_s() const { return waited_s_; }  // in the last step, for sums that were still under way when backward was done

 private:
  void sumAfterwards();

  std::vector<at::Tensor> parameters_;
  comm::Communicator& comm_;
  SumOptions options_;
  std::unique_ptr<c10d::Reducer> reducer_;  // null: sums afterwards
  struct Travelling;
  std::shared_ptr<Travelling> travelling_;  // with the Reducer's hook
  double waited_s_ = 0;
};

}  // namespace trainyard::parallel
