#include "core/data/tf_example.h"

#include <exception>
#include <protozero/pbf_reader.hpp>

#include "core/base/units.h"

namespace trainyard::data {

namespace {

// message Example { Features features = 1; }
// message Features { map<string, Feature> feature = 1; }        an entry: { string key = 1; Feature value = 2; }
// message Feature { oneof { BytesList bytes_list = 1; FloatList float_list = 2; Int64List int64_list = 3; } }
// message …List { repeated value = 1; }
constexpr protozero::pbf_tag_type kFeatures = 1, kEntry = 1, kKey = 1, kValue = 2, kBytes = 1, kInts = 3, kItem = 1;

constexpr uint64_t kSmall = 4096;    // entries up to this size are read whole
constexpr size_t kKeyWindow = 256;   // of larger ones only so much: the key stands first
constexpr size_t kLongestHead = 16;  // a tag and a length
constexpr char kHint[] = "choose the keys that this data has with image_key and label_key; tf.Example records are read";

std::string_view view(protozero::data_view data) { return {data.data(), data.size()}; }

struct Entry {
  std::string_view key;
  protozero::data_view value{"", 0};
};

// Throws protozero::exception.
Entry entryOf(std::string_view bytes) {
  Entry entry;
  protozero::pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    if (reader.tag_and_type() == protozero::tag_and_type(kKey, protozero::pbf_wire_type::length_delimited))
      entry.key = view(reader.get_view());
    else if (reader.tag_and_type() == protozero::tag_and_type(kValue, protozero::pbf_wire_type::length_delimited))
      entry.value = reader.get_view();
    else
      reader.skip();
  }
  return entry;
}

// The list of a feature: BytesList or Int64List, whichever `kind` asks for; nothing when the feature is of another kind.
std::optional<protozero::data_view> listOf(protozero::data_view feature, protozero::pbf_tag_type kind) {
  std::optional<protozero::data_view> list;
  protozero::pbf_reader reader(feature);
  while (reader.next()) {
    if (reader.tag_and_type() == protozero::tag_and_type(kind, protozero::pbf_wire_type::length_delimited))
      list = reader.get_view();
    else
      reader.skip();
  }
  return list;
}

std::optional<std::string_view> bytesOf(protozero::data_view feature) {
  const auto list = listOf(feature, kBytes);
  if (!list) return std::nullopt;
  std::optional<std::string_view> found;
  protozero::pbf_reader reader(*list);
  while (reader.next()) {
    if (!found && reader.tag_and_type() == protozero::tag_and_type(kItem, protozero::pbf_wire_type::length_delimited))
      found = view(reader.get_view());
    else
      reader.skip();
  }
  return found;
}

// The only number of the list; packed or not.
std::optional<int64_t> numberOf(protozero::data_view feature) {
  const auto list = listOf(feature, kInts);
  if (!list) return std::nullopt;
  std::optional<int64_t> found;
  size_t count = 0;
  protozero::pbf_reader reader(*list);
  while (reader.next()) {
    if (reader.tag_and_type() == protozero::tag_and_type(kItem, protozero::pbf_wire_type::length_delimited)) {
      for (const int64_t value : reader.get_packed_int64()) found = value, ++count;
    } else if (reader.tag_and_type() == protozero::tag_and_type(kItem, protozero::pbf_wire_type::varint)) {
      found = reader.get_int64(), ++count;
    } else {
      reader.skip();
    }
  }
  return count == 1 ? found : std::nullopt;
}

// A tag of a length-delimited field and its length. Throws protozero::exception.
struct Head {
  uint64_t tag = 0, length = 0, bytes = 0;  // bytes: of tag and length together
};
Head headOf(std::string_view bytes) {
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  Head head;
  head.tag = protozero::decode_varint(&at, end);
  if ((head.tag & 7) != 2) throw protozero::unknown_pbf_wire_type_exception();
  head.length = protozero::decode_varint(&at, end);
  head.bytes = static_cast<uint64_t>(at - bytes.data());
  return head;
}

class Peek {
 public:
  Peek(const Bytes& bytes, Window& window, const ExampleKeys& keys) : bytes_(bytes), window_(window), keys_(keys) {}

