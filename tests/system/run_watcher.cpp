#include "tests/system/run_watcher.h"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "core/base/files.h"
#include "core/runs/control.h"
#include "tests/system/cli_runner.h"

namespace trainyard::system {

namespace {

fs::path native(const QString& path) { return fs::path(path.toStdString()); }

}  // namespace

Watcher::Watcher(const QString& dir) : dir_(dir), reader_(native(dir + "/events.jsonl")) {}

const std::vector<runs::Event>& Watcher::events() {
  if (auto news = reader_.poll()) {
    if (news->restarted) events_.clear();
    events_.insert(events_.end(), std::make_move_iterator(news->events.begin()), std::make_move_iterator(news->events.end()));
  }
  return events_;
}

int Watcher::count(const std::string& type) {
  return static_cast<int>(std::count_if(events().begin(), events().end(), [&](const runs::Event& event) { return event.type == type; }));
}

int64_t Watcher::lastStep() {
  const runs::Event* event = last("step");
  return event ? event->step.value_or(0) : 0;
}

bool Watcher::waitForStep(int64_t step) {
  return waitUntil([&] { return lastStep() >= step; });
}

bool Watcher::waitForCount(const std::string& type, int wanted) {
  return waitUntil([&] { return count(type) >= wanted; });
}

bool Watcher::waitForState(const std::string& state) {
  return waitUntil([&] { return stateOf(dir_) == state; });
}

const runs::Event* Watcher::last(const std::string& type) {
  const auto& all = events();
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const runs::Event& event) { return event.type == type; });
  return found == all.rend() ? nullptr : &*found;
}

Json readJson(const QString& file) {
  const Json document = Json::parse(readBytes(file).toStdString(), nullptr, false);
  return document.is_discarded() ? Json() : document;
}

QByteArray readBytes(const QString& file) {
  QFile opened(file);
  return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

std::string stateOf(const QString& run) {
  const Json state = readJson(run + "/state.json");
  return state.is_object() ? state.value("state", "") : "";
}

QStringList checkpoints(const QString& run) {
  QStringList folders;
  for (const auto& entry : QDir(run + "/checkpoints").entryInfoList({"step-*"}, QDir::Dirs, QDir::Name)) folders += entry.absoluteFilePath();
  return folders;
}

QString newestCheckpoint(const QString& run) {
  const QStringList folders = checkpoints(run);
  const Json index = readJson(run + "/checkpoints.json");
  if (folders.isEmpty() || !index.is_object() || !index.contains("latest")) return "";
  const QString latest = QFileInfo(QString::fromStdString(index.at("latest").get<std::string>())).fileName();
  return QFileInfo(folders.last()).fileName() == latest ? folders.last() : "";
}

QByteArray weights(const QString& run) { return readBytes(newestCheckpoint(run) + "/model.safetensors"); }
QByteArray optimizerState(const QString& run) { return readBytes(newestCheckpoint(run) + "/optimizer.safetensors"); }

QByteArray eventsFault(const QString& run) {
  QList<QByteArray> lines = readBytes(run + "/events.jsonl").split('\n');
  if (lines.size() < 2) return "there are no events";
  if (!lines.takeLast().isEmpty()) return "the last line is torn";
  for (int i = 0; i < lines.size(); ++i) {
    const auto event = runs::fromLine(lines[i].toStdString());
    if (!event) return "line " + QByteArray::number(i + 1) + " is not an event: " + lines[i];
    if (event->seq != static_cast<uint64_t>(i + 1)) return "line " + QByteArray::number(i + 1) + " has another seq: " + lines[i];
  }
  return "";
}

std::map<int64_t, double> series(const QString& run, const std::string& type, const char* field) {
  std::map<int64_t, double> values;
  const auto history = runs::readHistory(native(run + "/events.jsonl"));
  if (!history) return values;
  for (const auto& event : *history) {
    if (event.type == type && event.step) values[*event.step] = event.number(field);
  }
  return values;
}

Json send(const QString& run, const Json& request) {
  const auto answer = runs::control(native(run), request);
  return answer ? *answer : Json{{"ok", false}, {"error", toJson(answer.error())}};
}

}  // namespace trainyard::system
