#pragma once
// The data doctor: looks at every picture once and says what is in a dataset and what is wrong with it. No file is ever changed.
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "core/data/dataset.h"

namespace trainyard::data {

enum class Severity { Bad, Caution, Note };

// One thing worth knowing about a file, a pair of files or a class. `code` is stable: unreadable, truncated, empty, wrong_extension,
// duplicate, leak (a copy in another part), near_duplicate, one_class, tiny_class, uneven_classes, aspect, cmyk, bits16, alpha, rotated, …
struct Finding {
  Severity severity = Severity::Note;
  std::string code;
  std::string file;                // Dataset::name of the sample, or the class folder
  std::string text;                // what, with its numbers, in English
  std::vector<std::string> files;  // the others it concerns: copies of `file`
  int64_t sample = -1;             // index of `file` in the dataset; -1: none
};

struct ClassCount {
  std::string name;
  int index = 0;
  uint64_t samples = 0;
};

struct ScanReport {
  std::string format;
  uint64_t samples = 0;   // all; usable ones are samples - unreadable
  uint64_t unreadable = 0;
  std::vector<ClassCount> classes;
  struct Range {
    int smallest = 0, median = 0, largest = 0;
  } width, height;
  std::vector<std::pair<std::string, uint64_t>> kinds, channels, bits;  // "jpeg" → how many; "1", "3", "4"; "8", "16"
  std::vector<double> mean, std;  // per channel (3; 1 when all are grey), of values from 0 to 1; empty: nothing readable
  std::vector<Finding> findings;  // Bad first; within a severity by code, then by file
  double seconds = 0;
  uint64_t from_cache = 0;  // samples that were not decoded again
};
Json toJson(const ScanReport& report);  // as `trainyard data scan --json`

struct ScanOptions {
  std::function<void(uint64_t done, uint64_t total)> progress;  // from any thread, a few times a second
  const std::atomic<bool>* cancelled = nullptr;                 // Error Interrupted within a second
  int threads = 0;                                              // 0: all cores
  fs::path cache;                                               // folder; empty: dataHome()/scans
  bool use_cache = true;
};

// Memory grows by some 100 bytes a sample; time is reading and decoding every picture on all cores, then O(n log n).
Result<ScanReport> scan(const recipe::Data& data, uint64_t seed, const ScanOptions& options = {});

// Of samples [0, size): those that training must leave out, each with its reason; from the scan's cache where it has them, else by a look at
// the file's beginning and end (whole decoding only where that leaves doubt). Much quicker than a scan.
Result<std::vector<std::pair<uint64_t, Error>>> unusable(const Dataset& dataset, const recipe::Data& data, const ScanOptions& options = {});

}  // namespace trainyard::data
