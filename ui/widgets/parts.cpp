#include "ui/widgets/parts.h"

#include <QApplication>
#include <QCoreApplication>
#include <QLocale>
#include <QPainter>
#include <QStyle>
#include <QToolButton>
#include <functional>

#include "ui/icons/icons.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

constexpr int kDotSize = 8;

}  // namespace

void setLook(QWidget* widget, const char* property, const QVariant& value) {
  if (widget->property(property) == value) return;
  widget->setProperty(property, value);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
  widget->update();
}

QLabel* makeLabel(const char* look, QWidget* parent, bool wraps) {
  auto* label = new QLabel(parent);
  label->setProperty("look", QString(look));
  label->setWordWrap(wraps);
  if (wraps) label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  return label;
}

QPushButton* makeButton(QWidget* parent) {
  auto* button = new QPushButton(parent);
  button->setAutoDefault(false);
  return button;
}

QPushButton* makeLink(QWidget* parent) {
  auto* button = makeButton(parent);
  button->setProperty("link", true);
  button->setCursor(Qt::PointingHandCursor);
  return button;
}

QFrame* makeLine(QWidget* parent) {
  auto* line = new QFrame(parent);
  line->setProperty("line", true);
  line->setFixedHeight(1);
  return line;
}

QString catalogueText(const std::string& source) { return source.empty() ? QString() : QCoreApplication::translate("catalogue", source.c_str()); }

QString formatNumber(qlonglong value) { return QLocale().toString(value); }

QString formatSize(quint64 bytes) { return QLocale().formattedDataSize(qint64(bytes), 1, QLocale::DataSizeIecFormat); }

Dot::Dot(QWidget* parent) : QWidget(parent) { setFixedSize(kDotSize, kDotSize + 2); }

void Dot::setTone(Tone tone) {
  tone_ = tone;
  update();
}

void Dot::paintEvent(QPaintEvent*) {
  if (tone_ == Tone::None) return;
  const QPalette palette = QApplication::palette();
  // The palette has no roles for good and caution; dark themes are told by their ground.
  const Tokens tokens = palette.color(QPalette::Base).lightness() < 128 ? darkTokens() : lightTokens();
  const QColor color = tone_ == Tone::Accent ? tokens.accent : tone_ == Tone::Good ? tokens.good : tone_ == Tone::Caution ? tokens.caution : tokens.bad;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawEllipse(QRectF(0, (height() - kDotSize) / 2.0, kDotSize, kDotSize));
}

Card::Card(QWidget* parent) : QFrame(parent) {
  setProperty("card", true);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(16, 14, 16, 16);
  all->setSpacing(12);
  header_ = new QHBoxLayout;
  header_->setSpacing(8);
  title_ = makeLabel("section", this);
  aside_ = makeLabel("secondary", this);
  header_->addWidget(title_);
  header_->addStretch(1);
  header_->addWidget(aside_);
  title_->hide();
  aside_->hide();
  all->addLayout(header_);
  body_ = new QVBoxLayout;
  body_->setSpacing(8);
  all->addLayout(body_, 1);
}

void Card::setTitle(const QString& title) {
  title_->setText(title);
  title_->setVisible(!title.isEmpty());
}

void Card::setAside(const QString& text) {
  aside_->setText(text);
  aside_->setVisible(!text.isEmpty());
}

void PathLabel::setPath(const QString& text) {
  whole_ = text;
  setToolTip(text);
  setText(fontMetrics().elidedText(whole_, Qt::ElideMiddle, std::max(width(), 40)));
}

void PathLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  setText(fontMetrics().elidedText(whole_, Qt::ElideMiddle, width()));
}

NoticeBar::NoticeBar(QWidget* parent) : QFrame(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(20, 8, 12, 8);
  row->setSpacing(12);
  text_ = new QLabel(this);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  action_ = makeButton(this);
  close_ = new QToolButton(this);
  close_->setIcon(icon("close"));
  row->addWidget(text_, 1);
  row->addWidget(action_);
  row->addWidget(close_);
  connect(close_, &QToolButton::clicked, this, [this] { hide(); });
  connect(action_, &QPushButton::clicked, this, [this] {
    hide();
    if (act_) act_();
  });
  hide();
}

void NoticeBar::tell(const char* kind, const QString& text, const QString& action, std::function<void()> act) {
  setLook(this, "notice", QString(kind));
  setLook(text_, "tone", QString(kind));
  text_->setText(text);
  action_->setText(action);
  action_->setVisible(!action.isEmpty());
  act_ = std::move(act);
  close_->setToolTip(tr("Close"));
  close_->setAccessibleName(tr("Close"));
  show();
}

void clearLayout(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->hide();
      widget->deleteLater();
    }
    if (item->layout()) clearLayout(item->layout());
    delete item;
  }
}

}  // namespace trainyard::ui
