#pragma once
// What the scan found: a sentence, then a line for each kind of finding with one thing to do about it.
#include <QVBoxLayout>

#include "ui/pages/data/finding_groups.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class FindingsCard : public Card {
  Q_OBJECT
 public:
  explicit FindingsCard(QWidget* parent = nullptr);
  void setGroups(const QString& sentence, const std::vector<FindingGroup>& groups);
  void setMessage(const QString& text);            // instead of findings: a scan that runs, was stopped or failed
  QStringList lines() const;                       // the headlines
  QPushButton* button(const QString& code) const;  // nullptr: none
  void retranslate() { setTitle(tr("Found in the scan")); }

 Q_SIGNALS:
  void showRequested(const QString& code);
  void leaveOutRequested(const QStringList& pictures, const QStringList& classes);
  void classRequested(const QString& name);

 private:
  QWidget* makeRow(const FindingGroup& group);
  void act(const FindingGroup& group, QPushButton* button);

  QLabel* sentence_;
  QVBoxLayout* rows_;
  std::vector<FindingGroup> groups_;
};

}  // namespace trainyard::ui
