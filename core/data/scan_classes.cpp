#include <algorithm>
#include <cstdio>

#include "core/base/units.h"
#include "core/data/scan_parts.h"

namespace trainyard::data {

namespace {

constexpr uint64_t kFew = 10;     // pictures of a class from which little can be learned
constexpr uint64_t kUneven = 10;  // times as many

// How many samples have each class or label; those that `skip` marks are left out.
std::vector<uint64_t> countClasses(const Dataset& dataset, const std::vector<bool>& skip) {
  std::vector<uint64_t> counts(dataset.classes().size());
  std::vector<float> target(counts.size());
  for (uint64_t i = 0; i < dataset.size(); ++i) {
    if (skip[i]) continue;
    if (dataset.task() == Task::Classes) {
      ++counts[static_cast<size_t>(dataset.label(i))];
      continue;
    }
    dataset.target(i, target);
    for (size_t c = 0; c < counts.size(); ++c) counts[c] += target[c] != 0;
  }
  return counts;
}

void findUneven(const std::vector<std::string>& names, const std::vector<uint64_t>& counts, ScanReport& report) {
  size_t smallest = counts.size(), largest = 0;
  for (size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] > 0 && (smallest == counts.size() || counts[c] < counts[smallest])) smallest = c;
    if (counts[c] > counts[largest]) largest = c;
  }
  if (smallest == counts.size() || counts[largest] < kUneven * counts[smallest]) return;
  char times[32];
  std::snprintf(times, sizeof times, "%.0f", static_cast<double>(counts[largest]) / static_cast<double>(counts[smallest]));
  report.findings.push_back({Severity::Caution,
                             "uneven_classes",
                             names[largest],
                             std::string("has ") + times + " times the samples of the smallest class, " + names[smallest] + ": " +
                                 formatCount(counts[largest]) + " and " + formatCount(counts[smallest]),
                             {names[smallest]},
                             -1});
}

}  // namespace

void reportClasses(const Dataset& dataset, const Looks& looks, ScanReport& report) {
  if (dataset.task() == Task::Numbers || dataset.task() == Task::Tokens) return;
  const auto& names = dataset.classes();
  std::vector<bool> skip(dataset.size());
  const std::vector<uint64_t> all = countClasses(dataset, skip);
  for (size_t c = 0; c < names.size(); ++c) report.classes.push_back({names[c], static_cast<int>(c), all[c]});

  for (const auto& [sample, error] : looks.problems) skip[sample] = true;
  const std::vector<uint64_t> readable = countClasses(dataset, skip);
  for (size_t c = 0; c < names.size(); ++c) {
    const std::string hint = "; add some, or leave the class out (data.exclude_classes)";
    if (readable[c] == 0) {
      report.findings.push_back({Severity::Bad, "empty_class", names[c], (all[c] == 0 ? "has no samples" : "has no samples that can be read") + hint, {}, -1});
    } else if (readable[c] < kFew) {
      report.findings.push_back({Severity::Caution, "tiny_class", names[c], "has only " + counted(readable[c], "sample", "samples") + hint, {}, -1});
    }
  }
  if (names.size() == 1 && dataset.task() == Task::Classes)
    report.findings.push_back({Severity::Caution, "one_class", names[0], "is the only class: there is nothing to tell apart", {}, -1});
  findUneven(names, readable, report);
}

}  // namespace trainyard::data
