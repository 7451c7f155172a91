#include "ui/pages/data/finding_groups.h"

#include <QCoreApplication>
#include <QSet>
#include <algorithm>
#include <map>

#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr size_t kFewHeldOut = 50;
constexpr size_t kClassRows = 3;  // more small classes than that share a line

struct Findings {
  Q_DECLARE_TR_FUNCTIONS(Findings)
};

using Codes = std::vector<const char*>;
const Codes kBroken = {"unreadable", "truncated", "empty"};
const Codes kHandled = {"rotated", "cmyk", "bits16", "alpha"};
const Codes kSmallClasses = {"empty_class", "tiny_class"};

QString text(const std::string& source) { return QString::fromStdString(source); }

class Grouping {
 public:
  Grouping(const data::ScanReport& report, const DatasetScan::Facts& facts, const Exclusions& exclusions)
      : report_(report), facts_(facts), gone_(exclusions.pictures.begin(), exclusions.pictures.end()) {
    for (const auto& finding : report.findings) by_code_[finding.code].push_back(&finding);
    gone_classes_ = QSet<QString>(exclusions.classes.begin(), exclusions.classes.end());
  }

  std::vector<FindingGroup> run() {
    broken();
    leaks();
    classes();
    copies();
    simple(
        "near_duplicate", [](int n) { return Findings::tr("%Ln picture(s) look alike", nullptr, n); },
        Findings::tr("Resized or saved again. “Keep together: near-duplicates” holds them in one part."));
    simple(
        "near_leak", [](int n) { return Findings::tr("%Ln look-alike(s) in both parts", nullptr, n); },
        Findings::tr("The check may look better than it is. “Keep together: near-duplicates” holds them in one part."));
    simple(
        "conflicting_labels", [](int n) { return Findings::tr("%Ln copy(ies) in different classes", nullptr, n); },
        Findings::tr("The same picture cannot be both: leave the wrong one out."));
    simple(
        "wrong_extension", [](int n) { return Findings::tr("%Ln file(s) with the wrong ending", nullptr, n); },
        Findings::tr("They are read by their content."));
    simple(
        "aspect", [](int n) { return Findings::tr("%Ln very long or tall picture(s)", nullptr, n); }, Findings::tr("A square crop shows little of them."));
    heldOut();
    handled();
    others();
    std::stable_sort(groups_.begin(), groups_.end(), [](const auto& a, const auto& b) { return a.severity < b.severity; });
    return std::move(groups_);
  }

 private:
  std::vector<const data::Finding*> take(const char* code) {
    const auto found = by_code_.find(code);
    if (found == by_code_.end()) return {};
    auto findings = std::move(found->second);
    by_code_.erase(found);
    return findings;
  }

  // The pictures of a finding that are still there.
  QStringList picturesOf(const data::Finding& finding) const {
    QStringList names;
    const auto add = [&](const std::string& name) {
      const QString one = text(name);
      if (!name.empty() && !gone_.contains(one)) names << one;
    };
    add(finding.file);
    for (const auto& name : finding.files) add(name);
    return names;
  }

  static void raise(FindingGroup& group, const data::Finding& finding) { group.severity = std::min(group.severity, finding.severity); }

  static QStringList unique(const QStringList& names) {
    QStringList once = names;
    once.removeDuplicates();
    return once;
  }

  void broken() {
    FindingGroup group;
    group.code = kBroken.front();
    QStringList kinds;
    for (const char* code : kBroken) {
      QStringList pictures;
      for (const auto* finding : take(code)) {
        pictures << picturesOf(*finding);
        raise(group, *finding);
      }
      if (pictures.isEmpty()) continue;
      const int n = int(pictures.size());
      kinds << (QLatin1String(code) == "truncated" ? Findings::tr("%Ln cut short", nullptr, n)
                : QLatin1String(code) == "empty"   ? Findings::tr("%Ln empty", nullptr, n)
                                                   : Findings::tr("%Ln damaged", nullptr, n));
      group.pictures << pictures;
    }
    if (group.pictures.isEmpty()) return;
    group.pictures = unique(group.pictures);
    group.spare = group.pictures;
    group.what = Findings::tr("%Ln picture(s) cannot be read", nullptr, int(group.pictures.size()));
    group.why = Findings::tr("%1. Training goes on without them.").arg(kinds.join(Findings::tr(", ")));
    group.remedy = Remedy::Show;
    groups_.push_back(group);
  }

