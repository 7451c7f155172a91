#include "core/data/codecs/jpeg_entropy.h"

#include <cstring>
#include <memory>

// libjpeg's own interface to its entropy decoders (jpegint.h, which is not installed): unchanged in all of its versions.
struct jpeg_entropy_decoder {
  void (*start_pass)(j_decompress_ptr info);
  boolean (*decode_mcu)(j_decompress_ptr info, JBLOCKROW* blocks);
  boolean insufficient_data;
};

namespace trainyard::codecs {

namespace {

// Where the coefficients of the file's order lie in a block.
constexpr std::array<uint8_t, 64> kOrder = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                                            41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                                            30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

// JPEG's signed numbers: of `size` bits, those that begin with 0 are negative.
constexpr int signedOf(uint64_t value, int size) {
  const int number = static_cast<int>(value), most = (1 << size) - 1;
  return number - (most & ((number >> (size - 1)) - 1));
}

// Over 0xff 0x00, which stands for 0xff, and up to a marker. In and out by value, so that the bits stay in registers where they are used.
[[gnu::noinline]] EntropyBits refilledBytewise(EntropyBits bits) {
  while (bits.count < 56) {
    uint64_t byte = 0;
    if (bits.at < bits.end && *bits.at != 0xff) {
      byte = *bits.at++;
    } else if (bits.end - bits.at >= 2 && bits.at[1] == 0) {
      byte = 0xff;
      bits.at += 2;
    } else {
      bits.padding += 8;
    }
    bits.next |= byte << (56 - bits.count);
    bits.count += 8;
  }
  return bits;
}

// To 56 bits and more.
[[gnu::always_inline]] inline void refill(EntropyBits& bits) {
  if (bits.end - bits.at >= 8) [[likely]] {
    uint64_t bytes = 0;
    std::memcpy(&bytes, bits.at, 8);
    constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
    if (((~bytes - kOnes) & bytes & kHighs) == 0) [[likely]] {  // no 0xff among them
      bits.next |= __builtin_bswap64(bytes) >> bits.count;
      const int taken = (63 - bits.count) >> 3;
      bits.at += taken;
      bits.count += taken * 8;
      return;
    }
  }
  bits = refilledBytewise(bits);
}

[[gnu::always_inline]] inline uint64_t peek(const EntropyBits& bits, int count) { return bits.next >> (64 - count); }

[[gnu::always_inline]] inline void skip(EntropyBits& bits, int count) {
  bits.next <<= count;
  bits.count -= count;
}

// The value behind a code; size 1 … 15.
[[gnu::always_inline]] inline int takeSigned(EntropyBits& bits, int size) {
  const int value = signedOf(peek(bits, size), size);
  skip(bits, size);
  return value;
}

// False: not a code.
template <bool kStore>
[[gnu::always_inline]] inline bool decodeBlock(EntropyBits& bits, const HuffmanTable& dc, const HuffmanTable& ac, int& predictor, JCOEF* block) {
  constexpr int kLook = HuffmanTable::kLook;
  refill(bits);
  if (const HuffmanTable::Entry entry = dc.entry(peek(bits, kLook)); entry.bits != 0) [[likely]] {
    skip(bits, entry.bits);
    predictor = static_cast<JCOEF>(predictor + entry.value);
  } else {
    const auto [length, size] = dc.code(peek(bits, 16));
    if (length == 0 || size > 15) return false;
    skip(bits, length);
    if (size > 0) predictor = static_cast<JCOEF>(predictor + takeSigned(bits, size));
  }
  if constexpr (kStore) block[0] = static_cast<JCOEF>(predictor);
  for (int k = 1; k < DCTSIZE2;) {
    if (bits.count < 32) refill(bits);
    HuffmanTable::Entry entry = ac.entry(peek(bits, kLook));
    if (entry.bits != 0) [[likely]] {
      skip(bits, entry.bits);
    } else {
      const auto [length, symbol] = ac.code(peek(bits, 16));
      if (length == 0) return false;
      skip(bits, length);
      const int size = symbol & 15;
      entry.run = static_cast<uint8_t>(size > 0 ? symbol >> 4 : symbol >> 4 == 15 ? 16 : HuffmanTable::kEnd);
      if (size > 0) entry.value = static_cast<int16_t>(takeSigned(bits, size));
    }
    if (entry.value == 0) {
      if (entry.run == HuffmanTable::kEnd) break;
      k += 16;
      continue;
    }
    k += entry.run;
    if (k >= DCTSIZE2) return false;
    if constexpr (kStore) block[kOrder[static_cast<size_t>(k)]] = entry.value;
    ++k;
  }
  return true;
}

struct Tables {
  std::array<HuffmanTable, NUM_HUFF_TBLS> dc, ac;
};

Tables& tablesOfThread() {
  thread_local const auto kTables = std::make_unique<Tables>();
  return *kTables;
}

}  // namespace

void HuffmanTable::build(const JHUFF_TBL& table, bool dc) {
  if (built_ && std::memcmp(table.bits, source_.bits, sizeof table.bits) == 0 && std::memcmp(table.huffval, source_.huffval, sizeof table.huffval) == 0) return;
  built_ = true;
  source_ = table;
  entries_.fill({0, 0, 0});
  codes_.fill({0, 0});
  uint64_t code = 0;
  int at = 0;
  for (int length = 1; length <= 16; ++length, code <<= 1) {
    const auto index = static_cast<size_t>(length);
    first_[index] = code;
    symbols_at_[index] = at;
    for (int i = 0; i < table.bits[length]; ++i, ++code, ++at) {
      const int symbol = table.huffval[at & 255], run = dc ? 0 : symbol >> 4, size = dc ? symbol : symbol & 15;
      if (length > kLook) continue;
      const uint64_t spread = 1ULL << (kLook - length);
      for (uint64_t look = code * spread; look < (code + 1) * spread && look < entries_.size(); ++look) {
        codes_[look] = {static_cast<uint8_t>(length), static_cast<uint8_t>(symbol)};
        if (length + size > kLook) continue;
        Entry& entry = entries_[look];
        entry.bits = static_cast<uint8_t>(length + size);
        entry.run = static_cast<uint8_t>(run);
        if (size > 0)
          entry.value = static_cast<int16_t>(signedOf(look >> (kLook - length - size) & ((1U << size) - 1), size));
        else if (!dc)
          entry.run = run == 15 ? 16 : kEnd;
      }
    }
    end_[index] = code;
  }
}

HuffmanTable::Code HuffmanTable::longCode(uint64_t next16) const {
  for (int length = kLook + 1; length <= 16; ++length) {
    const auto index = static_cast<size_t>(length);
    const uint64_t code = next16 >> (16 - length);
    if (code < end_[index] && code >= first_[index])
      return {static_cast<uint8_t>(length), source_.huffval[(symbols_at_[index] + static_cast<int>(code - first_[index])) & 255]};
  }
  return {0, 0};
}

bool Entropy::attach(jpeg_decompress_struct& info, boolean (*decode)(j_decompress_ptr, JBLOCKROW*)) {
  if (info.progressive_mode || info.arith_code || info.comps_in_scan != info.num_components || jpeg_has_multiple_scans(&info) || info.Ss != 0 ||
      info.Se != DCTSIZE2 - 1 || info.blocks_in_MCU > D_MAX_BLOCKS_IN_MCU)
    return false;
  Tables& tables = tablesOfThread();
  blocks_in_mcu_ = info.blocks_in_MCU;
  for (int i = 0; i < blocks_in_mcu_; ++i) {
    const int index = info.MCU_membership[i];
    const jpeg_component_info& component = *info.cur_comp_info[index];
    const auto dc = static_cast<size_t>(component.dc_tbl_no), ac = static_cast<size_t>(component.ac_tbl_no);
    if (dc >= NUM_HUFF_TBLS || ac >= NUM_HUFF_TBLS || info.dc_huff_tbl_ptrs[dc] == nullptr || info.ac_huff_tbl_ptrs[ac] == nullptr) return false;
    tables.dc[dc].build(*info.dc_huff_tbl_ptrs[dc], true);
    tables.ac[ac].build(*info.ac_huff_tbl_ptrs[ac], false);
    blocks_[static_cast<size_t>(i)] = {index, &tables.dc[dc], &tables.ac[ac], component.component_needed != FALSE};
  }
  restart_interval_ = until_restart_ = info.restart_interval;
  bits_.at = info.src->next_input_byte;
  bits_.end = bits_.at + info.src->bytes_in_buffer;
  info.entropy->decode_mcu = decode;
  return true;
}

bool Entropy::restart() {
  refill(bits_);
  if (bits_.count - bits_.padding >= 8 || bits_.end - bits_.at < 2 || bits_.at[0] != 0xff || bits_.at[1] != 0xd0 + next_restart_) return false;
  bits_ = {bits_.at + 2, bits_.end};
  next_restart_ = (next_restart_ + 1) & 7;
  until_restart_ = restart_interval_;
  predictors_.fill(0);
  return true;
}

bool Entropy::decodeMcu(JBLOCKROW* blocks) {
  if (restart_interval_ > 0) {
    if (until_restart_ == 0 && !restart()) return false;
    --until_restart_;
  }
  EntropyBits bits = bits_;
  for (int i = 0; i < blocks_in_mcu_; ++i) {
    const Block& block = blocks_[static_cast<size_t>(i)];
    int predictor = predictors_[static_cast<size_t>(block.component)];
    const bool done = blocks != nullptr && block.needed ? decodeBlock<true>(bits, *block.dc, *block.ac, predictor, *blocks[i])
                                                        : decodeBlock<false>(bits, *block.dc, *block.ac, predictor, nullptr);
    if (!done) return false;
    predictors_[static_cast<size_t>(block.component)] = predictor;
  }
  bits_ = bits;
  return bits.count >= bits.padding;
}

bool Entropy::atEnd() {
  refill(bits_);
  while (bits_.end - bits_.at >= 2 && bits_.at[0] == 0xff && bits_.at[1] == 0xff) ++bits_.at;
  return bits_.count - bits_.padding < 8 && bits_.end - bits_.at >= 2 && bits_.at[0] == 0xff && bits_.at[1] == 0xd9;
}

}  // namespace trainyard::codecs
