#pragma once
// The verbs below `data`.
#include "app/cli/cli.h"
#include "core/data/scan.h"

namespace trainyard::cli {

void addScan(CLI::App& data, Context& context);
void addPreview(CLI::App& data, Context& context);

// The report for people, on stdout. `all`: every class and every file, else the first few.
void printReport(const data::ScanReport& report, const std::string& path, bool all);

}  // namespace trainyard::cli
