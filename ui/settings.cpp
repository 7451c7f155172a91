#include "ui/settings.h"

#include <QFileInfo>
#include <QStandardPaths>

namespace trainyard::ui {
namespace {

QString fileOrUsual(const QString& file) {
  return file.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/trainyard/window.ini" : file;
}

constexpr auto kSystem = "system";
constexpr auto kLight = "light";
constexpr auto kDark = "dark";

}  // namespace

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent), fresh_(!QFileInfo::exists(fileOrUsual(file))), store_(fileOrUsual(file), QSettings::IniFormat) {}

bool Settings::put(const char* key, const QVariant& value) {
  if (get(key) == value) return false;
  store_.setValue(QLatin1String(key), value);
  return true;
}

QString Settings::language() const { return get("language").toString(); }
void Settings::setLanguage(const QString& language) {
  if (put("language", language)) Q_EMIT languageChanged();
}

ThemeChoice Settings::theme() const {
  const QString name = get("theme").toString();
  return name == kLight ? ThemeChoice::Light : name == kDark ? ThemeChoice::Dark : ThemeChoice::System;
}
void Settings::setTheme(ThemeChoice choice) {
  if (put("theme", choice == ThemeChoice::Light ? kLight : choice == ThemeChoice::Dark ? kDark : kSystem)) Q_EMIT themeChanged();
}

bool Settings::desktopDark() const { return get("desktop_dark").toBool(); }
void Settings::setDesktopDark(bool dark) { put("desktop_dark", dark); }

QString Settings::runsFolder() const { return get("runs_folder").toString(); }
void Settings::setRunsFolder(const QString& folder) {
  if (put("runs_folder", folder)) Q_EMIT runsFolderChanged();
}

QString Settings::lastRecipe() const { return get("last_recipe").toString(); }
void Settings::setLastRecipe(const QString& file) { put("last_recipe", file); }

QByteArray Settings::geometry() const { return get("geometry").toByteArray(); }
void Settings::setGeometry(const QByteArray& geometry) { put("geometry", geometry); }

}  // namespace trainyard::ui