  // Of each set of equal pictures those that training would have seen before it is checked on them. Where parts are drawn, one copy alone
  // stays: the next draw could part two again.
  void leaks() {
    FindingGroup group;
    group.code = "leak";
    const auto findings = take("leak");
    QSet<QString> held_out;
    bool drawn = false;
    if (!findings.empty()) {
      for (const auto* part : {&facts_.parts.validation, &facts_.parts.test}) {
        for (const uint64_t index : *part) {
          held_out.insert(text(facts_.dataset->name(index)));
          drawn |= facts_.dataset->part(index) == data::Part::Unassigned;
        }
      }
    }
    for (const auto* finding : findings) {
      const QStringList equal = unique(picturesOf(*finding));
      if (equal.size() < 2) continue;
      raise(group, *finding);
      group.pictures << equal;
      const auto training = std::find_if(equal.begin(), equal.end(), [&](const QString& name) { return !held_out.contains(name); });
      const QString stays = training == equal.end() ? equal.front() : *training;
      for (const QString& name : equal) {
        if (name != stays && (drawn || held_out.contains(name))) group.spare << name;
      }
    }
    if (group.pictures.isEmpty()) return;
    group.pictures = unique(group.pictures);
    group.spare = unique(group.spare);
    group.what = Findings::tr("%Ln copy(ies) in both parts", nullptr, int(group.spare.size()));
    group.why = Findings::tr("The check would look better than it is.");
    group.remedy = Remedy::FixLeak;
    groups_.push_back(group);
  }

  void copies() {
    FindingGroup group;
    group.code = "duplicate";
    for (const auto* finding : take("duplicate")) {
      const QStringList equal = unique(picturesOf(*finding));
      if (equal.size() < 2) continue;
      raise(group, *finding);
      group.pictures << equal;
      group.spare << equal.mid(1);
    }
    if (group.pictures.isEmpty()) return;
    group.pictures = unique(group.pictures);
    group.spare = unique(group.spare);
    group.what = Findings::tr("%Ln exact copy(ies)", nullptr, int(group.spare.size()));
    group.why = Findings::tr("Pictures that are there twice count twice.");
    group.remedy = Remedy::Show;
    groups_.push_back(group);
  }

  void simple(const char* code, QString (*what)(int), const QString& why) {
    FindingGroup group;
    group.code = code;
    for (const auto* finding : take(code)) {
      group.pictures << picturesOf(*finding);
      raise(group, *finding);
    }
    group.pictures = unique(group.pictures);
    if (group.pictures.isEmpty()) return;
    group.what = what(int(group.pictures.size()));
    group.why = why;
    group.remedy = Remedy::Show;
    groups_.push_back(group);
  }

  // What the reader puts right by itself, in one line.
  void handled() {
    FindingGroup group;
    QStringList kinds;
    for (const char* code : kHandled) {
      QStringList pictures;
      for (const auto* finding : take(code)) pictures << picturesOf(*finding);
      pictures = unique(pictures);
      if (pictures.isEmpty()) continue;
      const int n = int(pictures.size());
      const QLatin1String which(code);
      kinds << (which == "rotated" ? Findings::tr("%Ln turned by EXIF", nullptr, n)
                : which == "cmyk"  ? Findings::tr("%Ln CMYK", nullptr, n)
                : which == "alpha" ? Findings::tr("%Ln with transparent parts", nullptr, n)
                                   : Findings::tr("%Ln with 16 bits", nullptr, n));
      if (group.code.isEmpty()) group.code = which;
      group.pictures << pictures;
    }
    if (kinds.isEmpty()) return;
    group.pictures = unique(group.pictures);
    group.what = kinds.join(Findings::tr(", "));
    group.why = Findings::tr("Handled; nothing to do.");
    group.remedy = Remedy::Show;
    groups_.push_back(group);
  }

  const data::ClassCount* largest() const {
    const auto found = std::max_element(report_.classes.begin(), report_.classes.end(), [](const auto& a, const auto& b) { return a.samples < b.samples; });
    return found == report_.classes.end() ? nullptr : &*found;
  }

