#pragma once
// Lists of tensors on their way from one stage to another.
#include <map>

#include "core/comm/communicator.h"
#include "core/models/model.h"

namespace trainyard::parallel {

// What makes lists alike: those with equal keys have equal sizes, types and layouts.
using BorderKey = std::vector<int64_t>;

// One direction between two ranks; one object at either end, which see the same keys in the same order. With a key's first list goes a description
// of its tensors, so the receiver need not know them. Whether a gradient is asked for travels too, and so does which tensors are undefined. 4-D
// tensors keep channels_last. One thread.
class Border {
 public:
  // `tag`: different for borders over one communicator. The communicator outlives the border.
  Border(comm::Communicator& comm, int peer, int tag) : comm_(comm), peer_(peer), tag_(tag) {}

  // Never blocks. Error Failed: more tensors or dimensions than a description has room for, or another list than the key's first.
  Result<void> send(const models::Values& values, const BorderKey& key);
  // On `device`. Waits. Error Device.
  Result<models::Values> receive(const BorderKey& key, at::Device device);
  // Waits until all that was sent has left. Error Device.
  Result<void> flush();

 private:
  using Description = std::vector<int64_t>;
  Result<Description> describe(const models::Values& values) const;
  Result<void> receiveInto(at::Tensor tensor);

  comm::Communicator& comm_;
  int peer_, tag_;
  std::map<BorderKey, Description> known_;
  std::vector<comm::WorkPtr> sent_;
};

}  // namespace trainyard::parallel
