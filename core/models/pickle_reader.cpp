#include "core/models/pickle_reader.h"

#include <bit>
#include <cstring>
#include <unordered_map>

#include "core/models/pickle_globals.h"

namespace trainyard::models {

using Kind = PickleValue::Kind;

namespace {

// More than any weight file holds; bounds what a hostile one can make of few bytes.
constexpr size_t kMostValues = 4'000'000, kMostReferences = 16'000'000;
constexpr size_t kMostDimensions = 64;

const PickleGlobal& globalOf(const PickleValue& value) { return kPickleGlobals[static_cast<size_t>(value.integer)]; }

std::optional<std::vector<int64_t>> integersOf(const PickleValue& value) {
  if (!value.is(Kind::Sequence) || value.items.size() > kMostDimensions) return {};
  std::vector<int64_t> out;
  for (const auto* item : value.items) {
    if (!item->is(Kind::Integer) || !item->text.empty() || item->integer < 0) return {};
    out.push_back(item->integer);
  }
  return out;
}

// Whether the view stays within its storage.
bool fits(const TensorRecord& tensor) {
  int64_t last = 0;
  if (__builtin_add_overflow(tensor.offset, tensor.storage.offset, &last)) return false;
  int64_t count = 1;
  for (const int64_t size : tensor.sizes) {
    if (size == 0) return true;
    if (__builtin_mul_overflow(count, size, &count)) return false;
  }
  for (size_t i = 0; i < tensor.sizes.size(); ++i) {
    int64_t step = 0;
    if (__builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &step) || __builtin_add_overflow(last, step, &last)) return false;
  }
  return last < tensor.storage.elements;
}

}  // namespace

