#include "ui/recipe_document.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QMetaObject>

#include "core/base/units.h"
#include "core/catalogue/catalogue.h"
#include "ui/engine_link/recipe_file.h"
#include "ui/recipe_keys.h"

namespace trainyard::ui {
namespace {

constexpr double kOneEditSeconds = 1.5;
constexpr int kSaveAfterMs = 400;
constexpr size_t kUndoSteps = 200;

const char* const kPathKeys[] = {"data.path", "data.validation", "data.test", "model.weights"};

void makeAbsolute(Json& document, const QString& base) {
  const QDir folder(base);
  for (const auto* key : kPathKeys) {
    const Json value = valueAt(document, key);
    if (!value.is_string()) continue;
    const std::string text = value.get<std::string>();
    if (text.empty() || text == "auto") continue;
    if (key == kPathKeys[3] && isWeightsName(QString::fromStdString(text))) continue;
    const QString path = QString::fromStdString(displayPath(expandUser(text)));
    putAt(document, key, QDir::cleanPath(folder.absoluteFilePath(path)).toStdString());
  }
}

Result<Json> read(const QString& file) {
  const fs::path path(file.toStdString());
  TRAINYARD_TRY(const std::string text, readFile(path));
  TRAINYARD_TRY(recipe::Parsed parsed, recipe::parseToml(text, file.toStdString()));
  return std::move(parsed.document);
}

// A file name that is free in the drafts' folder: "flowers.toml", "flowers-2.toml", …
QString freeFile(const QString& name) {
  QString stem;
  for (const QChar c : name) stem += c.isLetterOrNumber() || c == '-' || c == '_' ? c : QChar('-');
  if (stem.isEmpty()) stem = "recipe";
  const QDir folder(RecipeDocument::draftsFolder());
  QString file = folder.filePath(stem + ".toml");
  for (int n = 2; QFileInfo::exists(file); ++n) file = folder.filePath(QString("%1-%2.toml").arg(stem).arg(n));
  return file;
}

}  // namespace

RecipeDocument::RecipeDocument(QObject* parent) : QObject(parent) {
  writer_.setMaxThreadCount(1);
  save_timer_.setSingleShot(true);
  save_timer_.setInterval(kSaveAfterMs);
  connect(&save_timer_, &QTimer::timeout, this, &RecipeDocument::save);
  checked_ = recipe::check(given_);
}

RecipeDocument::~RecipeDocument() { flush(); }

QString RecipeDocument::draftsFolder() { return QString::fromStdString(displayPath(dataHome() / "recipes")); }

QStringList RecipeDocument::drafts() {
  QStringList files;
  for (const auto& info : QDir(draftsFolder()).entryInfoList({"*.toml"}, QDir::Files, QDir::Time)) files << info.filePath();
  return files;
}

Result<void> RecipeDocument::open(const QString& file) {
  flush();
  TRAINYARD_TRY(Json given, read(file));
  install(std::move(given), file);
  return {};
}

Result<void> RecipeDocument::openPractice(const QString& file) {
  flush();
  TRAINYARD_TRY(Json given, read(file));
  makeAbsolute(given, QFileInfo(file).absolutePath());
  install(std::move(given), QDir(draftsFolder()).filePath(QFileInfo(file).fileName()));
  return {};
}

void RecipeDocument::startDraft(const Json& given) {
  flush();
  Json own = given;
  const QString wanted = QString::fromStdString(own.value("/run/name"_json_pointer, std::string("recipe")));
  const QString file = freeFile(wanted);
  own["run"]["name"] = QFileInfo(file).completeBaseName().toStdString();
  install(std::move(own), file);
  save();
}

void RecipeDocument::install(Json given, const QString& file) {
  given_ = std::move(given);
  baseline_ = given_;
  file_ = file;
  undo_.clear();
  redo_.clear();
  remembered_.clear();
  checked_ = recipe::check(given_);
  Q_EMIT loaded();
  Q_EMIT changed({});
}

QString RecipeDocument::name() const {
  const Json name = valueAt(given_, "run.name");
  return name.is_string() ? QString::fromStdString(name.get<std::string>()) : QString();
}

bool RecipeDocument::edited() const { return !differences(given_, baseline_).isEmpty(); }

void RecipeDocument::markStarted() {
  baseline_ = given_;
  Q_EMIT changed({});
}

Json RecipeDocument::value(const QString& key) const { return valueAt(checked_.document, key); }

Json RecipeDocument::fallback(const QString& key) const {
  const catalogue::ParamSpec* spec = specAt(checked_.document, key);
  return spec != nullptr ? spec->fallback : Json();
}

bool RecipeDocument::isGiven(const QString& key) const {
  const Json value = valueAt(given_, key);
  return !value.is_null() && value != fallback(key);
}

void RecipeDocument::set(const QString& key, const Json& value) {
  Json next = given_;
  putAt(next, key, value);
  edit(std::move(next), key);
}

void RecipeDocument::choose(const QString& section_key, const QString& id) {
  const catalogue::Section* section = catalogue::findSection(section_key.toStdString());
  if (section == nullptr || section->selector.empty() || section->repeated) return;
  const catalogue::Descriptor* entry = catalogue::find(section->choices, id.toStdString());
  if (entry == nullptr) return;
  Json next = given_;
  Json old = next.contains(section->key) && next[section->key].is_object() ? next[section->key] : Json::object();
  const std::string old_id = checked_.document.value(section->key, Json::object()).value(section->selector, std::string());
  if (old_id == entry->id) return;
  Json table = Json::object();
  table[section->selector] = entry->id;
  for (const auto& spec : section->params) {
    if (old.contains(spec.key)) table[spec.key] = old[spec.key];
  }
  remembered_[section->key + "/" + old_id] = old;
  const auto known = remembered_.find(section->key + "/" + entry->id);
  for (const auto& spec : entry->params) {
    if (known != remembered_.end() && known->second.contains(spec.key)) table[spec.key] = known->second[spec.key];
  }
  next[section->key] = std::move(table);
  edit(std::move(next), {});
}

void RecipeDocument::replaceAll(const Json& given) { edit(given, {}); }

void RecipeDocument::edit(Json given, const QString& key) {
  if (given == given_) return;
  const double now = steadySeconds();
  const bool same_step = !key.isEmpty() && !undo_.empty() && redo_.empty() && undo_.back().key == key && now - last_edit_ < kOneEditSeconds;
  if (!same_step) undo_.push_back({given_, key});
  if (undo_.size() > kUndoSteps) undo_.erase(undo_.begin());
  redo_.clear();
  last_edit_ = now;
  given_ = std::move(given);
  check(key);
}

void RecipeDocument::check(const QString& key) {
  checked_ = recipe::check(given_);
  save_timer_.start();
  Q_EMIT changed(key);
}

const recipe::Problem* RecipeDocument::problemAt(const QString& key) const {
  const std::string wanted = key.toStdString();
  for (const auto& problem : checked_.problems) {
    if (problem.key == wanted) return &problem;
  }
  return nullptr;
}

Result<recipe::Recipe> RecipeDocument::whole() const {
  if (!checked_.problems.empty()) return tl::unexpected(checked_.problems.front().error);
  Json document = checked_.document;
  if (!file_.isEmpty()) makeAbsolute(document, base());
  return recipe::toRecipe(document);
}

Result<recipe::Recipe> RecipeDocument::part(const std::vector<std::string>& sections) const { return partOf(given_, sections); }

Result<recipe::Recipe> RecipeDocument::partOf(const Json& given, const std::vector<std::string>& sections) const {
  Json alone = {{"run", {{"name", "part"}}}, {"data", {{"path", "."}}}, {"model", {{"arch", catalogue::architectures().front().id}}}};
  for (const auto& section : sections) {
    if (given.contains(section)) alone[section] = given.at(section);
  }
  recipe::Checked checked = recipe::check(alone);
  if (!checked.problems.empty()) return tl::unexpected(checked.problems.front().error);
  if (!file_.isEmpty()) makeAbsolute(checked.document, base());
  return recipe::toRecipe(checked.document);
}

Result<recipe::Data> RecipeDocument::dataPart() const {
  TRAINYARD_TRY(const recipe::Recipe recipe, part({"data"}));
  return recipe.data;
}

QString RecipeDocument::base() const { return file_.isEmpty() ? QString() : QFileInfo(file_).absolutePath(); }

void RecipeDocument::undo() {
  if (undo_.empty()) return;
  redo_.push_back({given_, undo_.back().key});
  given_ = std::move(undo_.back().given);
  undo_.pop_back();
  last_edit_ = 0;
  check({});
}

void RecipeDocument::redo() {
  if (redo_.empty()) return;
  undo_.push_back({given_, redo_.back().key});
  given_ = std::move(redo_.back().given);
  redo_.pop_back();
  last_edit_ = 0;
  check({});
}

void RecipeDocument::save() {
  save_timer_.stop();
  if (file_.isEmpty()) return;
  writer_.start([this, file = file_, given = given_] {
    const fs::path path(file.toStdString());
    auto saved = makeFolder(path.parent_path()).and_then([&] { return replaceFile(path, recipe::writeToml(given)); });
    if (!saved)
      QMetaObject::invokeMethod(
          this, [this, error = saved.error()] { Q_EMIT saveFailed(error); }, Qt::QueuedConnection);
  });
}

void RecipeDocument::flush() {
  if (save_timer_.isActive()) save();
  writer_.waitForDone();
}

}  // namespace trainyard::ui
