#pragma once
// Which kernels MKL multiplies matrices with.
#include "core/models/model.h"

namespace trainyard::models {

// Lets MKL use its AVX-512 kernels on AMD processors too, where the network has products that are large enough to gain from them; small ones would
// lose. Before the first product of the process: MKL asks once, so later calls change nothing.
void chooseProducts(const Model& model);

}  // namespace trainyard::models
