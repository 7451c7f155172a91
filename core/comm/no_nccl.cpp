// Stands in for nccl.cpp where the CUDA and NCCL headers are missing.
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "core/comm/communicator.h"

namespace trainyard::comm {

namespace {

class NoNccl : public NcclLibrary {
 public:
  std::string version() const override { return "built without NCCL"; }
  Result<std::unique_ptr<Communicator>> communicator(const c10::intrusive_ptr<c10d::Store>&, int, int, int, const CommOptions&) override {
    return fail(ErrorCode::Device, "this build has no NCCL", "parallel.devices", "install the CUDA toolkit with NCCL's headers and build again, or train on one device");
  }
};

}  // namespace

}  // namespace trainyard::comm

extern "C" trainyard::comm::NcclLibrary* trainyardNccl() {
  static trainyard::comm::NoNccl library;
  return &library;
}
