#pragma once
// Stage 3: a network whose parameters are kept in slices, and are whole only while a block needs them.
#include "core/comm/communicator.h"
#include "core/parallel/shard_layout.h"
#include "core/parallel/tape.h"

namespace trainyard::parallel {

// Takes over the model's parameters: from the constructor on they have memory only between the hooks around a block, row-major, and what counts are
// the slices. One thread, that of the rank; all ranks make the same passes. Failing collectives throw comm::CommError. The model and the
// communicator must outlive it.
class ShardUnits {
 public:
  // Of a model that is whole, with equal weights on every rank. Parameters that train ask for gradients.
  ShardUnits(const models::Model& model, comm::Communicator& comm, int64_t join_below);

  // For a tape's forward and backward: gathers a block's parameters while the one before it computes, and frees them behind it; sums gradients over
  // the ranks into the slices, while the next block computes, on top of what is there.
  BlockHooks hooks();
  // The hooks around one forward pass for answers, by hand.
  void before(size_t block);
  void after(size_t block);
  // What a rank without samples does while the others make a training pass, or a forward pass for answers.
  void passBy(bool training);
  // Ends what is under way; the gradients of all passes are complete then. Before the next step: forgetGradients().
  void finish();
  void forgetGradients();

  // The part of a parameter that lies in this rank's slice; live. Never empty.
  struct Piece {
    std::string name;
    size_t parameter = 0, unit = 0;  // as Model::parameters() counts
    at::Tensor weight;               // 1-D
    int64_t begin = 0;               // in the slice
    int64_t offset = 0;              // in the parameter
    std::vector<int64_t> full_sizes;
    bool trains = false;
  };
  const std::vector<Piece>& pieces() const { return pieces_; }
  // After finish(): of a piece that trains; undefined before the first pass.
  at::Tensor gradient(const Piece& piece) const;

  // Whole tensors from a 1-D tensor for each piece, in the parameters' order; every rank calls it.
  std::vector<models::NamedTensor> gather(std::span<const at::Tensor> values) const;

  uint64_t weightBytes() const, gradientBytes() const;
  uint64_t peakBytes() const { return peak_bytes_; }  // most that was gathered, or on its way as gradients, at once

 private:
  struct Gathered {
    at::Tensor row, slice, gradient;
    comm::WorkPtr work;  // of the gathering
    bool whole = false;  // memory is there; complete once `work` is gone
    bool trains = false;
  };
  struct Reduction {
    comm::WorkPtr work;
    size_t unit = 0;
    at::Tensor row, slice;
  };
  static constexpr size_t kNone = SIZE_MAX;

  void cut(size_t unit);
  void start(size_t unit);
  void need(size_t block);
  void prefetch(size_t from, int step);
  void release(size_t block, size_t next);
  void beforeBackward(size_t block);
  void afterBackward(size_t block);
  void reduce(size_t unit);
  void finishReduction();
  void count(int64_t bytes);

  const models::Model& model_;
  std::vector<models::NamedTensor> parameters_;
  comm::Communicator& comm_;
  Units layout_;
  std::vector<Gathered> units_;
  std::vector<Piece> pieces_;
  std::optional<Reduction> reduction_;
  size_t in_backward_ = kNone;
  bool training_ = false;
  uint64_t bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace trainyard::parallel
