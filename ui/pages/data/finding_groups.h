#pragma once
// What a scan found, put together for people: one line for what belongs together, in the window's language.
#include <QString>
#include <QStringList>
#include <vector>

#include "core/data/scan.h"
#include "ui/pages/data/exclusions.h"
#include "ui/pictures/dataset_scan.h"

namespace trainyard::ui {

enum class Remedy {
  None,
  Show,          // its pictures
  FixLeak,       // leave `spare` out
  LeaveOut,      // leave `spare` out: copies of what stays
  ClassOptions,  // leave `klasses` out, or look at them
};

struct FindingGroup {
  data::Severity severity = data::Severity::Note;
  QString code;  // of the scan; groups of several codes have the first one's
  QString what, why;
  QStringList pictures;  // each once
  QStringList spare;     // of them those that can go without losing a picture
  QStringList klasses;   // of small classes
  Remedy remedy = Remedy::None;
};

// Bad first. Pictures that are left out already no longer count.
std::vector<FindingGroup> groupFindings(const data::ScanReport& report, const DatasetScan::Facts& facts, const Exclusions& exclusions);

// "37 of 4,012 pictures need a look: 3 unreadable, 34 duplicates. No file was changed."
QString scanSentence(const data::ScanReport& report, const std::vector<FindingGroup>& groups);

// What the scan says about one picture, each finding in a line.
QStringList findingsOf(const data::ScanReport& report, const QString& picture);

}  // namespace trainyard::ui
