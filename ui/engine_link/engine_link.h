#pragma once
// The only place of the window that starts engines and talks to them. Everything here lives on the window's thread and never blocks it:
// an engine is a detached process with a session of its own, so closing the window, or its crash, never ends a run.
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::ui {

class EngineLink : public QObject {
  Q_OBJECT
 public:
  explicit EngineLink(QObject* parent = nullptr);

  // Writes the recipe aside and starts an engine on a new run directory, which is returned (it does not exist yet). Later comes
  // started(dir), or startFailed. `base`: the folder from which the recipe's relative paths count; empty: they are left as they are.
  // Error when the recipe cannot be written or the engine program cannot be run.
  Result<QString> start(const Json& recipe_document, const QString& base = {});

  // Goes on with a run that has ended, from its newest whole checkpoint. `changes`: further arguments of the verb ("--lr-factor", "0.1";
  // "--epochs", "40"). Then as start().
  Result<void> resume(const QString& run_dir, const QStringList& changes = {});

  // Sends one request to a live run from a worker thread and calls `done` with its answer on the window's thread, unless `context` is
  // gone by then.
  using Answer = std::function<void(const Result<Json>&)>;
  void control(const QString& run_dir, const Json& request, QObject* context, Answer done = {});

  // The directories of runs that are starting, running or paused now. Cost: reads one small file per run.
  QStringList liveRuns() const;

  // Runs this window has asked for and that have not shown themselves yet.
  QStringList startingRuns() const;

  // $TRAINYARD_ENGINE, or `trainyard` beside the window's program.
  static QString engineProgram();

 Q_SIGNALS:
  void started(const QString& run_dir);
  void startFailed(const trainyard::Error& error, const QString& run_dir);

 private:
  struct Attempt {
    QString run_dir, files;  // files: the path of the recipe, output and error files without their endings
    qint64 pid = 0;
    double asked = 0;  // s since the epoch
  };
  Result<void> launch(const QStringList& arguments, const QString& run_dir, const QString& files);
  void look();
  bool settled(const Attempt& attempt);

  std::vector<Attempt> attempts_;
  QTimer timer_;
};

}  // namespace trainyard::ui
