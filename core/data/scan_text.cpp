#include <unordered_map>

#include "core/data/scan_parts.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace trainyard::data {

namespace {

void report(const Dataset& dataset, const std::vector<uint64_t>& repeated, Severity severity, const char* code, const std::string& text, ScanReport& into) {
  if (repeated.empty()) return;
  Finding finding{severity, code, dataset.name(repeated[0]), counted(repeated.size(), "window", "windows") + text, {}, static_cast<int64_t>(repeated[0])};
  for (size_t i = 1; i < repeated.size(); ++i) finding.files.push_back(dataset.name(repeated[i]));
  into.findings.push_back(std::move(finding));
}

}  // namespace

void reportText(const Dataset& dataset, const Split& parts, ScanReport& into) {
  std::vector<bool> held_out(dataset.size());
  for (const auto* part : {&parts.validation, &parts.test}) {
    for (const uint64_t sample : *part) held_out[sample] = true;
  }
  std::unordered_map<uint64_t, uint64_t> first;  // hash of the window → sample
  std::vector<uint64_t> leaks, copies;
  for (uint64_t i = 0; i < dataset.size(); ++i) {
    const std::string window = dataset.fileBytes(i).value_or("");
    into.bytes += window.size() - 1;
    const auto [known, fresh] = first.emplace(XXH3_64bits(window.data(), window.size()), i);
    if (!fresh) (held_out[i] != held_out[known->second] ? leaks : copies).push_back(i);
  }
  report(dataset, leaks, Severity::Bad, "leak", " held out for checking or testing that training has as well", into);
  report(dataset, copies, Severity::Caution, "duplicate", " repeated to the letter", into);
}

}  // namespace trainyard::data
