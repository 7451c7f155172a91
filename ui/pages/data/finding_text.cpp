// What the scan found, in words: the sentence above the findings, and what is said of one picture.
#include <QCoreApplication>
#include <QSet>
#include <algorithm>
#include <map>

#include "ui/pages/data/finding_groups.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

struct Findings {
  Q_DECLARE_TR_FUNCTIONS(Findings)
};

// "34 duplicates", for the sentence.
QString countOf(const FindingGroup& group) {
  const int n = int(group.pictures.size()), spare = int(group.spare.size());
  if (group.code == "unreadable") return Findings::tr("%Ln unreadable", nullptr, n);
  if (group.code == "leak") return Findings::tr("%Ln in both parts", nullptr, spare);
  if (group.code == "duplicate") return Findings::tr("%Ln duplicate(s)", nullptr, spare);
  if (group.code == "near_duplicate" || group.code == "near_leak") return Findings::tr("%Ln look alike", nullptr, n);
  if (group.code == "conflicting_labels") return Findings::tr("%Ln in two classes", nullptr, n);
  if (group.code == "wrong_extension") return Findings::tr("%Ln with the wrong ending", nullptr, n);
  if (group.code == "aspect") return Findings::tr("%Ln very long or tall", nullptr, n);
  return Findings::tr("%Ln other(s)", nullptr, n);
}

// The pictures of a group that one should look at: of equal ones, all but the one that stays.
const QStringList& worthALook(const FindingGroup& group) { return group.spare.isEmpty() ? group.pictures : group.spare; }

QString codeText(const data::Finding& finding) {
  static const std::map<std::string, const char*> kTexts = {
      {"truncated", QT_TRANSLATE_NOOP("Findings", "Cut short: cannot be read to its end")},
      {"empty", QT_TRANSLATE_NOOP("Findings", "An empty file")},
      {"wrong_extension", QT_TRANSLATE_NOOP("Findings", "Its ending does not fit its content")},
      {"duplicate", QT_TRANSLATE_NOOP("Findings", "There is an exact copy of it")},
      {"leak", QT_TRANSLATE_NOOP("Findings", "There is a copy of it in another part")},
      {"near_leak", QT_TRANSLATE_NOOP("Findings", "Another picture looks the same")},
      {"conflicting_labels", QT_TRANSLATE_NOOP("Findings", "There is a copy of it in another class")},
      {"near_duplicate", QT_TRANSLATE_NOOP("Findings", "Another picture looks the same")},
      {"aspect", QT_TRANSLATE_NOOP("Findings", "Very long or tall")},
      {"cmyk", QT_TRANSLATE_NOOP("Findings", "CMYK: converted to RGB")},
      {"bits16", QT_TRANSLATE_NOOP("Findings", "16 bits: brought to 8")},
      {"alpha", QT_TRANSLATE_NOOP("Findings", "Has transparent parts: put on the background")},
      {"rotated", QT_TRANSLATE_NOOP("Findings", "Turned as its EXIF says")},
  };
  const auto known = kTexts.find(finding.code);
  return known != kTexts.end() ? QCoreApplication::translate("Findings", known->second) : QString::fromStdString(finding.text);
}

}  // namespace

QString scanSentence(const data::ScanReport& report, const std::vector<FindingGroup>& groups) {
  QSet<QString> pictures;
  QStringList parts;
  for (const FindingGroup& group : groups) {
    if (group.severity == data::Severity::Note || group.pictures.isEmpty()) continue;
    for (const QString& name : worthALook(group)) pictures.insert(name);
    parts << countOf(group);
  }
  const QString all = formatNumber(qlonglong(report.samples));
  if (pictures.isEmpty()) return Findings::tr("Nothing wrong with %Ln picture(s). No file was changed.", nullptr, int(report.samples));
  const bool photos = std::any_of(report.kinds.begin(), report.kinds.end(), [](const auto& kind) { return kind.first == "jpeg" || kind.first == "heic"; });
  const int n = int(pictures.size());
  const QString begin = photos ? Findings::tr("%Ln of %1 photos need(s) a look:", nullptr, n) : Findings::tr("%Ln of %1 pictures need(s) a look:", nullptr, n);
  return Findings::tr("%1 %2. No file was changed.").arg(begin.arg(all), parts.join(Findings::tr(", ")));
}

QStringList findingsOf(const data::ScanReport& report, const QString& picture) {
  const std::string name = picture.toStdString();
  QStringList lines;
  for (const auto& finding : report.findings) {
    if (finding.file == name || std::find(finding.files.begin(), finding.files.end(), name) != finding.files.end()) lines << codeText(finding);
  }
  lines.removeDuplicates();
  return lines;
}

}  // namespace trainyard::ui
