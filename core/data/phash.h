#pragma once
// Pictures that look the same though their files differ: re-encoded, resized, brightened.
#include <cstdint>
#include <functional>
#include <opencv2/core/mat.hpp>
#include <span>
#include <vector>

namespace trainyard::data {

// The hash of a picture without anything to compare (one colour, or nearly): it is near to no other.
inline constexpr uint64_t kNothingToSee = 0;

// Pictures whose hashes differ in at most this many of 64 bits look the same; re-encoded and resized copies stay below, chance does not reach it.
inline constexpr int kNearBits = 6;

// 8-bit, 1 or 3 channels (RGB), any size. The signs of the lowest frequencies of the grey picture at 16×16. Any thread; some 10 µs for a small
// picture, a tenth of decoding for a large one.
uint64_t perceptualHash(const cv::Mat& picture);

// Groups of at least two indices into `hashes` that are chained by pairs within max_distance bits (0 … 15) of each other, ascending; the groups
// by their first index. `same`, where given, has the last word on each pair. Much less than n² comparisons for anything but copies of one
// picture, of which each is compared with one alone.
std::vector<std::vector<uint64_t>> nearGroups(std::span<const uint64_t> hashes, int max_distance = kNearBits,
                                              const std::function<bool(uint64_t, uint64_t)>& same = {});

}  // namespace trainyard::data
