#pragma once
// What the window remembers between starts: language, theme, folders, its own size. One small INI file. GUI thread.
#include <QObject>
#include <QSettings>

#include "ui/theme/theme.h"

namespace trainyard::ui {

class Settings : public QObject {
  Q_OBJECT
 public:
  // `file` empty: trainyard/window.ini in the user's configuration folder.
  explicit Settings(const QString& file = {}, QObject* parent = nullptr);

  bool fresh() const { return fresh_; }  // there was no settings file yet: the first start

  QString language() const;  // "", "en" or "zh_CN"; empty: the system's
  void setLanguage(const QString& language);
  ThemeChoice theme() const;
  void setTheme(ThemeChoice choice);
  bool desktopDark() const;
  void setDesktopDark(bool dark);
  QString runsFolder() const;  // empty: the usual place
  void setRunsFolder(const QString& folder);
  QString lastRecipe() const;  // file of the recipe that was open
  void setLastRecipe(const QString& file);
  QByteArray geometry() const;
  void setGeometry(const QByteArray& geometry);

 Q_SIGNALS:
  void languageChanged();
  void themeChanged();
  void runsFolderChanged();

 private:
  QVariant get(const char* key) const { return store_.value(QLatin1String(key)); }
  bool put(const char* key, const QVariant& value);  // whether it was another before

  bool fresh_;
  QSettings store_;
};

}  // namespace trainyard::ui
