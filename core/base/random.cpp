#include "core/base/random.h"

#include <cmath>
#include <numbers>

namespace trainyard {

namespace {

uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

constexpr uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

}  // namespace

Random::Random(std::initializer_list<uint64_t> key) : state_(kGolden) {
  for (const uint64_t part : key) state_ = mix(state_ + kGolden + mix(part + kGolden));
}

uint64_t Random::next() { return mix(state_ += kGolden); }

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

uint64_t Random::below(uint64_t bound) {
  // Lemire's multiplication, rejecting the few values that would be favoured.
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * bound;
  if (static_cast<uint64_t>(product) < bound) {
    const uint64_t threshold = -bound % bound;
    while (static_cast<uint64_t>(product) < threshold) product = static_cast<Wide>(next()) * bound;
  }
  return static_cast<uint64_t>(product >> 64);
}

}  // namespace trainyard
