// Stands in for nccl.cpp where the CUDA and NCCL headers are missing.
#include "core/comm/communicator.h"

namespace trainyard::comm {

namespace {

class NoNccl : public NcclLibrary {
 public:
  std::string version() const override { return "built without NCCL"; }
  Result<std::unique_ptr<Communicator>> communicator(const std::string&, int, int, int, int) override {
    return fail(ErrorCode::Device, "this build has no NCCL", "parallel.devices", "install the CUDA toolkit with NCCL's headers and build again, or train on one device");
  }
};

}  // namespace

}  // namespace trainyard::comm

extern "C" trainyard::comm::NcclLibrary* trainyardNccl() {
  static trainyard::comm::NoNccl library;
  return &library;
}
