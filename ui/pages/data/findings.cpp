#include "ui/pages/data/findings.h"

#include <QCoreApplication>
#include <algorithm>

namespace trainyard::ui {
namespace {

constexpr uint64_t kFew = 20;     // pictures of a class
constexpr uint64_t kUneven = 10;  // times more of the largest class than of the smallest
constexpr uint64_t kFewHeldOut = 50;

struct Findings {
  Q_DECLARE_TR_FUNCTIONS(Findings)
};

}  // namespace

std::vector<Finding> findingsOf(const DatasetScan::Facts& facts) {
  std::vector<Finding> found;
  const auto& counts = facts.class_counts;
  if (counts.empty()) return found;
  if (counts.size() == 1)
    found.push_back({Findings::tr("There is only one class"), Findings::tr("A network learns to tell classes apart: it needs at least two.")});
  const auto smallest = std::min_element(counts.begin(), counts.end());
  const auto largest = std::max_element(counts.begin(), counts.end());
  const QString name = QString::fromStdString(facts.dataset->classes()[size_t(smallest - counts.begin())]);
  const QString most = QString::fromStdString(facts.dataset->classes()[size_t(largest - counts.begin())]);
  if (*smallest < kFew) {
    found.push_back(
        {Findings::tr("“%1” has %n picture(s)", nullptr, int(*smallest)).arg(name), Findings::tr("Too few to learn from. Add some, or leave the class out.")});
  } else if (*smallest > 0 && *largest / *smallest >= kUneven) {
    found.push_back({Findings::tr("“%1” has %2 times as many pictures as “%3”").arg(most).arg(*largest / *smallest).arg(name),
                     Findings::tr("The network will favour the larger class.")});
  }
  const auto held_out = facts.parts.validation.size();
  if (held_out < kFewHeldOut) {
    found.push_back({Findings::tr("Only %n picture(s) held out for checking", nullptr, int(held_out)), Findings::tr("The accuracy will be a rough guess.")});
  }
  return found;
}

}  // namespace trainyard::ui
