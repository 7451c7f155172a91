#include "ui/pages/data/findings_card.h"

#include <QMenu>

namespace trainyard::ui {
namespace {

constexpr auto kCode = "finding";  // property of a row's button

Dot::Tone toneOf(data::Severity severity) {
  return severity == data::Severity::Bad ? Dot::Tone::Bad : severity == data::Severity::Caution ? Dot::Tone::Caution : Dot::Tone::Accent;
}

}  // namespace

FindingsCard::FindingsCard(QWidget* parent) : Card(parent) {
  sentence_ = makeLabel("secondary", this, true);
  rows_ = new QVBoxLayout;
  rows_->setSpacing(10);
  body()->addWidget(sentence_);
  body()->addLayout(rows_);
  retranslate();
}

void FindingsCard::setMessage(const QString& text) {
  sentence_->setText(text);
  sentence_->setVisible(!text.isEmpty());
  groups_.clear();
  clearLayout(rows_);
}

void FindingsCard::setGroups(const QString& sentence, const std::vector<FindingGroup>& groups) {
  setMessage(sentence);
  groups_ = groups;
  for (const FindingGroup& group : groups_) {
    rows_->addWidget(makeLine(this));
    rows_->addWidget(makeRow(group));
  }
}

QWidget* FindingsCard::makeRow(const FindingGroup& group) {
  auto* holder = new QWidget(this);
  auto* row = new QHBoxLayout(holder);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(10);
  auto* dot = new Dot(holder);
  dot->setTone(toneOf(group.severity));
  auto* texts = new QVBoxLayout;
  texts->setSpacing(1);
  auto* what = makeLabel("strong", holder, true);
  what->setText(group.what);
  auto* why = makeLabel("secondary", holder, true);
  why->setText(group.why);
  texts->addWidget(what);
  texts->addWidget(why);
  row->addWidget(dot);
  row->addLayout(texts, 1);
  if (group.remedy == Remedy::None) return holder;
  auto* button = makeButton(holder);
  button->setProperty(kCode, group.code);
  button->setText(group.remedy == Remedy::FixLeak ? tr("Fix") : group.remedy == Remedy::ClassOptions ? tr("Options") : tr("Show"));
  button->setAccessibleName(button->text() + ": " + group.what);
  if (group.remedy == Remedy::FixLeak) button->setToolTip(tr("Leaves the copies out that are held out. The files stay."));
  row->addWidget(button, 0, Qt::AlignVCenter);
  connect(button, &QPushButton::clicked, this, [this, group, button] { act(group, button); });
  return holder;
}

void FindingsCard::act(const FindingGroup& group, QPushButton* button) {
  if (group.remedy == Remedy::Show) return Q_EMIT showRequested(group.code);
  if (group.remedy == Remedy::FixLeak) return Q_EMIT leaveOutRequested(group.spare, {});
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(group.klasses.size() == 1 ? tr("Leave the class out") : tr("Leave these %n classes out", nullptr, int(group.klasses.size())), this,
                  [this, group] { Q_EMIT leaveOutRequested({}, group.klasses); });
  for (const QString& name : group.klasses.mid(0, 20)) {
    menu->addAction(tr("Show “%1”").arg(name), this, [this, name] { Q_EMIT classRequested(name); });
  }
  menu->popup(button->mapToGlobal(QPoint(0, button->height())));
}

QStringList FindingsCard::lines() const {
  QStringList lines;
  for (const FindingGroup& group : groups_) lines << group.what;
  return lines;
}

QPushButton* FindingsCard::button(const QString& code) const {
  for (int i = 0; i < rows_->count(); ++i) {
    auto* button = rows_->itemAt(i)->widget()->findChild<QPushButton*>();
    if (button != nullptr && button->property(kCode).toString() == code) return button;
  }
  return nullptr;
}

}  // namespace trainyard::ui
