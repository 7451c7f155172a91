#pragma once
// Texts have nothing to prepare: the loader takes their tokens as they are.
#include "core/loader/preparer.h"

namespace trainyard::loader {

// Of shape 1 × 1 × `context`, the tokens that the network gets; writes nothing.
std::shared_ptr<const Preparer> texts(int context);

}  // namespace trainyard::loader
