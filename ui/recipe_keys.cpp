#include "ui/recipe_keys.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/forms/number_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

struct Part {
  std::string name;
  int index = -1;  // of a list's element
};

std::vector<Part> parse(const QString& key) {
  std::vector<Part> parts;
  for (const QString& word : key.split('.')) {
    const int bracket = int(word.indexOf('['));
    if (bracket < 0) {
      parts.push_back({word.toStdString()});
    } else {
      parts.push_back({word.left(bracket).toStdString(), word.mid(bracket + 1, word.size() - bracket - 2).toInt()});
    }
  }
  return parts;
}

void collectLeaves(const Json& value, const QString& path, QStringList& out) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      const QString name = QString::fromStdString(key);
      collectLeaves(inner, path.isEmpty() ? name : path + "." + name, out);
    }
  } else if (value.is_array() && !value.empty() && value[0].is_object()) {
    for (size_t i = 0; i < value.size(); ++i) collectLeaves(value[i], QString("%1[%2]").arg(path).arg(i), out);
  } else {
    out << path;
  }
}

// The spec of `rest`, a key path within the table at `path`, which is one of `section`'s.
const catalogue::ParamSpec* specBelow(const Json& document, const catalogue::Section* section, const QString& path, const QString& rest) {
  if (section == nullptr) return nullptr;
  const QString word = rest.section('.', 0, 0);
  const std::string leaf = word.section('[', 0, 0).toStdString();
  const auto in = [&](const std::vector<catalogue::ParamSpec>& specs) {
    const auto found = std::find_if(specs.begin(), specs.end(), [&](const auto& spec) { return spec.key == leaf; });
    return found == specs.end() ? nullptr : &*found;
  };
  const catalogue::ParamSpec* spec = in(section->params);
  if (spec == nullptr) {
    const Json chosen = section->selector.empty() ? Json() : valueAt(document, path + "." + QString::fromStdString(section->selector));
    const auto* entry = chosen.is_string() ? catalogue::find(section->choices, chosen.get<std::string>()) : nullptr;
    spec = entry != nullptr ? in(entry->params) : nullptr;
  }
  if (spec == nullptr || word.size() == rest.size()) return spec;
  if (spec->kind != catalogue::ParamKind::Tables) return nullptr;
  return specBelow(document, catalogue::findSection(spec->section), path + "." + word, rest.mid(word.size() + 1));
}

}  // namespace

Json valueAt(const Json& document, const QString& key) {
  const Json* here = &document;
  for (const Part& part : parse(key)) {
    if (!here->is_object() || !here->contains(part.name)) return {};
    here = &here->at(part.name);
    if (part.index < 0) continue;
    if (!here->is_array() || size_t(part.index) >= here->size()) return {};
    here = &here->at(size_t(part.index));
  }
  return *here;
}

void putAt(Json& document, const QString& key, const Json& value) {
  const std::vector<Part> parts = parse(key);
  Json* here = &document;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    if (!here->is_object()) return;
    if (!here->contains(parts[i].name)) {
      if (value.is_null() || parts[i].index >= 0) return;
      (*here)[parts[i].name] = Json::object();
    }
    here = &here->at(parts[i].name);
    if (parts[i].index < 0) continue;
    if (!here->is_array() || size_t(parts[i].index) >= here->size()) return;
    here = &here->at(size_t(parts[i].index));
  }
  if (!here->is_object()) return;
  if (value.is_null()) {
    here->erase(parts.back().name);
  } else {
    (*here)[parts.back().name] = value;
  }
}

QStringList differences(const Json& a, const Json& b) {
  QStringList of_a, of_b, different;
  collectLeaves(a, {}, of_a);
  collectLeaves(b, {}, of_b);
  for (const QString& key : of_a) {
    if (valueAt(a, key) != valueAt(b, key)) different << key;
  }
  for (const QString& key : of_b) {
    if (!of_a.contains(key) && !valueAt(b, key).is_null()) different << key;
  }
  return different;
}

const catalogue::ParamSpec* specAt(const Json& document, const QString& key) {
  const int dot = int(key.indexOf('.'));
  if (dot < 0) return nullptr;
  const std::string table = key.left(dot).toStdString();
  return specBelow(document, catalogue::findSection(table.substr(0, table.find('['))), key.left(dot), key.mid(dot + 1));
}

QString titleAt(const Json& document, const QString& key) {
  if (const auto* spec = specAt(document, key); spec != nullptr && !spec->title.empty()) return catalogueText(spec->title);
  const std::string table = key.section('.', 0, 0).section('[', 0, 0).toStdString();
  const catalogue::Section* section = catalogue::findSection(table);
  if (section != nullptr && key.section('.', 1).toStdString() == section->selector) return catalogueText(section->title);
  return key;
}

QString valueText(const Json& value) {
  if (value.is_null()) return QStringLiteral("–");
  if (value.is_boolean()) return value.get<bool>() ? QCoreApplication::translate("RecipeKeys", "on") : QCoreApplication::translate("RecipeKeys", "off");
  if (value.is_number()) return numberText(value.get<double>());
  if (value.is_string()) return QString::fromStdString(value.get<std::string>());
  QStringList parts;
  if (value.is_array()) {
    for (const auto& item : value) parts << (item.is_object() ? QString::fromStdString(item.value("op", std::string())) : valueText(item));
  }
  return parts.isEmpty() ? QStringLiteral("–") : parts.join(", ");
}

QString pageOf(const QString& key) {
  const QString table = key.section('.', 0, 0).section('[', 0, 0);
  if (table == "data" || table == "model") return table;
  return table == "augment" || table == "eval_augment" ? QStringLiteral("input") : QStringLiteral("train");
}

}  // namespace trainyard::ui