  // Fields between `at` and `end` that have this tag; each is handed on with its place. Others are skipped.
  template <class Visit>
  Result<void> fields(uint64_t at, uint64_t end, protozero::pbf_tag_type tag, const Visit& visit) {
    while (at < end) {
      TRAINYARD_TRY(const std::string_view start, window_.at(at, static_cast<size_t>(std::min<uint64_t>(kLongestHead, end - at))));
      const Head head = headOf(start);
      at += head.bytes;
      if (head.length > end - at) throw protozero::end_of_buffer_exception();
      if (head.tag >> 3 == tag) TRAINYARD_CHECK(visit(at, head.length));
      at += head.length;
    }
    return {};
  }

  Result<Example> example(uint64_t offset, uint64_t size) {
    TRAINYARD_CHECK(fields(offset, offset + size, kFeatures, [&](uint64_t at, uint64_t length) {
      return fields(at, at + length, kEntry, [&](uint64_t entry_at, uint64_t entry_length) { return entry(entry_at, entry_length); });
    }));
    return std::move(example_);
  }

 private:
  Result<void> entry(uint64_t at, uint64_t length) {
    if (length <= kSmall) {
      TRAINYARD_TRY(const std::string_view bytes, window_.at(at, static_cast<size_t>(length)));
      return note(entryOf(bytes));
    }
    TRAINYARD_TRY(const std::string_view start, window_.at(at, kKeyWindow));
    const Head head = headOf(start);
    if (head.tag >> 3 == kKey && head.length <= start.size() - head.bytes) {
      const std::string_view key = start.substr(head.bytes, head.length);
      if (key == keys_.image) example_.has_image = true;
      if (key != keys_.label && key != keys_.text) return {};
    }
    TRAINYARD_TRY(const std::string whole, bytes_.read(at, length));
    return note(entryOf(whole));
  }

  Result<void> note(const Entry& entry) {
    const auto refuse = [&](const char* wanted) {
      return fail(ErrorCode::Data, "holds \"" + std::string(entry.key) + "\", but not as " + wanted, bytes_.name(), kHint);
    };
    if (entry.key == keys_.image) {
      if (!bytesOf(entry.value)) return refuse("bytes");
      example_.has_image = true;
    } else if (entry.key == keys_.label) {
      example_.label = numberOf(entry.value);
      if (!example_.label) return refuse("one whole number (int64)");
    } else if (entry.key == keys_.text) {
      example_.text = bytesOf(entry.value).value_or("");
    }
    return {};
  }

  const Bytes& bytes_;
  Window& window_;
  const ExampleKeys& keys_;
  Example example_;
};

tl::unexpected<Error> notAnExample(const std::string& name) { return fail(ErrorCode::Data, "is not a tf.Example", name, kHint); }

}  // namespace

Result<Example> peekExample(const Bytes& bytes, Window& window, uint64_t offset, uint64_t size, const ExampleKeys& keys) {
  try {
    return Peek(bytes, window, keys).example(offset, size);
  } catch (const protozero::exception&) {
    return notAnExample(bytes.name());
  }
}

Result<std::string_view> pictureOfExample(std::string_view record, const std::string& image_key, const std::string& name) {
  try {
    protozero::pbf_reader example(record.data(), record.size());
    while (example.next(kFeatures, protozero::pbf_wire_type::length_delimited)) {
      protozero::pbf_reader features = example.get_message();
      while (features.next(kEntry, protozero::pbf_wire_type::length_delimited)) {
        const Entry entry = entryOf(view(features.get_view()));
        if (entry.key != image_key) continue;
        if (const auto picture = bytesOf(entry.value)) return *picture;
      }
    }
  } catch (const protozero::exception&) {
    return notAnExample(name);
  }
  return fail(ErrorCode::Data, "has no picture as bytes under \"" + image_key + "\"", name, kHint);
}

}  // namespace trainyard::data
