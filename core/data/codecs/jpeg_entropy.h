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

  const Entry& entry(uint64_t look) const { return entries_[look]; }
  // Code length and symbol of the next 16 bits; length 0: no such code.
  std::array<int, 2> symbol(uint64_t next16) const;

 private:
  bool built_ = false;
  JHUFF_TBL source_{};
  std::array<Entry, 1 << kLook> entries_{};
  std::array<uint64_t, 18> first_{}, end_{};  // codes of each length, from … up to, without end
  std::array<int, 18> symbols_at_{};
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
  template <bool kStore>
  bool decodeBlock(const HuffmanTable& dc, const HuffmanTable& ac, int& predictor, JCOEF* block);
  bool slowDifference(const HuffmanTable& dc, int& difference);
  bool restart();
  void refill();
  void refillBytewise();
  uint64_t peek(int bits) const { return bits_ >> (64 - bits); }
  void skip(int bits) {
    bits_ <<= bits;
    count_ -= bits;
  }

  struct Block {
    int component = 0;
    const HuffmanTable *dc = nullptr, *ac = nullptr;
    bool needed = true;
  };

  std::array<Block, D_MAX_BLOCKS_IN_MCU> blocks_{};
  int blocks_in_mcu_ = 0;
  std::array<int, MAX_COMPS_IN_SCAN> predictors_{};
  unsigned restart_interval_ = 0, until_restart_ = 0, next_restart_ = 0;
  const unsigned char *at_ = nullptr, *end_ = nullptr;
  uint64_t bits_ = 0;            // the next ones, from the highest
  int count_ = 0, padding_ = 0;  // how many; how many of them (the last) are zeros behind the end of the data
};

}  // namespace trainyard::codecs
