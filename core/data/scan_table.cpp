#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/base/units.h"
#include "core/data/scan_parts.h"

namespace trainyard::data {

namespace {

// Welford's method: columns of large numbers that differ little keep their spread.
struct Running {
  uint64_t count = 0;
  double mean = 0, spread = 0, smallest = std::numeric_limits<double>::infinity(), largest = -std::numeric_limits<double>::infinity();
  void add(double value) {
    ++count;
    const double before = value - mean;
    mean += before / static_cast<double>(count);
    spread += before * (value - mean);
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }
};

ColumnFacts factsOf(const Column& column, uint64_t rows, const Running& values) {
  ColumnFacts facts;
  facts.name = column.name;
  facts.missing = rows - values.count;
  facts.categories = column.categories.size();
  if (!column.numeric() || values.count == 0) return facts;
  facts.smallest = values.smallest;
  facts.mean = values.mean;
  facts.largest = values.largest;
  facts.std = std::sqrt(values.spread / static_cast<double>(values.count));
  return facts;
}

void reportRepeated(const Dataset& dataset, ScanReport& report) {
  std::unordered_map<uint64_t, uint64_t> first;  // hash of a row and its target → sample
  std::vector<uint64_t> repeated;
  std::vector<float> target(dataset.classes().size());
  for (uint64_t i = 0; i < dataset.size(); ++i) {
    const auto row = dataset.row(i);
    uint64_t hash = XXH3_64bits_withSeed(row.data(), row.size_bytes(), static_cast<uint64_t>(dataset.label(i)));
    if (dataset.task() != Task::Classes) {
      dataset.target(i, target);
      hash = XXH3_64bits_withSeed(target.data(), target.size() * sizeof(float), hash);
    }
    if (!first.emplace(hash, i).second) repeated.push_back(i);
  }
  if (repeated.empty()) return;
  Finding finding{Severity::Note,
                  "repeated_rows",
                  dataset.name(repeated[0]),
                  counted(repeated.size(), "row repeats", "rows repeat") + " an earlier one",
                  {},
                  static_cast<int64_t>(repeated[0])};
  for (size_t i = 1; i < repeated.size(); ++i) finding.files.push_back(dataset.name(repeated[i]));
  report.findings.push_back(std::move(finding));
}

}  // namespace

void reportTable(const Dataset& dataset, ScanReport& report) {
  const auto& columns = *dataset.columns();
  std::vector<Running> values(columns.size());
  for (uint64_t i = 0; i < dataset.size(); ++i) {
    const auto row = dataset.row(i);
    for (size_t c = 0; c < columns.size(); ++c) {
      if (!std::isnan(row[c])) values[c].add(row[c]);
    }
  }
  for (size_t c = 0; c < columns.size(); ++c) {
    report.columns.push_back(factsOf(columns[c], dataset.size(), values[c]));
    const uint64_t missing = report.columns.back().missing;
    if (missing > 0) {
      const auto share = static_cast<int>(std::lround(100.0 * static_cast<double>(missing) / static_cast<double>(dataset.size())));
      report.findings.push_back({Severity::Caution,
                                 "missing_values",
                                 columns[c].name,
                                 "has no value in " + counted(missing, "row", "rows") + " (" + (share == 0 ? "less than 1" : std::to_string(share)) +
                                     " %); they get " + (columns[c].numeric() ? "the mean" : "no category"),
                                 {},
                                 -1});
    }
    if (values[c].count == 0 || values[c].smallest == values[c].largest) {
      report.findings.push_back(
          {Severity::Caution, "constant_column", columns[c].name, "has the same value in every row: nothing can be learned from it", {}, -1});
    }
  }
  reportRepeated(dataset, report);
}

}  // namespace trainyard::data
