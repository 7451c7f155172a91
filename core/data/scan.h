#pragma once
// The data doctor: looks at every picture once and says what is in a dataset and what is wrong with it. No file is ever changed.
#include <optional>
#include <string>
#include <vector>

#include "core/data/look.h"

namespace trainyard::data {

// Bad: is left out of training, or makes its numbers wrong. Caution: may well do harm. Note: handled, but worth knowing.
enum class Severity { Bad, Caution, Note };
const char* severityName(Severity severity);  // "bad", "caution", "note"

// One thing worth knowing about a file, some files, a class or a column. `code` is stable:
// Bad       unreadable, truncated, empty (one each); leak (copies in training and in a held-out part); empty_class; split (the recipe's parts)
// Caution   duplicate (copies in one part); conflicting_labels (copies in different classes); near_duplicate, near_leak (look the same);
//           wrong_extension; one_class; tiny_class; uneven_classes; aspect; missing_values, constant_column (tables)
// Note      cmyk, bits16, alpha, rotated (EXIF); repeated_rows (tables)
struct Finding {
  Severity severity = Severity::Note;
  std::string code;
  std::string file;                // Dataset::name of the sample, or the name of the class or column; empty: the dataset
  std::string text;                // what, with its numbers, in English
  std::vector<std::string> files;  // the others it concerns: copies of `file`, or all other files of the same kind
  int64_t sample = -1;             // index of `file` in the dataset; -1: none
};

struct ClassCount {
  std::string name;
  int index = 0;
  uint64_t samples = 0;
};

// A column of a table.
struct ColumnFacts {
  std::string name;
  uint64_t missing = 0;
  uint64_t categories = 0;                              // 0: numeric
  double smallest = 0, mean = 0, largest = 0, std = 0;  // of a numeric column's values; 0 when it has none
};

struct ScanReport {
  std::string format;
  uint64_t samples = 0;  // all; usable ones are samples - unreadable
  uint64_t unreadable = 0;
  uint64_t train = 0, validation = 0, test = 0;  // the recipe's parts; all 0 when they cannot be told (finding "split")
  uint64_t bytes = 0;                            // of the pictures' files
  std::vector<ClassCount> classes;               // multi-label: how often each label occurs; empty where targets are numbers
  struct Range {
    int smallest = 0, median = 0, largest = 0;
  } width, height;
  std::vector<std::pair<std::string, uint64_t>> kinds, channels, bits;  // "jpeg" → how many; "1", "3", "4"; "8", "16"; most first
  std::vector<double> mean, std;     // per channel (3; 1 when all are grey), of values from 0 to 1, every pixel counting the same; empty: nothing readable
  std::vector<ColumnFacts> columns;  // of a table
  std::vector<Finding> findings;     // Bad first; within a severity by code, then by file
  double seconds = 0;
  uint64_t from_cache = 0;  // samples that were not decoded again
};
Json toJson(const ScanReport& report);  // as `trainyard data scan --json`

// Memory grows by some 200 bytes a sample; time is reading and decoding every picture on all cores, then O(n log n). Error Data when the dataset
// cannot be opened, Interrupted.
Result<ScanReport> scan(const recipe::Data& data, uint64_t seed, const ScanOptions& options = {});

// Of samples [0, size): those that training must leave out, each with its reason; from the scan's cache where it has them, else by a look at
// the file's beginning and end (whole decoding only where that leaves doubt). Much quicker than a scan. Error Interrupted.
Result<std::vector<std::pair<uint64_t, Error>>> unusable(const Dataset& dataset, const recipe::Data& data, const ScanOptions& options = {});

}  // namespace trainyard::data
