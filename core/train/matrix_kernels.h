#pragma once
// Which of MKL's kernels multiply matrices on a processor that is not Intel's. MKL takes its general ones there, which are quicker for few rows; the
// ones for AVX2 and AVX-512 are quicker for many, as transformers have them.
namespace trainyard::train {

// Before the first product of the process: MKL asks once. On Intel's processors it changes nothing.
void preferManyRows(bool many);

}  // namespace trainyard::train
