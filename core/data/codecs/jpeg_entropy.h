#pragma once
// Huffman decoding of ordinary (baseline, one scan) JPEGs, about twice as fast as libjpeg-turbo's own: it is most of what a large picture
// costs, since every bit before a wanted part has to be read. It takes the place of libjpeg's decoder inside libjpeg, which goes on to do all
// the rest; for whatever is out of the ordinary it gives up, and the file is decoded again without it.
#include <array>
#include <cstdint>
#include <cstdio>
// jpeglib.h needs <cstdio> before it.
#include <jpeglib.h>

namespace trainyard::codecs {

class HuffmanTable {
 public:
  static constexpr int kLook = 11;  // bits looked at together
  static constexpr uint8_t kEnd = 255;

  // A coefficient whose code and value lie within kLook bits. bits 0: they do not. Value 0: `run` zeros, or kEnd: the rest of the block.
  struct Entry {
    int16_t value;
    uint8_t run, bits;
  };

  // Does nothing when it holds this table already: most files have the same ones.
  void build(const JHUFF_TBL& table, bool dc);

  // A code without its value. length 0: no such code.
  struct Code {
    uint8_t length, symbol;
  };

  const Entry& entry(uint64_t look) const { return entries_[look]; }
  Code code(uint64_t next16) const {
    const Code known = codes_[next16 >> (16 - kLook)];
    return known.length != 0 ? known : longCode(next16);
  }

 private:
  Code longCode(uint64_t next16) const;

  bool built_ = false;
  JHUFF_TBL source_{};
  std::array<Entry, 1 << kLook> entries_{};
  std::array<Code, 1 << kLook> codes_{};
  std::array<uint64_t, 18> first_{}, end_{};  // codes of each length, from … up to, without end
  std::array<int, 18> symbols_at_{};
};

// What is to be read next.
struct EntropyBits {
  const unsigned char *at = nullptr, *end = nullptr;
  uint64_t next = 0;           // from the highest bit
  int count = 0, padding = 0;  // how many; how many of them (the last) are zeros behind the end of the data
};

class Entropy {
 public:
  // After jpeg_start_decompress: libjpeg will call `decode`, which calls decodeMcu and does not return when that fails. Not for every file:
  // otherwise false, and libjpeg's own decoder stays.
  bool attach(jpeg_decompress_struct& info, boolean (*decode)(j_decompress_ptr, JBLOCKROW*));

  // Once every row was read: whether the file's end follows.
  bool atEnd();

  // The next blocks; without `blocks` they are only passed over. False: the data are damaged or out of the ordinary.
  bool decodeMcu(JBLOCKROW* blocks);

 private:
  struct Block {
    int component = 0;
    const HuffmanTable *dc = nullptr, *ac = nullptr;
    bool needed = true;
  };

  bool restart();

  std::array<Block, D_MAX_BLOCKS_IN_MCU> blocks_{};
  int blocks_in_mcu_ = 0;
  std::array<int, MAX_COMPS_IN_SCAN> predictors_{};
  unsigned restart_interval_ = 0, until_restart_ = 0, next_restart_ = 0;
  EntropyBits bits_;
};

}  // namespace trainyard::codecs
