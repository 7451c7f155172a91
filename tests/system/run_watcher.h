#pragma once
// What a run directory says, read while the run is live or afterwards. One thread.
#include <QByteArray>
#include <QString>
#include <QStringList>
#include <map>
#include <vector>

#include "core/base/json.h"
#include "core/runs/event_log.h"

namespace trainyard::system {

// Follows the events of one run.
class Watcher {
 public:
  explicit Watcher(const QString& dir);
  const std::vector<runs::Event>& events();  // all so far
  int count(const std::string& type);
  int64_t lastStep();              // optimizer steps done; 0 before the first
  bool waitForStep(int64_t step);  // at least
  bool waitForCount(const std::string& type, int count);
  bool waitForState(const std::string& state);
  const runs::Event* last(const std::string& type);  // nullptr: none

 private:
  QString dir_;
  runs::EventReader reader_;
  std::vector<runs::Event> events_;
};

Json readJson(const QString& file);  // null when it is not there or not JSON
QByteArray readBytes(const QString& file);
std::string stateOf(const QString& run);  // state.json as written

// The checkpoint folders of a run, oldest first; full paths. The newest must be there for the others.
QStringList checkpoints(const QString& run);
QString newestCheckpoint(const QString& run);  // as checkpoints.json's `latest` names it; "" when that is not so
QByteArray weights(const QString& run);        // model.safetensors of the newest
QByteArray optimizerState(const QString& run);

// Every line but a torn last one is a JSON object, and `seq` counts on without a gap. "" when that is so, else what is wrong.
QByteArray eventsFault(const QString& run);

// Step → value of a field, of one type of event, after undoing what a resume has undone.
std::map<int64_t, double> series(const QString& run, const std::string& type, const char* field);

// Sends one command through the run's socket, as the window does; waits for the answer.
Json send(const QString& run, const Json& request);

}  // namespace trainyard::system
