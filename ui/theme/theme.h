#pragma once
// The two looks of the window: colour tokens, the palette and the style sheet made from them. GUI thread.
#include <QColor>
#include <QDBusVariant>
#include <QFont>
#include <QObject>
#include <QVector>

namespace trainyard::ui {

// Contrasts: text on its ground at least 4.5, edges and series at least 3.
struct Tokens {
  QColor window, base, raised;  // page ground; cards, fields and charts; rail and raised controls
  QColor text, secondary, placeholder, disabled;
  QColor hairline, edge;  // lines between things; outlines of controls
  QColor accent, on_accent, selection;
  QColor good, good_ground, caution, caution_ground, bad, bad_ground;
  QVector<QColor> series;  // eight; training first, validation second
  bool dark = false;
};

enum class ThemeChoice { System, Light, Dark };

// Applies itself to the application: palette, fonts and style sheet. With System it follows the desktop's colour scheme, asked over D-Bus
// without waiting: the answer arrives as changed().
class Theme : public QObject {
  Q_OBJECT
 public:
  // `dark_guess` is what System means until the desktop has answered (what it said last time).
  explicit Theme(bool dark_guess = false, QObject* parent = nullptr);
  const Tokens& tokens() const { return tokens_; }
  ThemeChoice choice() const { return choice_; }
  void choose(ThemeChoice choice);
  bool desktopDark() const { return desktop_dark_; }

 Q_SIGNALS:
  void changed();

 private Q_SLOTS:
  void onPortalSetting(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  void apply(bool dark);
  void askDesktop();

  ThemeChoice choice_ = ThemeChoice::System;
  Tokens tokens_;
  bool applied_ = false;
  bool asked_ = false;
  bool desktop_dark_;
};

Tokens lightTokens();
Tokens darkTokens();

// The type scale 11 12 13 15 20 28, relative to the application's font, so that a larger system font enlarges all of it.
enum class TextSize { Axis, Secondary, Body, Section, Page, Hero };
QFont textFont(TextSize size);

}  // namespace trainyard::ui
