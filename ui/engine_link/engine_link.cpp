#include "ui/engine_link/engine_link.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QProcess>
#include <QThreadPool>

#include "core/base/files.h"
#include "core/base/units.h"
#include "core/runs/control.h"
#include "core/runs/run_directory.h"
#include "ui/engine_link/process_watch.h"
#include "ui/engine_link/recipe_file.h"

namespace trainyard::ui {
namespace {

constexpr int kLookEvery_ms = 100;

fs::path startingFolder() { return dataHome() / "starting"; }

QString fileName(const fs::path& path) { return QFile::decodeName(path.c_str()); }
fs::path filePath(const QString& name) { return fs::path(QFile::encodeName(name).toStdString()); }

bool isLive(runs::State state) { return state == runs::State::Starting || state == runs::State::Running || state == runs::State::Paused; }

}  // namespace

EngineLink::EngineLink(QObject* parent) : QObject(parent) {
  timer_.setInterval(kLookEvery_ms);
  connect(&timer_, &QTimer::timeout, this, [this] { look(); });
}

QString EngineLink::engineProgram() {
  const QString given = qEnvironmentVariable("TRAINYARD_ENGINE");
  return given.isEmpty() ? fileName(programFolder() / "trainyard") : given;
}

Result<QString> EngineLink::start(const Json& recipe_document, const QString& base) {
  std::string name = "run";
  if (recipe_document.contains("run") && recipe_document["run"].is_object()) name = recipe_document["run"].value("name", name);
  std::string id = runs::makeRunId(name);
  const auto taken = [](const std::string& candidate) {
    std::error_code ignored;
    return fs::exists(runsHome() / candidate, ignored) || fs::exists(startingFolder() / (candidate + ".out"), ignored);
  };
  for (int i = 2; taken(id); ++i) id = runs::makeRunId(name + "-" + std::to_string(i));
  TRAINYARD_TRY(const QString recipe_file, writeRecipeFor(recipe_document, base, QString::fromStdString(id)));
  const QString run_dir = fileName(runsHome() / id);
  const QStringList arguments{QStringLiteral("train"), recipe_file, QStringLiteral("--run-dir"), run_dir, QStringLiteral("--json")};
  TRAINYARD_CHECK(launch(arguments, run_dir, fileName(startingFolder() / id)));
  return run_dir;
}

Result<void> EngineLink::resume(const QString& run_dir, const QStringList& changes) {
  TRAINYARD_CHECK(makeFolder(startingFolder()));
  const QString files = fileName(startingFolder()) + QLatin1Char('/') + QFileInfo(run_dir).fileName() + QStringLiteral("-resume");
  return launch(QStringList{QStringLiteral("resume"), run_dir} + changes + QStringList{QStringLiteral("--json")}, run_dir, files);
}

Result<void> EngineLink::launch(const QStringList& arguments, const QString& run_dir, const QString& files) {
  QProcess process;
  process.setProgram(engineProgram());
  process.setArguments(arguments);
  process.setWorkingDirectory(QDir::homePath());
  process.setStandardInputFile(QProcess::nullDevice());
  process.setStandardOutputFile(files + QStringLiteral(".out"));
  process.setStandardErrorFile(files + QStringLiteral(".err"));
  Attempt attempt{run_dir, files, 0, unixTime()};
  if (!process.startDetached(&attempt.pid)) {
    const QString hint = tr("Install the program again, or set TRAINYARD_ENGINE to where it is.");
    return fail(ErrorCode::Failed, tr("The training program could not be started: %1.").arg(process.errorString()).toStdString(), engineProgram().toStdString(),
                hint.toStdString());
  }
  attempts_.push_back(attempt);
  timer_.start();
  return {};
}

void EngineLink::look() {
  std::vector<Attempt> open;
  open.swap(attempts_);
  for (const Attempt& attempt : open) {
    if (!settled(attempt)) attempts_.push_back(attempt);
  }
  if (attempts_.empty()) timer_.stop();
}

bool EngineLink::settled(const Attempt& attempt) {
  const bool alive = processAlive(attempt.pid);  // before the state is read: an engine that is gone has written all it will
  const auto seen = runs::readState(runs::Layout{filePath(attempt.run_dir)});
  if (seen && (seen->state.pid == attempt.pid || seen->state.changed >= attempt.asked)) {
    QFile::remove(attempt.files + QStringLiteral(".toml"));
    Q_EMIT started(attempt.run_dir);
    return true;
  }
  if (alive) return false;
  QFile::remove(attempt.files + QStringLiteral(".toml"));
  Q_EMIT startFailed(startError(attempt.files + QStringLiteral(".out"), attempt.files + QStringLiteral(".err")), attempt.run_dir);
  return true;
}

void EngineLink::control(const QString& run_dir, const Json& request, QObject* context, Answer done) {
  QPointer<QObject> receiver(context);
  QThreadPool::globalInstance()->start([dir = filePath(run_dir), request, receiver, done = std::move(done), link = QPointer<EngineLink>(this)] {
    auto answer = runs::control(dir, request);
    // Posted to the application, which outlives every window: the pointers are looked at on the window's thread only.
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [answer = std::move(answer), receiver, done, link] {
          if (link && receiver && done) done(answer);
        },
        Qt::QueuedConnection);
  });
}

QStringList EngineLink::liveRuns() const {
  QStringList live;
  std::error_code failed;
  for (fs::directory_iterator it(runsHome(), failed), end; !failed && it != end; it.increment(failed)) {
    const auto seen = runs::readState(runs::Layout{it->path()});
    if (seen && isLive(seen->state.state)) live << fileName(it->path());
  }
  live.sort();
  return live;
}

QStringList EngineLink::startingRuns() const {
  QStringList names;
  for (const Attempt& attempt : attempts_) names << attempt.run_dir;
  return names;
}

}  // namespace trainyard::ui
