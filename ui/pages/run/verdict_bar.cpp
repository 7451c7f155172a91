#include "ui/pages/run/verdict_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

const char* toneName(Tone tone) {
  switch (tone) {
    case Tone::Good:
      return "good";
    case Tone::Caution:
      return "caution";
    case Tone::Bad:
      return "bad";
    default:
      return "neutral";
  }
}

}  // namespace

VerdictBar::VerdictBar(QWidget* parent) : QFrame(parent) {
  setMinimumHeight(44);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 12, 6);
  row->setSpacing(10);
  title_ = makeLabel("strong", this);
  title_->setObjectName(QStringLiteral("verdictTitle"));
  sentence_ = new QLabel(this);
  sentence_->setObjectName(QStringLiteral("verdictSentence"));
  sentence_->setTextFormat(Qt::PlainText);
  sentence_->setWordWrap(true);
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  sentence_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  why_ = makeButton(this);
  action_ = makeButton(this);
  action_->setObjectName(QStringLiteral("verdictAction"));
  row->addWidget(title_);
  row->addWidget(sentence_, 1);
  row->addWidget(why_);
  row->addWidget(action_);
  connect(why_, &QPushButton::clicked, this, [this] { explain(); });
  connect(action_, &QPushButton::clicked, this, [this] { Q_EMIT act(text_.action); });
}

void VerdictBar::show(const BarText& text) {
  text_ = text;
  title_->setText(text.title);
  setLook(title_, "tone", toneName(text.tone));
  setLook(this, "verdict", toneName(text.tone));
  sentence_->setText(text.sentence);
  why_->setVisible(!text.why.isEmpty());
  action_->setVisible(text.action != BarAction::None && !text.action_text.isEmpty());
  action_->setText(text.action_text);
}

void VerdictBar::setBusy(bool busy) { action_->setEnabled(!busy); }

void VerdictBar::retranslate() { why_->setText(tr("Why?")); }

void VerdictBar::explain() {
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->setProperty("card", true);
  auto* box = new QVBoxLayout(popup);
  box->setContentsMargins(16, 12, 16, 12);
  auto* text = new QLabel(text_.why, popup);
  text->setTextFormat(Qt::PlainText);
  text->setWordWrap(true);
  text->setFixedWidth(360);
  box->addWidget(text);
  popup->adjustSize();
  const QPoint corner = why_->mapToGlobal(QPoint(why_->width(), why_->height() + 4));
  popup->move(corner.x() - popup->width(), corner.y());
  popup->show();
}

}  // namespace trainyard::ui
