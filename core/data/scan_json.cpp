#include "core/data/scan.h"

namespace trainyard::data {

namespace {

Json counts(const std::vector<std::pair<std::string, uint64_t>>& pairs) {
  Json json = Json::object();
  for (const auto& [name, count] : pairs) json[name] = count;
  return json;
}

Json range(const ScanReport::Range& range) { return {{"smallest", range.smallest}, {"median", range.median}, {"largest", range.largest}}; }

Json toJson(const ColumnFacts& column) {
  Json json = {{"name", column.name}, {"missing", column.missing}};
  if (column.categories > 0) {
    json["categories"] = column.categories;
    return json;
  }
  json["smallest"] = jsonNumber(column.smallest);
  json["mean"] = jsonNumber(column.mean);
  json["largest"] = jsonNumber(column.largest);
  json["std"] = jsonNumber(column.std);
  return json;
}

Json toJson(const Finding& finding) {
  return {{"severity", severityName(finding.severity)}, {"code", finding.code}, {"file", finding.file}, {"text", finding.text}, {"files", finding.files}};
}

}  // namespace

Json toJson(const ScanReport& report) {
  Json json = {{"format", report.format},
               {"samples", report.samples},
               {"unreadable", report.unreadable},
               {"parts", {{"train", report.train}, {"validation", report.validation}, {"test", report.test}}}};
  json["classes"] = Json::array();
  for (const auto& count : report.classes) json["classes"].push_back({{"name", count.name}, {"index", count.index}, {"samples", count.samples}});
  if (report.columns.empty()) {
    json["bytes"] = report.bytes;
    json["width"] = range(report.width);
    json["height"] = range(report.height);
    json["kinds"] = counts(report.kinds);
    json["channels"] = counts(report.channels);
    json["bits"] = counts(report.bits);
    json["mean"] = report.mean;
    json["std"] = report.std;
  } else {
    json["columns"] = Json::array();
    for (const auto& column : report.columns) json["columns"].push_back(toJson(column));
  }
  json["findings"] = Json::array();
  for (const auto& finding : report.findings) json["findings"].push_back(toJson(finding));
  json["seconds"] = report.seconds;
  json["from_cache"] = report.from_cache;
  return json;
}

}  // namespace trainyard::data
