#include "ui/widgets/choice_card.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "ui/icons/icons.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

constexpr int kPadding = 16;
constexpr int kGap = 6;
constexpr int kMark = 18;
constexpr int kMinWidth = 200;
constexpr qreal kRadius = 8;

}  // namespace

ChoiceCard::ChoiceCard(QWidget* parent) : QAbstractButton(parent) {
  setCheckable(true);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void ChoiceCard::setTexts(const QString& title, const QString& help, const QString& aside, bool wrong) {
  if (title == text() && help == help_ && aside == aside_ && wrong == wrong_) return;
  setText(title);
  help_ = help;
  aside_ = aside;
  wrong_ = wrong;
  setAccessibleDescription(aside.isEmpty() ? help : help + QLatin1Char('\n') + aside);
  updateGeometry();
  update();
}

QSize ChoiceCard::sizeHint() const { return {kMinWidth + 60, heightForWidth(kMinWidth + 60)}; }

int ChoiceCard::heightForWidth(int width) const {
  const QFontMetrics title(textFont(TextSize::Section)), body(textFont(TextSize::Secondary));
  const QRect room(0, 0, std::max(width - 2 * kPadding, 80), 10000);
  const QRect help = body.boundingRect(room, Qt::TextWordWrap, help_);
  const int aside = aside_.isEmpty() ? 0 : kGap + body.boundingRect(room, Qt::TextWordWrap, aside_).height();
  return 2 * kPadding + title.height() + kGap + help.height() + aside;
}

void ChoiceCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPalette palette = QApplication::palette();
  const bool marked = isChecked() || hasFocus();
  const qreal edge = isChecked() ? 2 : 1;
  const QRectF frame = QRectF(rect()).adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2);
  const QColor line = palette.color(marked ? QPalette::Link : underMouse() ? QPalette::Dark : QPalette::Mid);
  painter.setPen(QPen(line, edge));
  painter.setBrush(palette.color(QPalette::Base));
  painter.drawRoundedRect(frame, kRadius, kRadius);
  QRect area = rect().adjusted(kPadding, kPadding, -kPadding, -kPadding);
  painter.setFont(textFont(TextSize::Section));
  painter.setPen(palette.color(QPalette::WindowText));
  const QString title = painter.fontMetrics().elidedText(text(), Qt::ElideRight, area.width() - kMark - kGap);
  painter.drawText(area, Qt::AlignLeft | Qt::AlignTop, title);
  if (isChecked()) ui::icon("check", QPalette::Link).paint(&painter, QRect(area.right() - kMark, area.top(), kMark, kMark));
  area.setTop(area.top() + painter.fontMetrics().height() + kGap);
  painter.setFont(textFont(TextSize::Secondary));
  painter.setPen(palette.color(QPalette::PlaceholderText));
  QRect used;
  painter.drawText(area, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, help_, &used);
  if (aside_.isEmpty()) return;
  // The palette has no role for what is wrong; dark themes are told by their ground.
  const Tokens tokens = palette.color(QPalette::Base).lightness() < 128 ? darkTokens() : lightTokens();
  painter.setPen(wrong_ ? tokens.bad : palette.color(QPalette::Link));
  painter.drawText(area.adjusted(0, used.height() + kGap, 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, aside_);
}

}  // namespace trainyard::ui
