#pragma once
// One look at every picture of a dataset: each file is read and decoded once, and everything the scan and the splits want to know comes of it.
// Kept on disk, so that only new and changed files are looked at again.
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "core/data/dataset.h"

namespace trainyard::data {

struct ScanOptions {
  std::function<void(uint64_t done, uint64_t total)> progress;  // from the calling thread, a few times a second
  const std::atomic<bool>* cancelled = nullptr;                 // Error Interrupted as soon as every thread is done with its picture
  int threads = 0;                                              // 0: all cores
  fs::path cache;                                               // folder; empty: dataHome()/scans
  bool use_cache = true;
};

enum class Verdict : uint8_t { Fine, Unreadable, Truncated, Empty };

// What is known of one sample. Of a picture that is not Fine only what was found before it broke.
struct Look {
  std::array<uint64_t, 2> content{};                    // hash of the file's bytes; of the pixels where there is no file
  uint64_t bytes = 0;                                   // size of the file; 0 where there is none
  uint64_t phash = 0;                                   // perceptualHash()
  std::array<uint8_t, 64> thumbnail{};                  // 8×8, grey
  std::array<uint64_t, 3> sums{}, squares{};            // of the decoded pixels' levels 0 … 255, per channel; [0] alone when grey
  int64_t taken = std::numeric_limits<int64_t>::min();  // ImageFacts::taken; the lowest number: unknown
  uint32_t width = 0, height = 0;                       // as people see it
  uint8_t kind = 0;                                     // index into lookKinds()
  uint8_t channels = 0, bits = 0;                       // as stored
  uint8_t decoded_channels = 0;                         // 1 or 3
  uint8_t orientation = 1;
  bool cmyk = false, alpha = false;
  Verdict verdict = Verdict::Fine;
};

// "jpeg", "png", …; the first is "" for samples without files of their own.
const std::vector<std::string>& lookKinds();

struct Looks {
  std::vector<Look> all;                             // by sample
  std::vector<std::pair<uint64_t, Error>> problems;  // of all that are not Fine, by sample
  uint64_t from_cache = 0;                           // that were not looked at again
};

// Pictures only. Reads and decodes on all cores what the cache does not know; what was seen until a cancellation is kept. Memory: some 200 bytes a
// sample. Error Interrupted. Files that cannot be read are problems, not errors.
Result<Looks> lookAtAll(const Dataset& dataset, const recipe::Data& data, const ScanOptions& options = {});

}  // namespace trainyard::data
