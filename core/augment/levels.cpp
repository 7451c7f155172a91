#include "core/augment/levels.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trainyard::augment {

namespace {

constexpr size_t kLevels = 256;
constexpr size_t kBlock = 24;  // values that the quick loop takes at a time: whole pixels of 1 and of 3 channels, whole registers

#if defined(__x86_64__)

bool hasQuickLoop() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

struct Constants {
  const float *mean, *std, *inverse_std;  // kBlock of each
};

// Quotients by multiplication: an estimate and one correction of its remainder, which gives the rounded quotient.
__attribute__((target("avx2,fma"))) void quickLoop(const uchar* from, float* to, size_t values, const Constants& constants) {
  const __m256 full = _mm256_set1_ps(255), inverse_full = _mm256_set1_ps(1 / 255.0F);
  for (size_t x = 0; x + kBlock <= values; x += kBlock) {
    for (size_t part = 0; part < kBlock; part += 8) {
      const __m256 std = _mm256_loadu_ps(constants.std + part), inverse_std = _mm256_loadu_ps(constants.inverse_std + part);
      const __m256 level = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + x + part))));
      const __m256 estimate = _mm256_mul_ps(level, inverse_full);
      const __m256 share = _mm256_fmadd_ps(_mm256_fnmadd_ps(estimate, full, level), inverse_full, estimate);
      const __m256 centred = _mm256_sub_ps(share, _mm256_loadu_ps(constants.mean + part));
      const __m256 scaled = _mm256_mul_ps(centred, inverse_std);
      _mm256_storeu_ps(to + x + part, _mm256_fmadd_ps(_mm256_fnmadd_ps(scaled, std, centred), inverse_std, scaled));
    }
  }
}

#else

bool hasQuickLoop() { return false; }
struct Constants {
  const float *mean, *std, *inverse_std;
};
void quickLoop(const uchar*, float*, size_t, const Constants&) {}

#endif

}  // namespace

Levels::Levels(std::span<const float> mean, std::span<const float> std) : channels_(mean.size()) {
  for (size_t c = 0; c < channels_; ++c) {
    for (size_t level = 0; level < kLevels; ++level) table_.push_back((static_cast<float>(level) / 255.0F - mean[c]) / std[c]);
  }
  for (size_t i = 0; i < kBlock; ++i) {
    mean_.push_back(mean[i % channels_]);
    std_.push_back(std[i % channels_]);
    inverse_std_.push_back(1 / std[i % channels_]);
  }
  if (!hasQuickLoop()) return;
  // Every level in every channel; the rest of a block beyond them is of no interest.
  std::vector<uchar> levels;
  for (size_t i = 0; i < kLevels * channels_; ++i) levels.push_back(static_cast<uchar>(i / channels_));
  std::vector<float> expected(levels.size()), quick(levels.size());
  applyRow(levels.data(), expected.data(), levels.size());
  quick_ = true;
  applyRow(levels.data(), quick.data(), levels.size());
  quick_ = quick == expected;
}

void Levels::applyRow(const uchar* from, float* to, size_t values) const {
  size_t x = 0;
  if (quick_) {
    quickLoop(from, to, values, {mean_.data(), std_.data(), inverse_std_.data()});
    x = values / kBlock * kBlock;
  }
  for (; x < values; x += channels_) {
    for (size_t c = 0; c < channels_; ++c) to[x + c] = table_[c * kLevels + from[x + c]];
  }
}

void Levels::apply(const cv::Mat& pixels, std::span<float> out) const {
  const size_t row = static_cast<size_t>(pixels.cols) * channels_;
  if (pixels.isContinuous()) return applyRow(pixels.ptr(), out.data(), row * pixels.rows);
  for (int y = 0; y < pixels.rows; ++y) applyRow(pixels.ptr(y), out.data() + row * y, row);
}

}  // namespace trainyard::augment
