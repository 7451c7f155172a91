#include <algorithm>
#include <cstdio>

#include "app/cli/data.h"
#include "core/base/units.h"

namespace trainyard::cli {

namespace {

constexpr size_t kFewClasses = 20, kFewFiles = 5;

size_t characters(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, size_t width) { return text + std::string(width - std::min(width, characters(text)), ' '); }

std::string number(double value, const char* pattern) {
  char text[48];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string listed(const std::vector<std::pair<std::string, uint64_t>>& counts, const char* unit) {
  std::string text;
  for (const auto& [name, count] : counts) text += (text.empty() ? "" : ", ") + name + unit + " " + formatCount(count);
  return text;
}

std::string listed(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : "  ") + number(value, "%.4f");
  return text;
}

void line(const char* title, const std::string& text) {
  if (!text.empty()) std::printf("%-12s %s\n", title, text.c_str());
}

void printSummary(const data::ScanReport& report, const std::string& path) {
  const bool table = !report.columns.empty();
  line("Data", path + " (" + report.format + ")");
  line(table ? "Rows" : "Pictures", formatCount(report.samples) +
                                        (report.unreadable > 0 ? ", " + formatCount(report.samples - report.unreadable) + " of them readable" : "") +
                                        (report.bytes > 0 ? ", " + formatBytes(report.bytes) : ""));
  if (report.train > 0) {
    line("Parts", "training " + formatCount(report.train) + ", validation " + formatCount(report.validation) +
                      (report.test > 0 ? ", test " + formatCount(report.test) : ""));
  }
  const auto range = [](const data::ScanReport::Range& of) {
    return of.smallest == of.largest ? std::to_string(of.smallest)
                                     : std::to_string(of.smallest) + " to " + std::to_string(of.largest) + " (half below " + std::to_string(of.median) + ")";
  };
  if (report.width.largest > 0) line("Size", "width " + range(report.width) + ", height " + range(report.height));
  line("Kinds", listed(report.kinds, ""));
  line("Channels", listed(report.channels, ":"));
  line("Bits", listed(report.bits, ":"));
  line("Mean", listed(report.mean));
  line("Deviation", listed(report.std));
}

void printClasses(const data::ScanReport& report, bool all) {
  if (report.classes.empty()) return;
  constexpr size_t kBar = 30, kWidest = 32;
  const size_t shown = all ? report.classes.size() : std::min(report.classes.size(), kFewClasses);
  uint64_t most = 1;
  size_t width = 0;
  for (const auto& count : report.classes) most = std::max(most, count.samples);
  for (size_t i = 0; i < shown; ++i) width = std::max(width, std::min(characters(report.classes[i].name), kWidest));
  std::printf("\nClasses: %zu\n", report.classes.size());
  for (size_t i = 0; i < shown; ++i) {
    const auto& count = report.classes[i];
    std::string bar;
    for (size_t cell = 0; cell < kBar && cell * most < count.samples * kBar; ++cell) bar += "█";
    std::printf("  %s %10s  %s\n", padded(count.name, width).c_str(), formatCount(count.samples).c_str(), bar.c_str());
  }
  if (shown < report.classes.size()) std::printf("  … and %zu more (--all lists them)\n", report.classes.size() - shown);
}

void printColumns(const data::ScanReport& report) {
  if (report.columns.empty()) return;
  size_t width = 0;
  for (const auto& column : report.columns) width = std::max(width, characters(column.name));
  std::printf("\nColumns: %zu\n", report.columns.size());
  for (const auto& column : report.columns) {
    const std::string what = column.categories > 0 ? formatCount(column.categories) + " categories"
                                                   : number(column.smallest, "%.6g") + " to " + number(column.largest, "%.6g") + ", mean " +
                                                         number(column.mean, "%.6g") + ", deviation " + number(column.std, "%.6g");
    std::printf("  %s  %s%s\n", padded(column.name, width).c_str(), what.c_str(),
                column.missing > 0 ? (", " + formatCount(column.missing) + " missing").c_str() : "");
  }
}

void printFinding(const data::Finding& finding, bool all) {
  std::printf("  %-18s %s%s%s\n", finding.code.c_str(), finding.file.c_str(), finding.file.empty() ? "" : ": ", finding.text.c_str());
  const size_t shown = all ? finding.files.size() : std::min(finding.files.size(), kFewFiles - 1);
  for (size_t i = 0; i < shown; ++i) std::printf("  %-18s %s\n", "", finding.files[i].c_str());
  if (shown < finding.files.size()) std::printf("  %-18s … and %s more\n", "", formatCount(finding.files.size() - shown).c_str());
}

// Of each code the first few, unless all are wanted.
void printFindings(const data::ScanReport& report, bool all) {
  constexpr const char* kTitles[] = {"Wrong", "Doubtful", "Worth knowing"};
  bool cut = false;
  for (const auto severity : {data::Severity::Bad, data::Severity::Caution, data::Severity::Note}) {
    const auto of = [&](const data::Finding& finding) { return finding.severity == severity; };
    const auto count = std::count_if(report.findings.begin(), report.findings.end(), of);
    if (count == 0) continue;
    std::printf("\n%s: %s\n", kTitles[static_cast<int>(severity)], formatCount(static_cast<uint64_t>(count)).c_str());
    std::string code;
    size_t same = 0;
    for (const auto& finding : report.findings) {
      if (!of(finding)) continue;
      if (finding.code != code && same > kFewFiles && !all) std::printf("  %-18s … and %s more\n", code.c_str(), formatCount(same - kFewFiles).c_str());
      same = finding.code == code ? same + 1 : 1;
      code = finding.code;
      cut |= finding.files.size() >= kFewFiles || same > kFewFiles;
      if (all || same <= kFewFiles) printFinding(finding, all);
    }
    if (same > kFewFiles && !all) std::printf("  %-18s … and %s more\n", code.c_str(), formatCount(same - kFewFiles).c_str());
  }
  if (report.findings.empty()) std::printf("\nNothing to complain about.\n");
  if (cut && !all) std::printf("\n--all lists every file.\n");
}

}  // namespace

void printReport(const data::ScanReport& report, const std::string& path, bool all) {
  printSummary(report, path);
  printClasses(report, all);
  printColumns(report);
  printFindings(report, all);
  std::string seen;
  if (report.from_cache > 0) seen = ", " + formatCount(report.from_cache) + " of them known from before";
  std::printf("\n%s looked at in %s%s.\n", formatCount(report.samples).c_str(), formatDuration(report.seconds).c_str(), seen.c_str());
}

}  // namespace trainyard::cli
