#include "core/comm/local_sum.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <cstring>

namespace trainyard::comm {

namespace {

constexpr size_t kLane = 32;     // a loop of a known length, which the compiler turns into vector instructions
constexpr size_t kBlock = 2048;  // elements that stay in the first-level cache with their sum

template <class T>
struct Sum {
  static T apply(T a, T b) { return static_cast<T>(a + b); }
};
template <>
struct Sum<bool> {
  static bool apply(bool a, bool b) { return a || b; }
};
template <class T>
struct Max {
  static T apply(T a, T b) { return b > a || b != b ? b : a; }  // not-a-number wins, as in PyTorch
};

template <class Acc, class T>
void load(Acc* __restrict acc, const T* __restrict from, size_t count) {
  size_t i = 0;
  for (; i + kLane <= count; i += kLane)
    for (size_t j = 0; j < kLane; ++j) acc[i + j] = static_cast<Acc>(from[i + j]);
  for (; i < count; ++i) acc[i] = static_cast<Acc>(from[i]);
}

template <class Op, class Acc, class T>
void accumulate(Acc* __restrict acc, const T* __restrict from, size_t count) {
  size_t i = 0;
  for (; i + kLane <= count; i += kLane)
    for (size_t j = 0; j < kLane; ++j) acc[i + j] = Op::apply(acc[i + j], static_cast<Acc>(from[i + j]));
  for (; i < count; ++i) acc[i] = Op::apply(acc[i], static_cast<Acc>(from[i]));
}

template <class T, class Acc>
void store(T* __restrict to, const Acc* __restrict acc, size_t count) {
  size_t i = 0;
  for (; i + kLane <= count; i += kLane)
    for (size_t j = 0; j < kLane; ++j) to[i + j] = static_cast<T>(acc[i + j]);
  for (; i < count; ++i) to[i] = static_cast<T>(acc[i]);
}

template <class T, class Acc, class Op>
void reduce(std::span<const std::byte* const> from, std::span<std::byte* const> to, size_t count) {
  Acc acc[kBlock];
  for (size_t begin = 0; begin < count; begin += kBlock) {
    const size_t length = std::min(kBlock, count - begin);
    load(acc, reinterpret_cast<const T*>(from[0]) + begin, length);
    for (const std::byte* source : from.subspan(1)) accumulate<Op>(acc, reinterpret_cast<const T*>(source) + begin, length);
    T* const first = reinterpret_cast<T*>(to[0]) + begin;
    store(first, acc, length);
    for (std::byte* target : to.subspan(1)) std::memcpy(reinterpret_cast<T*>(target) + begin, first, length * sizeof(T));
  }
}

template <class T, class Acc>
void reduceAs(ReduceOp op, std::span<const std::byte* const> from, std::span<std::byte* const> to, size_t count) {
  if (op == ReduceOp::Sum) return reduce<T, Acc, Sum<Acc>>(from, to, count);
  reduce<T, Acc, Max<Acc>>(from, to, count);
}

}  // namespace

bool canReduce(at::ScalarType type) {
  switch (type) {
    case at::kFloat:
    case at::kDouble:
    case at::kBFloat16:
    case at::kHalf:
    case at::kLong:
    case at::kInt:
    case at::kByte:
    case at::kBool:
      return true;
    default:
      return false;
  }
}

void reduceBlock(at::ScalarType type, ReduceOp op, std::span<const std::byte* const> from, std::span<std::byte* const> to, size_t count) {
  switch (type) {
    case at::kFloat:
      return reduceAs<float, float>(op, from, to, count);
    case at::kDouble:
      return reduceAs<double, double>(op, from, to, count);
    case at::kBFloat16:
      return reduceAs<c10::BFloat16, float>(op, from, to, count);
    case at::kHalf:
      return reduceAs<c10::Half, float>(op, from, to, count);
    case at::kLong:
      return reduceAs<int64_t, int64_t>(op, from, to, count);
    case at::kInt:
      return reduceAs<int32_t, int32_t>(op, from, to, count);
    case at::kByte:
      return reduceAs<uint8_t, uint8_t>(op, from, to, count);
    case at::kBool:
      return reduceAs<bool, bool>(op, from, to, count);
    default:
      return;
  }
}

}  // namespace trainyard::comm
