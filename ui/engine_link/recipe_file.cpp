#include "ui/engine_link/recipe_file.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "core/base/files.h"
#include "core/recipe/recipe.h"

namespace trainyard::ui {
namespace {

constexpr int kKeepFiles_days = 7;

void makeAbsolute(Json& document, const QString& base) {
  const auto absolute = [&](const char* table, const char* key) {
    if (!document.contains(table) || !document[table].is_object() || !document[table].contains(key)) return;
    Json& value = document[table][key];
    if (!value.is_string()) return;
    const QString text = QString::fromStdString(value.get<std::string>());
    if (text.isEmpty() || text == QLatin1String("auto") || text.startsWith(QLatin1Char('~')) || QDir::isAbsolutePath(text)) return;
    if (key == std::string("weights") && isWeightsName(text)) return;
    value = QDir::cleanPath(QDir(base).absoluteFilePath(text)).toStdString();
  };
  absolute("data", "path");
  absolute("data", "validation");
  absolute("data", "test");
  absolute("model", "weights");
}

void removeOldFiles(const QString& folder) {
  const QDateTime limit = QDateTime::currentDateTime().addDays(-kKeepFiles_days);
  for (const QFileInfo& file : QDir(folder).entryInfoList(QDir::Files)) {
    if (file.lastModified() < limit) QFile::remove(file.absoluteFilePath());
  }
}

}  // namespace

Result<QString> writeRecipeFor(const Json& document, const QString& base, const QString& name) {
  Json own = document;
  if (!base.isEmpty()) makeAbsolute(own, base);
  const fs::path folder = dataHome() / "starting";
  TRAINYARD_CHECK(makeFolder(folder));
  removeOldFiles(QFile::decodeName(folder.c_str()));
  const fs::path file = folder / (name.toStdString() + ".toml");
  TRAINYARD_CHECK(replaceFile(file, recipe::writeToml(own)));
  return QString(QFile::decodeName(file.c_str()));
}

bool isWeightsName(const QString& weights) {
  return !weights.isEmpty() && !weights.contains(QLatin1Char('/')) && !weights.contains(QLatin1Char('.')) && !weights.startsWith(QLatin1Char('~'));
}

}  // namespace trainyard::ui
