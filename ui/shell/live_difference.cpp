#include "ui/shell/live_difference.h"

#include <QFileInfo>

#include "core/recipe/recipe.h"
#include "core/runs/run_directory.h"
#include "ui/engine_link/engine_link.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kLookEveryMs = 2000;

}  // namespace

LiveDifference::LiveDifference(Context& context, QObject* parent) : QObject(parent), context_(context) {
  timer_.setInterval(kLookEveryMs);
  connect(&timer_, &QTimer::timeout, this, &LiveDifference::look);
  connect(context_.recipe, &RecipeDocument::changed, this, &LiveDifference::compare);
  connect(context_.engine, &EngineLink::started, this, &LiveDifference::look);
  timer_.start();
}

QString LiveDifference::runName() const { return QFileInfo(dir_).fileName(); }

const Json& LiveDifference::settingsOf(const QString& dir) {
  auto found = settings_.find(dir);
  if (found == settings_.end()) {
    const auto loaded = recipe::load(runs::Layout{runs::fs::path(dir.toStdString())}.recipe());
    found = settings_.emplace(dir, loaded ? loaded->document : Json()).first;
  }
  return found->second;
}

void LiveDifference::look() {
  live_ = context_.engine->liveRuns();
  compare();
}

void LiveDifference::compare() {
  const QString before = dir_;
  const QStringList keys_before = keys_;
  dir_.clear();
  keys_.clear();
  const auto whole = context_.recipe->whole();
  const Json ours = whole ? whole->document : context_.recipe->document();
  for (const QString& dir : live_) {
    const Json& theirs = settingsOf(dir);
    if (!theirs.is_object() || valueAt(theirs, "run.name") != valueAt(ours, "run.name")) continue;
    const QStringList keys = differences(ours, theirs);
    if (keys.isEmpty()) {
      dir_.clear();
      keys_.clear();
      break;
    }
    dir_ = dir;
    keys_ = keys;
  }
  if (dir_ != before || keys_ != keys_before) Q_EMIT changed();
}

QString LiveDifference::line(const QString& key) const {
  const auto found = settings_.find(dir_);
  const Json theirs = found != settings_.end() ? found->second : Json();
  const Json& ours = context_.recipe->document();
  const QString title = titleAt(valueAt(ours, key).is_null() ? theirs : ours, key);
  return tr("%1: %2 here, %3 there").arg(title, valueText(valueAt(ours, key)), valueText(valueAt(theirs, key)));
}

void LiveDifference::useItsSettings() {
  const auto found = settings_.find(dir_);
  if (found != settings_.end() && found->second.is_object()) context_.recipe->replaceAll(found->second);
}

}  // namespace trainyard::ui
