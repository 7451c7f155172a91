#include "core/data/scan.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/data/class_layout.h"
#include "core/data/copies.h"
#include "core/data/scan_parts.h"

namespace trainyard::data {

namespace {

bool stopped(const ScanOptions& options) { return options.cancelled != nullptr && *options.cancelled; }

tl::unexpected<Error> interrupted(const recipe::Data& data) {
  return fail(ErrorCode::Interrupted, "the scan was stopped", displayPath(data.path), "the next one goes on from here");
}

// Class folders without pictures keep a dataset from being opened; the scan leaves them out, and says so. What it cannot help stays an error.
recipe::Data withoutEmptyClasses(recipe::Data data, ScanReport& report) {
  constexpr int kMost = 1000;
  for (int i = 0; i < kMost; ++i) {
    const auto opened = open(data);
    if (opened || opened.error().what != kEmptyClass) break;
    const std::string name = fs::path(opened.error().where).filename().string();
    data.exclude_classes.push_back(name);
    report.findings.push_back({Severity::Bad, "empty_class", name, "has no pictures; add some, or leave the class out (data.exclude_classes)", {}, -1});
  }
  return data;
}

// The dataset with its parts; where the recipe's parts cannot be had, the dataset alone and a finding that says why.
Result<Opened> openFor(const recipe::Data& data, uint64_t seed, const ScanOptions& options, ScanReport& report) {
  if (data.group == "similar" || data.group == "time") {
    // The groups come of looks, which are then in the cache: this way they are taken with progress.
    const auto alone = open(data);
    if (alone && (*alone)->columns() == nullptr && (*alone)->task() != Task::Tokens) TRAINYARD_CHECK(lookAtAll(**alone, data, options));
  }
  auto opened = openWithSplit(data, seed);
  if (!opened && opened.error().what == kEmptyClass) opened = openWithSplit(withoutEmptyClasses(data, report), seed);
  if (opened) {
    report.train = opened->parts.train.size();
    report.validation = opened->parts.validation.size();
    report.test = opened->parts.test.size();
    return opened;
  }
  recipe::Data apart = data;
  for (const auto& finding : report.findings) apart.exclude_classes.push_back(finding.file);
  auto alone = open(apart);
  if (!alone) return tl::unexpected(std::move(alone.error()));
  const Error& error = opened.error();
  const std::string why = error.where + ": " + error.what + (error.hint.empty() ? "" : " (" + error.hint + ")");
  report.findings.push_back({Severity::Bad, "split", "", "the data cannot be split for training: " + why, {}, -1});
  return Opened{std::move(*alone), {}};
}

}  // namespace

const char* severityName(Severity severity) { return severity == Severity::Bad ? "bad" : severity == Severity::Caution ? "caution" : "note"; }

std::string counted(uint64_t count, const char* one, const char* many) { return formatCount(count) + " " + (count == 1 ? one : many); }

void sortFindings(std::vector<Finding>& findings) {
  const auto key = [](const Finding& finding) { return std::tie(finding.severity, finding.code, finding.sample); };
  std::stable_sort(findings.begin(), findings.end(), [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
}

Result<ScanReport> scan(const recipe::Data& data, uint64_t seed, const ScanOptions& options) {
  const double started = steadySeconds();
  ScanReport report;
  report.format = data.format.id;
  TRAINYARD_TRY(const Opened opened, openFor(data, seed, options, report));
  const Dataset& dataset = *opened.dataset;
  report.samples = dataset.size();
  if (stopped(options)) return interrupted(data);
  Looks looks;
  if (dataset.task() == Task::Tokens) {
    reportText(dataset, opened.parts, report);
  } else if (dataset.columns() == nullptr) {
    TRAINYARD_TRY(looks, lookAtAll(dataset, data, options));
    report.from_cache = looks.from_cache;
    reportPictures(dataset, data, looks, report);
    if (stopped(options)) return interrupted(data);
    auto copies = findCopies(dataset, opened.parts, looks.all);
    std::move(copies.begin(), copies.end(), std::back_inserter(report.findings));
  } else {
    reportTable(dataset, report);
  }
  if (stopped(options)) return interrupted(data);
  reportClasses(dataset, looks, report);
  sortFindings(report.findings);
  report.seconds = steadySeconds() - started;
  return report;
}

}  // namespace trainyard::data
