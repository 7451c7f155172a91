#pragma once
// Inside the data room: the chapters of a scan's report.
#include "core/data/scan.h"
#include "core/data/split.h"

namespace trainyard::data {

// Sizes, kinds, channels, depths, bytes, mean and std; findings unreadable, truncated, empty, and those about how files are stored.
void reportPictures(const Dataset& dataset, const recipe::Data& data, const Looks& looks, ScanReport& report);

// Counts by class or label; findings empty_class, one_class, tiny_class, uneven_classes. Samples that cannot be read count in the report's
// classes, as they do in `samples`, but not in the findings.
void reportClasses(const Dataset& dataset, const Looks& looks, ScanReport& report);

// Columns; findings missing_values, constant_column, repeated_rows.
void reportTable(const Dataset& dataset, ScanReport& report);

// Bytes; findings leak, duplicate: windows of a text that occur again to the letter.
void reportText(const Dataset& dataset, const Split& parts, ScanReport& report);

// Bad first; within a severity by code, then by file. Findings that concern no file keep their order.
void sortFindings(std::vector<Finding>& findings);

std::string counted(uint64_t count, const char* one, const char* many);  // "1 picture", "2,000 pictures"

}  // namespace trainyard::data
