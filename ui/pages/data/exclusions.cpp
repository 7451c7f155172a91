#include "ui/pages/data/exclusions.h"

#include <QSet>

namespace trainyard::ui {
namespace {

constexpr auto kPictures = "data.exclude", kClasses = "data.exclude_classes";

QStringList namesAt(const Json& document, const char* key) {
  QStringList names;
  const Json list = valueAt(document, key);
  if (!list.is_array()) return names;
  for (const auto& name : list) {
    if (name.is_string()) names << QString::fromStdString(name.get<std::string>());
  }
  return names;
}

void store(Json& document, const char* key, const QStringList& names) {
  Json list = Json::array();
  for (const QString& name : names) list.push_back(name.toStdString());
  putAt(document, key, list.empty() ? Json() : list);
}

void add(Json& document, const char* key, const QStringList& names) {
  QStringList all = namesAt(document, key);
  QSet<QString> known(all.begin(), all.end());
  for (const QString& name : names) {
    if (known.contains(name)) continue;
    known.insert(name);
    all << name;
  }
  store(document, key, all);
}

void remove(Json& document, const char* key, const QStringList& names) {
  const QSet<QString> gone(names.begin(), names.end());
  QStringList all = namesAt(document, key);
  all.removeIf([&](const QString& name) { return gone.contains(name); });
  store(document, key, all);
}

}  // namespace

Exclusions exclusionsOf(const RecipeDocument& recipe) { return {namesAt(recipe.given(), kPictures), namesAt(recipe.given(), kClasses)}; }

void leaveOut(RecipeDocument& recipe, const QStringList& pictures, const QStringList& classes) {
  Json next = recipe.given();
  if (!pictures.isEmpty()) add(next, kPictures, pictures);
  if (!classes.isEmpty()) add(next, kClasses, classes);
  recipe.replaceAll(next);
}

void putBack(RecipeDocument& recipe, const QStringList& pictures, const QStringList& classes) {
  Json next = recipe.given();
  if (!pictures.isEmpty()) remove(next, kPictures, pictures);
  if (!classes.isEmpty()) remove(next, kClasses, classes);
  recipe.replaceAll(next);
}

}  // namespace trainyard::ui