class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, size_t at, const std::string& where) : bytes_(bytes), at_(at), where_(where) {}

  Result<Pickle> run() {
    while (true) {
      if (at_ >= bytes_.size()) return cut();
      if (pickle_.values_.size() > kMostValues || references_ > kMostReferences) return damaged("holds more values than any weight file");
      const auto code = static_cast<unsigned char>(bytes_[at_++]);
      if (code == '.') break;
      TRAINYARD_CHECK(execute(code));
    }
    if (stack_.size() != 1 || !marks_.empty()) return damaged("ends in the middle of a value");
    pickle_.root_ = stack_.front();
    return std::move(pickle_);
  }
  size_t at() const { return at_; }

 private:
  tl::unexpected<Error> damaged(const std::string& what) const {
    return fail(ErrorCode::Data, what + " (at byte " + std::to_string(at_) + ")", where_, "the file is damaged or is not a PyTorch weight file; take another copy of it");
  }
  tl::unexpected<Error> cut() const { return damaged("is cut short: the list of its tensors ends too early"); }
  tl::unexpected<Error> refused(const std::string& thing) const {
    return fail(ErrorCode::Data, "asks for " + thing + ", which is not part of a weight file and could run code; it was not executed", where_,
                "in Python, save the weights alone: torch.save(model.state_dict(), …), or as safetensors");
  }

  Result<void> execute(unsigned char code) {
    switch (code) {
      case 0x80: return take(1).map([](auto) {});  // PROTO
      case 0x95: return take(8).map([](auto) {});  // FRAME
      case '(': marks_.push_back(stack_.size()); return {};
      case '0': return pop().map([](auto) {});
      case 'N': return push({});
      case 0x88: return pushBoolean(true);
      case 0x89: return pushBoolean(false);
      case 'K': return pushNumber(1, false);
      case 'M': return pushNumber(2, false);
      case 'J': return pushNumber(4, true);
      case 0x8a: return pushLong();
      case 'G': return pushReal();
      case 'X': return pushText(4);
      case 0x8c: return pushText(1);
      case 0x8d: return pushText(8);
      case 'U': return pushText(1);  // bytes of Python 2
      case 'T': return pushText(4);
      case 'C': return pushText(1);  // bytes
      case 'B': return pushText(4);
      case '}': return push({.kind = Kind::Dictionary});
      case ']': case ')': case 0x8f: return push({.kind = Kind::Sequence});
      case 't': return sequenceFromMark();
      case 0x85: return sequenceOf(1);
      case 0x86: return sequenceOf(2);
      case 0x87: return sequenceOf(3);
      case 'a': return append(1);
      case 'e': case 0x90: return appendFromMark();
      case 's': return setItems(2);
      case 'u': return setItemsFromMark();
      case 'q': return remember(1);
      case 'r': return remember(4);
      case 0x94: return rememberAt(memo_.size());
      case 'h': return recall(1);
      case 'j': return recall(4);
      case 'c': return global();
      case 0x93: return stackGlobal();
      case 'Q': return persistent();
      case 'R': case 0x81: return reduce();
      case 'b': return build();
      default: return refused("pickle instruction " + std::to_string(code));
    }
  }

  // ---- bytes ----
  Result<std::string_view> take(uint64_t count) {
    if (count > bytes_.size() - at_) return cut();
    const auto part = bytes_.substr(at_, count);
    at_ += count;
    return part;
  }
  Result<uint64_t> unsignedNumber(size_t bytes) {
    TRAINYARD_TRY(const std::string_view part, take(bytes));
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(static_cast<unsigned char>(part[i])) << (8 * i);
    return value;
  }
  Result<std::string_view> line() {
    const size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) return cut();
    const auto part = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return part;
  }

  // ---- the stack ----
  size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  PickleValue* top() const { return stack_.size() > floor() ? stack_.back() : nullptr; }
  Result<void> push(PickleValue value) {
    pickle_.values_.push_back(std::move(value));
    stack_.push_back(&pickle_.values_.back());
    return {};
  }
  Result<PickleValue*> pop() {
    if (top() == nullptr) return damaged("takes a value that is not there");
    PickleValue* value = stack_.back();
    stack_.pop_back();
    return value;
  }
  // Everything above the last mark, which goes.
  Result<std::vector<const PickleValue*>> popToMark() {
    if (marks_.empty()) return damaged("closes a list that was not opened");
    std::vector<const PickleValue*> items(stack_.begin() + static_cast<ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    references_ += items.size();
    return items;
  }

  // ---- plain values ----
  Result<void> pushBoolean(bool value) { return push({.kind = Kind::Boolean, .integer = value}); }
  Result<void> pushNumber(size_t bytes, bool is_signed) {
    TRAINYARD_TRY(const uint64_t value, unsignedNumber(bytes));
    return push({.kind = Kind::Integer, .integer = is_signed ? static_cast<int32_t>(static_cast<uint32_t>(value)) : static_cast<int64_t>(value)});
  }
  Result<void> pushLong() {
    TRAINYARD_TRY(const uint64_t bytes, unsignedNumber(1));
    TRAINYARD_TRY(const std::string_view digits, take(bytes));
    if (bytes > 8) return push({.kind = Kind::Integer, .text = std::string(digits)});
    uint64_t value = !digits.empty() && (digits.back() & 0x80) != 0 ? ~uint64_t{0} : 0;
    for (size_t i = 0; i < bytes; ++i) {
      value &= ~(uint64_t{0xff} << (8 * i));
      value |= static_cast<uint64_t>(static_cast<unsigned char>(digits[i])) << (8 * i);
    }
    return push({.kind = Kind::Integer, .integer = static_cast<int64_t>(value)});
  }
  Result<void> pushReal() {
    TRAINYARD_TRY(const uint64_t little, unsignedNumber(8));
    return push({.kind = Kind::Real, .real = std::bit_cast<double>(__builtin_bswap64(little))});  // the one big-endian number of the format
  }
  Result<void> pushText(size_t length_bytes) {
    TRAINYARD_TRY(const uint64_t length, unsignedNumber(length_bytes));
    TRAINYARD_TRY(const std::string_view text, take(length));
    return push({.kind = Kind::Text, .text = std::string(text)});
  }

  // ---- containers ----
  Result<void> sequenceFromMark() {
    TRAINYARD_TRY(auto items, popToMark());
    return push({.kind = Kind::Sequence, .items = std::move(items)});
  }
  Result<void> sequenceOf(size_t count) {
    if (stack_.size() - floor() < count) return damaged("makes a tuple of values that are not there");
    marks_.push_back(stack_.size() - count);
    return sequenceFromMark();
  }
  Result<void> append(size_t count) {
    marks_.push_back(stack_.size() - std::min(count, stack_.size() - floor()));
    return appendFromMark();
  }
  Result<void> appendFromMark() {
    TRAINYARD_TRY(auto items, popToMark());
    if (top() == nullptr || !top()->is(Kind::Sequence)) return damaged("appends to what is no list");
    top()->items.insert(top()->items.end(), items.begin(), items.end());
    return {};
  }
  Result<void> setItems(size_t count) {
    if (stack_.size() - floor() < count) return damaged("fills a dictionary with values that are not there");
    marks_.push_back(stack_.size() - count);
    return setItemsFromMark();
  }
  Result<void> setItemsFromMark() {
    TRAINYARD_TRY(auto items, popToMark());
    if (top() == nullptr || !top()->is(Kind::Dictionary) || items.size() % 2 != 0) return damaged("fills what is no dictionary");
    top()->items.insert(top()->items.end(), items.begin(), items.end());
    return {};
  }

  // ---- the memo ----
  Result<void> remember(size_t bytes) {
    TRAINYARD_TRY(const uint64_t place, unsignedNumber(bytes));
    return rememberAt(place);
  }
  Result<void> rememberAt(uint64_t place) {
    if (top() == nullptr) return damaged("remembers nothing");
    memo_[static_cast<uint32_t>(place)] = top();
    return {};
  }
  Result<void> recall(size_t bytes) {
    TRAINYARD_TRY(const uint64_t place, unsignedNumber(bytes));
    const auto found = memo_.find(static_cast<uint32_t>(place));
    if (found == memo_.end()) return damaged("refers to a value that is not there");
    stack_.push_back(found->second);
    ++references_;
    return {};
  }

  // ---- names and calls ----
  Result<void> named(std::string_view module, std::string_view name) {
    const PickleGlobal* found = findPickleGlobal(module, name);
    if (found == nullptr) {
      std::string whole(module);
      whole.append(".").append(name);
      return refused(whole);
    }
    return push({.kind = Kind::Global, .integer = found - kPickleGlobals});
  }
  Result<void> global() {
    TRAINYARD_TRY(const std::string_view module, line());
    TRAINYARD_TRY(const std::string_view name, line());
    return named(module, name);
  }
  Result<void> stackGlobal() {
    TRAINYARD_TRY(const PickleValue* name, pop());
    TRAINYARD_TRY(const PickleValue* module, pop());
    if (!name->is(Kind::Text) || !module->is(Kind::Text)) return damaged("names something without a name");
    return named(module->text, name->text);
  }
  // ("storage", type, key, device, elements[, view]); a view is (key, offset, elements) of the storage.
  Result<void> persistent() {
    TRAINYARD_TRY(const PickleValue* id, pop());
    const auto& parts = id->items;
    const bool storage = id->is(Kind::Sequence) && parts.size() >= 5 && parts[0]->is(Kind::Text) && parts[0]->text == "storage" && parts[1]->is(Kind::Global) &&
                         globalOf(*parts[1]).call == PickleCall::StorageType && parts[2]->is(Kind::Text) && parts[4]->is(Kind::Integer) && parts[4]->integer >= 0;
    if (!storage) return damaged("refers to something that is no storage of numbers");
    StorageRecord record{globalOf(*parts[1]).type, parts[2]->text, parts[4]->integer, 0};
    if (parts.size() > 5 && !parts[5]->is(Kind::None)) {
      const auto& view = *parts[5];
      if (!view.is(Kind::Sequence) || view.items.size() != 3 || !view.items[1]->is(Kind::Integer) || view.items[1]->integer < 0) return damaged("has a damaged view of a storage");
      record.offset = view.items[1]->integer;
    }
    return push({.kind = Kind::Storage, .storage = std::move(record)});
  }
  Result<void> reduce() {
    TRAINYARD_TRY(const PickleValue* arguments, pop());
    TRAINYARD_TRY(const PickleValue* callee, pop());
    if (!callee->is(Kind::Global) || !arguments->is(Kind::Sequence)) return damaged("calls what cannot be called");
    const PickleGlobal& global = globalOf(*callee);
    const auto& items = arguments->items;
    switch (global.call) {
      case PickleCall::Dictionary: return dictionary(items);
      case PickleCall::Nothing: return push({});
      case PickleCall::Sequence:
        if (items.size() != 1 || !items[0]->is(Kind::Sequence)) return damaged("has a damaged size");
        references_ += items[0]->items.size();
        return push({.kind = Kind::Sequence, .items = items[0]->items});
      case PickleCall::Tensor: return tensor(items, 6);
      case PickleCall::OldTensor: return tensor(items, 4);
      case PickleCall::Parameter:
        if (items.empty() || !items[0]->is(Kind::Tensor)) return damaged("has a damaged parameter");
        return push(*items[0]);
      case PickleCall::StorageType: break;
    }
    return damaged("calls what cannot be called");
  }
  // OrderedDict() or OrderedDict([(key, value), …]).
  Result<void> dictionary(const std::vector<const PickleValue*>& arguments) {
    PickleValue made{.kind = Kind::Dictionary};
    if (!arguments.empty() && !arguments[0]->is(Kind::Sequence)) return damaged("has a damaged dictionary");
    if (!arguments.empty()) {
      for (const auto* pair : arguments[0]->items) {
        if (!pair->is(Kind::Sequence) || pair->items.size() != 2) return damaged("has a damaged dictionary");
        made.items.insert(made.items.end(), pair->items.begin(), pair->items.end());
      }
      references_ += made.items.size();
    }
    return push(std::move(made));
  }
  // (storage, offset, sizes, strides[, requires_grad, hooks, …])
  Result<void> tensor(const std::vector<const PickleValue*>& parts, size_t least) {
    if (parts.size() < least || !parts[0]->is(Kind::Storage) || !parts[1]->is(Kind::Integer) || parts[1]->integer < 0) return damaged("has a damaged tensor");
    auto sizes = integersOf(*parts[2]), strides = integersOf(*parts[3]);
    if (!sizes || !strides || sizes->size() != strides->size()) return damaged("has a tensor of damaged shape");
    TensorRecord record{parts[0]->storage, parts[1]->integer, std::move(*sizes), std::move(*strides)};
    if (!fits(record)) return damaged("has a tensor that reaches beyond its " + std::to_string(record.storage.elements) + " numbers");
    return push({.kind = Kind::Tensor, .tensor = std::move(record)});
  }
  // Attributes of a dictionary: PyTorch keeps the versions of the modules there.
  Result<void> build() {
    TRAINYARD_CHECK(pop().map([](auto) {}));
    if (top() == nullptr || !top()->is(Kind::Dictionary)) return refused("the state of an object");
    return {};
  }

  std::string_view bytes_;
  size_t at_;
  const std::string& where_;
  Pickle pickle_;
  std::vector<PickleValue*> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint32_t, PickleValue*> memo_;
  size_t references_ = 0;  // held by containers and the stack
};

Result<Pickle> Pickle::read(std::string_view bytes, size_t& at, const std::string& where) {
  PickleMachine machine(bytes, at, where);
  TRAINYARD_TRY(Pickle pickle, machine.run());
  at = machine.at();
  return pickle;
}

std::vector<const StorageRecord*> Pickle::storages() const {
  std::vector<const StorageRecord*> out;
  for (const auto& value : values_) {
    if (value.is(Kind::Storage)) out.push_back(&value.storage);
  }
  return out;
}

}  // namespace trainyard::models