  void classes() {
    for (const auto* finding : take("one_class")) {
      FindingGroup group = of(*finding);
      group.what = Findings::tr("There is only one class");
      group.why = Findings::tr("A network learns to tell classes apart: it needs at least two.");
      groups_.push_back(group);
    }
    std::vector<FindingGroup> small;
    for (const char* code : kSmallClasses) {
      for (const auto* finding : take(code)) {
        FindingGroup group = of(*finding);
        group.klasses = {text(finding->file)};
        if (gone_classes_.contains(group.klasses[0])) continue;
        const auto known = std::find_if(report_.classes.begin(), report_.classes.end(), [&](const auto& one) { return text(one.name) == group.klasses[0]; });
        const uint64_t samples = known == report_.classes.end() ? 0 : known->samples;
        group.what = Findings::tr("“%1” has %Ln picture(s)", nullptr, int(samples)).arg(group.klasses[0]);
        const auto* most = largest();
        group.why = samples == 0 || most == nullptr
                        ? Findings::tr("Nothing to learn from.")
                        : Findings::tr("Too few to learn from: “%1” has %2.").arg(text(most->name), formatNumber(qlonglong(most->samples)));
        group.remedy = Remedy::ClassOptions;
        small.push_back(group);
      }
    }
    if (small.size() > kClassRows) {
      FindingGroup all = small.front();
      for (size_t i = 1; i < small.size(); ++i) all.klasses << small[i].klasses;
      all.what = Findings::tr("%Ln class(es) with very few pictures", nullptr, int(all.klasses.size()));
      all.why = Findings::tr("Too few to learn from: %1, …").arg(all.klasses.mid(0, int(kClassRows)).join(Findings::tr(", ")));
      small = {all};
    }
    groups_.insert(groups_.end(), small.begin(), small.end());
    uneven();
  }

  void uneven() {
    const auto findings = take("uneven_classes");
    const auto* most = largest();
    if (findings.empty() || most == nullptr) return;
    const data::ClassCount* least = most;
    for (const auto& one : report_.classes) {
      if (one.samples > 0 && one.samples < least->samples) least = &one;
    }
    FindingGroup group = of(*findings.front());
    group.what = Findings::tr("“%1” has %2 times as many pictures as “%3”")
                     .arg(text(most->name))
                     .arg(most->samples / std::max<uint64_t>(least->samples, 1))
                     .arg(text(least->name));
    group.why = Findings::tr("The network will favour the larger class.");
    groups_.push_back(group);
  }

  void heldOut() {
    const size_t held_out = facts_.parts.validation.size();
    if (facts_.parts.train.empty() || held_out >= kFewHeldOut) return;
    FindingGroup group;
    group.code = "few_held_out";
    group.what = Findings::tr("Only %Ln picture(s) held out for checking", nullptr, int(held_out));
    group.why = Findings::tr("The accuracy will be a rough guess.");
    groups_.push_back(group);
  }

  // Codes that are not known here keep the scan's own words.
  void others() {
    for (const auto& [code, findings] : by_code_) {
      FindingGroup group = of(*findings.front());
      for (const auto* finding : findings) group.pictures << picturesOf(*finding);
      group.pictures = unique(group.pictures);
      group.what = text(findings.front()->text);
      if (findings.size() > 1) group.what += QString(" (%1 ×)").arg(formatNumber(qlonglong(findings.size())));
      group.why = text(findings.front()->file);
      if (facts_.dataset->columns() == nullptr && !group.pictures.isEmpty()) group.remedy = Remedy::Show;
      groups_.push_back(group);
    }
  }

  static FindingGroup of(const data::Finding& finding) {
    FindingGroup group;
    group.code = text(finding.code);
    group.severity = finding.severity;
    return group;
  }

  const data::ScanReport& report_;
  const DatasetScan::Facts& facts_;
  QSet<QString> gone_, gone_classes_;
  std::map<std::string, std::vector<const data::Finding*>> by_code_;
  std::vector<FindingGroup> groups_;
};

}  // namespace

std::vector<FindingGroup> groupFindings(const data::ScanReport& report, const DatasetScan::Facts& facts, const Exclusions& exclusions) {
  return Grouping(report, facts, exclusions).run();
}

}  // namespace trainyard::ui
