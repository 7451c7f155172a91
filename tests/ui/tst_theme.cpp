#include <QApplication>
#include <QFile>
#include <QPalette>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "ui/icons/icons.h"
#include "ui/theme/theme.h"

using namespace trainyard::ui;

namespace {

// Contrast ratio of WCAG 2.
double contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& color) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
  };
  const double light = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
  return (light + 0.05) / (dark + 0.05);
}

}  // namespace

class ThemeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void contrasts_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void contrasts() {
    QFETCH(bool, dark);
    const Tokens t = dark ? darkTokens() : lightTokens();
    QCOMPARE(t.dark, dark);
    QVERIFY(contrast(t.placeholder, t.base) >= 4.5);
    for (const QColor& ground : {t.window, t.base, t.raised}) {
      for (const QColor& text : {t.text, t.secondary}) QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + " on " + ground.name()));
    }
    for (const QColor& ground : {t.window, t.base}) {
      QVERIFY(contrast(t.accent, ground) >= 4.5);
      QVERIFY(contrast(t.edge, ground) >= 3);
    }
    QVERIFY(contrast(t.text, t.selection) >= 4.5);
    QVERIFY(contrast(t.on_accent, t.accent) >= 4.5);
    QVERIFY(contrast(t.good, t.good_ground) >= 4.5);
    QVERIFY(contrast(t.caution, t.caution_ground) >= 4.5);
    QVERIFY(contrast(t.bad, t.bad_ground) >= 4.5);
    QCOMPARE(t.series.size(), 8);
    for (const QColor& line : t.series) QVERIFY2(contrast(line, t.base) >= 3, qPrintable(line.name()));
  }

  void paletteIsWholeInBothThemes() {
    Theme theme;
    for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
      theme.choose(choice);
      const Tokens& t = theme.tokens();
      const QPalette palette = QApplication::palette();
      for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
        QCOMPARE(palette.color(group, QPalette::Window), t.window);
        QCOMPARE(palette.color(group, QPalette::Base), t.base);
        QCOMPARE(palette.color(group, QPalette::Button), t.raised);
        QCOMPARE(palette.color(group, QPalette::Text), group == QPalette::Disabled ? t.disabled : t.text);
        for (int role = 0; role < QPalette::NColorRoles; ++role) {
          if (role != QPalette::NoRole) QVERIFY2(palette.isBrushSet(group, QPalette::ColorRole(role)), qPrintable(QString::number(role)));
        }
      }
    }
  }

  void styleSheetIsShortAndComplete() {
    QFile file(":/theme/style.qss");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().count('\n') <= 120);
    Theme theme;
    QVERIFY(!qApp->styleSheet().isEmpty());
    QVERIFY2(!qApp->styleSheet().section("*/", 1).contains('$'), "a placeholder of the style sheet has no value");
  }

  void switchesWithoutRestart() {
    Theme theme;
    theme.choose(ThemeChoice::Light);
    QSignalSpy changed(&theme, &Theme::changed);
    theme.choose(ThemeChoice::Dark);
    QCOMPARE(changed.count(), 1);
    QVERIFY(theme.tokens().dark);
    theme.choose(ThemeChoice::Dark);
    QCOMPARE(changed.count(), 1);
    theme.choose(ThemeChoice::Light);
    QVERIFY(!theme.tokens().dark);
    QVERIFY(qApp->styleSheet().contains(lightTokens().accent.name()));
  }

  void systemStartsWithTheGuess() {
    Theme theme(true);
    theme.choose(ThemeChoice::System);
    QVERIFY(theme.tokens().dark);
  }

  void typeScale() {
    Theme theme;
    const double body = textFont(TextSize::Body).pointSizeF();
    QVERIFY(body >= 13 * 72.0 / 96 - 1e-6);
    QVERIFY(std::abs(textFont(TextSize::Hero).pointSizeF() / body - 28.0 / 13) < 1e-3);
    QVERIFY(std::abs(textFont(TextSize::Axis).pointSizeF() / body - 11.0 / 13) < 1e-3);
  }

  void iconsFollowThePalette() {
    Theme theme;
    const QIcon home = icon("home");
    theme.choose(ThemeChoice::Light);
    const QImage light = home.pixmap(QSize(40, 40), 1.0).toImage();
    theme.choose(ThemeChoice::Dark);
    const QImage dark = home.pixmap(QSize(40, 40), 1.0).toImage();
    const auto strongest = [](const QImage& image) {
      QColor color;
      int alpha = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          if (image.pixelColor(x, y).alpha() > alpha) {
            color = image.pixelColor(x, y);
            alpha = color.alpha();
          }
        }
      }
      return color;
    };
    QVERIFY(strongest(light).alpha() > 200);
    QVERIFY(strongest(light).lightness() < 80);
    QVERIFY(strongest(dark).lightness() > 180);
  }
};

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
