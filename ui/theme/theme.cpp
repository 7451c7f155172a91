#include "ui/theme/theme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QPalette>
#include <QStyle>
#include <QTimer>
#include <algorithm>

namespace trainyard::ui {
namespace {

constexpr auto kPortal = "org.freedesktop.portal.Desktop";
constexpr auto kPortalPath = "/org/freedesktop/portal/desktop";
constexpr auto kPortalSettings = "org.freedesktop.portal.Settings";
constexpr auto kAppearance = "org.freedesktop.appearance";
constexpr double kBodyPixels = 13;

QColor mix(const QColor& a, const QColor& b, double share) {
  return QColor::fromRgbF(float(a.redF() * (1 - share) + b.redF() * share), float(a.greenF() * (1 - share) + b.greenF() * share),
                          float(a.blueF() * (1 - share) + b.blueF() * share));
}

double sizeInPixels(TextSize size) {
  switch (size) {
    case TextSize::Axis:
      return 11;
    case TextSize::Secondary:
      return 12;
    case TextSize::Body:
      return 13;
    case TextSize::Section:
      return 15;
    case TextSize::Page:
      return 20;
    case TextSize::Hero:
      return 28;
  }
  return kBodyPixels;
}

double points(TextSize size) { return QApplication::font().pointSizeF() * sizeInPixels(size) / kBodyPixels; }

// System font, Chinese from Noto Sans CJK SC where it lacks it; never below 13 px.
void applyFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  QStringList families = font.families();
  if (families.isEmpty()) families << font.family();
  if (!families.contains("Noto Sans CJK SC")) families << "Noto Sans CJK SC";
  font.setFamilies(families);
  const double smallest = kBodyPixels * 72 / 96;
  font.setPointSizeF(std::max(font.pointSizeF(), smallest));
  QApplication::setFont(font);
}

QPalette paletteFrom(const Tokens& t) {
  QPalette palette;
  const auto all = [&](QPalette::ColorRole role, const QColor& colour) { palette.setColor(QPalette::All, role, colour); };
  all(QPalette::Window, t.window);
  all(QPalette::WindowText, t.text);
  all(QPalette::Base, t.base);
  all(QPalette::AlternateBase, t.window);
  all(QPalette::ToolTipBase, t.base);
  all(QPalette::ToolTipText, t.text);
  all(QPalette::PlaceholderText, t.placeholder);
  all(QPalette::Text, t.text);
  all(QPalette::Button, t.raised);
  all(QPalette::ButtonText, t.text);
  all(QPalette::BrightText, t.bad);
  all(QPalette::Link, t.accent);
  all(QPalette::LinkVisited, t.accent);
  all(QPalette::Highlight, t.selection);
  all(QPalette::HighlightedText, t.text);
  all(QPalette::Light, mix(t.raised, t.base, 0.5));
  all(QPalette::Midlight, t.raised);
  all(QPalette::Mid, t.hairline);
  all(QPalette::Dark, t.edge);
  all(QPalette::Shadow, t.dark ? QColor(Qt::black) : t.edge);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText, QPalette::Link, QPalette::LinkVisited})
    palette.setColor(QPalette::Disabled, role, t.disabled);
  palette.setColor(QPalette::Disabled, QPalette::Highlight, t.raised);
  return palette;
}

QString styleFrom(const Tokens& t) {
  QFile file(":/theme/style.qss");
  if (!file.open(QIODevice::ReadOnly)) return {};
  QString style = QString::fromUtf8(file.readAll());
  const auto pt = [](TextSize size) { return QString::number(points(size), 'f', 2) + "pt"; };
  // Longer names first: "$accent" is the beginning of "$accent_hover".
  std::vector<std::pair<QString, QString>> values = {
      {"window", t.window.name()},
      {"base", t.base.name()},
      {"raised", t.raised.name()},
      {"text", t.text.name()},
      {"secondary", t.secondary.name()},
      {"placeholder", t.placeholder.name()},
      {"disabled", t.disabled.name()},
      {"hairline", t.hairline.name()},
      {"edge", t.edge.name()},
      {"accent", t.accent.name()},
      {"on_accent", t.on_accent.name()},
      {"selection", t.selection.name()},
      {"good", t.good.name()},
      {"good_ground", t.good_ground.name()},
      {"caution", t.caution.name()},
      {"caution_ground", t.caution_ground.name()},
      {"bad", t.bad.name()},
      {"bad_ground", t.bad_ground.name()},
      {"accent_hover", mix(t.accent, t.text, 0.15).name()},
      {"accent_muted", mix(t.accent, t.base, 0.5).name()},
      {"scroll", mix(t.hairline, t.edge, 0.4).name()},
      {"axis_pt", pt(TextSize::Axis)},
      {"secondary_pt", pt(TextSize::Secondary)},
      {"body_pt", pt(TextSize::Body)},
      {"section_pt", pt(TextSize::Section)},
      {"page_pt", pt(TextSize::Page)},
      {"hero_pt", pt(TextSize::Hero)},
      {"chevron", t.dark ? ":/icons/chevron_dark.svg" : ":/icons/chevron_light.svg"},
      {"check", t.dark ? ":/icons/check_dark.svg" : ":/icons/check_light.svg"},
  };
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  for (const auto& [name, value] : values) style.replace("$" + name, value);
  return style;
}

}  // namespace

QFont textFont(TextSize size) {
  QFont font = QApplication::font();
  font.setPointSizeF(points(size));
  if (size >= TextSize::Section) font.setWeight(QFont::DemiBold);
  return font;
}

Theme::Theme(bool dark_guess, QObject* parent) : QObject(parent), desktop_dark_(dark_guess) {
  QApplication::setStyle("Fusion");
  applyFont();
  apply(dark_guess);
}

void Theme::choose(ThemeChoice choice) {
  choice_ = choice;
  if (choice == ThemeChoice::System && !asked_) {
    asked_ = true;
    QTimer::singleShot(0, this, [this] { askDesktop(); });
  }
  apply(choice == ThemeChoice::Dark || (choice == ThemeChoice::System && desktop_dark_));
}

void Theme::apply(bool dark) {
  if (applied_ && tokens_.dark == dark) return;
  applied_ = true;
  tokens_ = dark ? darkTokens() : lightTokens();
  QApplication::setPalette(paletteFrom(tokens_));
  qApp->setStyleSheet(styleFrom(tokens_));
  Q_EMIT changed();
}

void Theme::askDesktop() {
  // Without an address, the library would try to start a bus of its own.
  if (!qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") && !QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + "/bus")) return;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  bus.connect(kPortal, kPortalPath, kPortalSettings, "SettingChanged", this, SLOT(onPortalSetting(QString, QString, QDBusVariant)));
  QDBusMessage ask = QDBusMessage::createMethodCall(kPortal, kPortalPath, kPortalSettings, "Read");
  ask << QString(kAppearance) << QString("color-scheme");
  auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(ask), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
    const QDBusPendingReply<QDBusVariant> reply = *done;
    if (reply.isValid()) onPortalSetting(kAppearance, "color-scheme", reply.value());
    done->deleteLater();
  });
}

void Theme::onPortalSetting(const QString& group, const QString& key, const QDBusVariant& value) {
  if (group != kAppearance || key != "color-scheme") return;
  QVariant inner = value.variant();
  while (inner.canConvert<QDBusVariant>()) inner = inner.value<QDBusVariant>().variant();
  desktop_dark_ = inner.toUInt() == 1;
  if (choice_ == ThemeChoice::System) apply(desktop_dark_);
}

}  // namespace trainyard::ui
