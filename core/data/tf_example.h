#pragma once
// Inside the data room: one tf.Example, as far as pictures with class labels need it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/data/bytes.h"

namespace trainyard::data {

struct ExampleKeys {
  std::string image = "image/encoded", label = "image/class/label", text = "image/class/text";
};

struct Example {
  bool has_image = false;
  std::optional<int64_t> label;
  std::string text;  // empty: none
};

// Looks at the record of `size` bytes at `offset` without reading the picture in it: whatever is large is skipped. The record's end has been checked
// against the file's. Error Data (`where` names the file, `what` begins with "record"): not a tf.Example, or a value of the wrong type.
Result<Example> peekExample(const Bytes& bytes, Window& window, uint64_t offset, uint64_t size, const ExampleKeys& keys);

// The picture's bytes within a whole record, a view of it. Error Data.
Result<std::string_view> pictureOfExample(std::string_view record, const std::string& image_key, const std::string& name);

}  // namespace trainyard::data
