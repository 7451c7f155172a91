// The loops of a resize: plain ones, and for x86 processors with AVX2 (chosen at run time) quick ones that give the same bits.
#include <algorithm>
#include <cstring>

#include "core/augment/resample_taps.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trainyard::augment {

namespace {

constexpr int32_t kHalf = 1 << (kTapBits - 1);

uchar clipped(int32_t sum) { return static_cast<uchar>(std::clamp(sum >> kTapBits, 0, 255)); }

template <int Channels>
void plainRow(const uchar* from, uchar* to, const Taps& taps) {
  for (int x = 0; x < taps.size(); ++x, to += Channels) {
    const int32_t* values = taps.of(x);
    const uchar* pixel = from + static_cast<size_t>(taps.first[x]) * Channels;
    int32_t sums[Channels];
    std::fill_n(sums, Channels, kHalf);
    for (int i = 0; i < taps.count[x]; ++i, pixel += Channels) {
      for (int c = 0; c < Channels; ++c) sums[c] += pixel[c] * values[i];
    }
    for (int c = 0; c < Channels; ++c) to[c] = clipped(sums[c]);
  }
}

// Bytes [begin, bytes) of one output row.
void plainColumn(const uchar* from, size_t step, uchar* to, size_t begin, size_t bytes, const int32_t* values, int count) {
  for (size_t x = begin; x < bytes; ++x) {
    int32_t sum = kHalf;
    for (int i = 0; i < count; ++i) sum += from[i * step + x] * values[i];
    to[x] = clipped(sum);
  }
}

#if defined(__x86_64__)

constexpr int kSlack = 4;  // bytes read behind a block of four RGB pixels

bool quick() {
  static const bool kQuick = __builtin_cpu_supports("avx2") != 0;
  return kQuick;
}

// Four pixels at a time: red, green and blue of pixels 0 and 1 side by side in the lower half, of 2 and 3 in the upper one. `from` is readable
// for kSlack bytes behind the last block.
__attribute__((target("avx2"))) void quickRowRgb(const uchar* from, uchar* to, const Taps& taps) {
  const __m256i pairs = _mm256_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1, 6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1);
  const __m256i high_pairs = _mm256_setr_epi8(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7);
  const __m256i low_pairs = _mm256_add_epi8(high_pairs, _mm256_set1_epi8(8));
  const __m128i half = _mm_set1_epi32(kHalf);
  const int width = taps.size(), blocks = taps.span / kTapBlock;
  for (int x = 0; x < width; ++x, to += 3) {
    const uchar* pixels = from + static_cast<size_t>(taps.first[x]) * 3;
    const int16_t* split = taps.splitOf(x);
    __m256i high = _mm256_setzero_si256(), low = _mm256_setzero_si256();
    for (int block = 0; block < blocks; ++block, pixels += 3 * kTapBlock, split += 2 * kTapBlock) {
      const __m256i four = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(pixels))), pairs);
      const __m256i weights = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(split)));
      high = _mm256_add_epi32(high, _mm256_madd_epi16(four, _mm256_shuffle_epi8(weights, high_pairs)));
      low = _mm256_add_epi32(low, _mm256_madd_epi16(four, _mm256_shuffle_epi8(weights, low_pairs)));
    }
    const __m256i sums = _mm256_add_epi32(_mm256_slli_epi32(high, kSplitBits), low);
    __m128i sum = _mm_add_epi32(_mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1)), half);
    sum = _mm_srai_epi32(sum, kTapBits);
    sum = _mm_packs_epi32(sum, sum);
    const int32_t pixel = _mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));
    std::memcpy(to, &pixel, x + 1 < width ? 4 : 3);
  }
}

// Gives how many bytes of the row are done: a multiple of 32.
__attribute__((target("avx2"))) size_t quickColumn(const uchar* from, size_t step, uchar* to, size_t bytes, const int32_t* values, int count) {
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  size_t x = 0;
  for (; x + 32 <= bytes; x += 32) {
    __m256i sums[4];
    for (auto& sum : sums) sum = _mm256_set1_epi32(kHalf);
    for (int i = 0; i < count; ++i) {
      const uchar* row = from + i * step + x;
      const __m256i weight = _mm256_set1_epi32(values[i]);
      for (int part = 0; part < 4; ++part) {
        const __m256i levels = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(row + 8 * part)));
        sums[part] = _mm256_add_epi32(sums[part], _mm256_mullo_epi32(levels, weight));
      }
    }
    for (auto& sum : sums) sum = _mm256_srai_epi32(sum, kTapBits);
    const __m256i packed = _mm256_packus_epi16(_mm256_packs_epi32(sums[0], sums[1]), _mm256_packs_epi32(sums[2], sums[3]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + x), _mm256_permutevar8x32_epi32(packed, order));
  }
  return x;
}

#else

constexpr int kSlack = 0;
bool quick() { return false; }
void quickRowRgb(const uchar*, uchar*, const Taps&) {}
size_t quickColumn(const uchar*, size_t, uchar*, size_t, const int32_t*, int) { return 0; }

#endif

using RowLoop = void (*)(const uchar* from, uchar* to, const Taps& taps);

RowLoop rowLoop(int channels) {
  switch (channels) {
    case 1:
      return plainRow<1>;
    case 3:
      return quick() ? quickRowRgb : plainRow<3>;
    default:
      return plainRow<4>;
  }
}

}  // namespace

cv::Mat alongRows(const cv::Mat& picture, int first_row, int rows, const Taps& taps) {
  cv::Mat result(rows, taps.size(), picture.type());
  const RowLoop loop = rowLoop(picture.channels());
  // The quick loop reads whole blocks: in the last rows, beyond the memory. Those are copied to where there is room.
  const int reach = *std::max_element(taps.first.begin(), taps.first.end()) + taps.span;
  const size_t row_bytes = static_cast<size_t>(picture.cols) * picture.channels(), reach_bytes = static_cast<size_t>(reach) * picture.channels() + kSlack;
  std::vector<uchar> roomy;
  for (int y = 0; y < rows; ++y) {
    const int row = first_row + y;
    const uchar* from = picture.ptr(row);
    const size_t readable = static_cast<size_t>(picture.rows - 1 - row) * picture.step + row_bytes;
    if (readable < reach_bytes) {
      roomy.resize(std::max(reach_bytes, row_bytes));
      std::memcpy(roomy.data(), from, row_bytes);
      from = roomy.data();
    }
    loop(from, result.ptr(y), taps);
  }
  return result;
}

cv::Mat alongColumns(const cv::Mat& picture, int first_row, const Taps& taps) {
  cv::Mat result(taps.size(), picture.cols, picture.type());
  const size_t row_bytes = static_cast<size_t>(picture.cols) * picture.channels();
  const bool is_quick = quick();
  for (int y = 0; y < taps.size(); ++y) {
    const uchar* from = picture.ptr(taps.first[y] - first_row);
    const size_t done = is_quick ? quickColumn(from, picture.step, result.ptr(y), row_bytes, taps.of(y), taps.count[y]) : 0;
    plainColumn(from, picture.step, result.ptr(y), done, row_bytes, taps.of(y), taps.count[y]);
  }
  return result;
}

}  // namespace trainyard::augment
