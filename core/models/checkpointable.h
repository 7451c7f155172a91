#pragma once
// What travels in a checkpoint: named tensors and scalars.
#include "core/models/safetensors.h"

namespace trainyard::models {

// What a checkpoint gives back.
struct StateReader {
  const SafetensorsFile& tensors;
  const Json& scalars;
  std::string where;  // the file, for messages
};

class Checkpointable {
 public:
  virtual ~Checkpointable() = default;
  // Adds the live tensors (not copies) and scalars that the next step depends on.
  virtual void collect(std::vector<NamedTensor>& tensors, Json& scalars) const = 0;
  // Into the parameters' own strides. Error Data naming the tensor that does not fit.
  virtual Result<void> restore(const StateReader& reader) = 0;
};

}  // namespace trainyard::models
