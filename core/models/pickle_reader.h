#pragma once
// Python's pickle format, read as data. A pickle is a program for a small machine, and an unrestricted one can call anything; this machine knows
// the few records that PyTorch's weight files consist of and refuses everything else by name. Nothing in a file is ever imported or called.
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace trainyard::models {

// Where a tensor's numbers lie: in `elements` numbers of `type` under the name `key`.
struct StorageRecord {
  at::ScalarType type = at::kFloat;
  std::string key;
  int64_t elements = 0, offset = 0;  // offset: in numbers, of a view into the storage
};

// A tensor as a view of a storage; sizes, strides and offset are inside it, in numbers.
struct TensorRecord {
  StorageRecord storage;
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;
};

// One value of a pickle.
struct PickleValue {
  enum class Kind { None, Boolean, Integer, Real, Text, Sequence, Dictionary, Global, Storage, Tensor };
  Kind kind = Kind::None;
  int64_t integer = 0;                   // Boolean, Integer; Global: its place in the table of those that are known
  double real = 0;
  std::string text;                      // Text; Integer: the bytes of one that does not fit into 64 bits
  std::vector<const PickleValue*> items; // Sequence: the elements; Dictionary: key, value, key, value, …
  StorageRecord storage;
  TensorRecord tensor;

  bool is(Kind other) const { return kind == other; }
};

// The outcome of reading one pickle; owns all its values.
class Pickle {
 public:
  // Reads the pickle that begins at `at` and moves `at` behind it. Error Data with `where`: cut short, damaged, or with something in it that is not
  // part of a weight file (which is named).
  static Result<Pickle> read(std::string_view bytes, size_t& at, const std::string& where);
  const PickleValue& root() const { return *root_; }
  std::vector<const StorageRecord*> storages() const;  // all that it speaks of; one may occur several times

 private:
  friend class PickleMachine;
  std::deque<PickleValue> values_;
  const PickleValue* root_ = nullptr;
};

}  // namespace trainyard::models
