#pragma once
// A home of its own for a test: settings, recipes and runs go to a temporary folder.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>

#include "core/base/json.h"

// Two Json values, shown as text when they differ.
#define COMPARE_JSON(actual, expected) QCOMPARE(QString::fromStdString(Json(actual).dump()), QString::fromStdString(Json(expected).dump()))

namespace trainyard::tests {

class Sandbox {
 public:
  Sandbox() {
    qputenv("XDG_DATA_HOME", path("data").toUtf8());
    qputenv("XDG_CONFIG_HOME", path("config").toUtf8());
    qputenv("TRAINYARD_RUNS", path("runs").toUtf8());
    qunsetenv("DBUS_SESSION_BUS_ADDRESS");
    qputenv("XDG_RUNTIME_DIR", path("runtime").toUtf8());
    QDir().mkpath(path("runtime"));
    QDir().mkpath(path("runs"));
  }
  bool valid() const { return folder_.isValid(); }
  QString path(const QString& name) const { return folder_.filePath(name); }
  QString settingsFile() const { return path("config/window.ini"); }

  // Class folders of small pictures; returns their folder.
  QString makePictures(const QString& name, const QStringList& classes, int each) const {
    const QDir folder(path(name));
    for (int c = 0; c < classes.size(); ++c) {
      folder.mkpath(classes[c]);
      for (int i = 0; i < each; ++i) {
        QImage picture(48, 36, QImage::Format_RGB32);
        picture.fill(QColor::fromHsv((c * 90 + i) % 360, 200, 200));
        picture.save(folder.filePath(QString("%1/%2.png").arg(classes[c]).arg(i)));
      }
    }
    return folder.path();
  }

  QString write(const QString& name, const QByteArray& text) const {
    const QString file = path(name);
    QDir().mkpath(QFileInfo(file).path());
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size()) return {};
    return file;
  }

 private:
  QTemporaryDir folder_;
};

}  // namespace trainyard::tests
