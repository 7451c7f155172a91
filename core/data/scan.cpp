#include "core/data/scan.h"

namespace trainyard::data {

const char* severityName(Severity severity) { return severity == Severity::Bad ? "bad" : severity == Severity::Caution ? "caution" : "note"; }
Json toJson(const ScanReport&) { return Json::object(); }
Result<ScanReport> scan(const recipe::Data&, uint64_t, const ScanOptions&) { return ScanReport(); }
Result<std::vector<std::pair<uint64_t, Error>>> unusable(const Dataset&, const recipe::Data&, const ScanOptions&) {
  return std::vector<std::pair<uint64_t, Error>>();
}

}  // namespace trainyard::data
