#pragma once
// Inside the reader of pickles: the names of Python's that a weight file may use, and what the reader makes of them.
#include <c10/core/ScalarType.h>

#include <cstddef>
#include <string_view>

namespace trainyard::models {

enum class PickleCall { Dictionary, Sequence, Nothing, Tensor, OldTensor, Parameter, StorageType };

struct PickleGlobal {
  const char* module;
  const char* name;
  PickleCall call;
  at::ScalarType type = at::ScalarType::Undefined;  // StorageType
};

inline constexpr PickleGlobal kPickleGlobals[] = {
    {"collections", "OrderedDict", PickleCall::Dictionary},
    {"torch", "Size", PickleCall::Sequence},
    {"torch", "device", PickleCall::Nothing},
    {"torch._utils", "_rebuild_tensor_v2", PickleCall::Tensor},
    {"torch._utils", "_rebuild_tensor", PickleCall::OldTensor},
    {"torch._utils", "_rebuild_parameter", PickleCall::Parameter},
    {"torch", "FloatStorage", PickleCall::StorageType, at::kFloat},
    {"torch", "DoubleStorage", PickleCall::StorageType, at::kDouble},
    {"torch", "HalfStorage", PickleCall::StorageType, at::kHalf},
    {"torch", "BFloat16Storage", PickleCall::StorageType, at::kBFloat16},
    {"torch", "LongStorage", PickleCall::StorageType, at::kLong},
    {"torch", "IntStorage", PickleCall::StorageType, at::kInt},
    {"torch", "ShortStorage", PickleCall::StorageType, at::kShort},
    {"torch", "CharStorage", PickleCall::StorageType, at::kChar},
    {"torch", "ByteStorage", PickleCall::StorageType, at::kByte},
    {"torch", "BoolStorage", PickleCall::StorageType, at::kBool},
};

// nullptr: not one of them.
inline const PickleGlobal* findPickleGlobal(std::string_view module, std::string_view name) {
  for (const auto& global : kPickleGlobals) {
    if (module == global.module && name == global.name) return &global;
  }
  return nullptr;
}

}  // namespace trainyard::models
