#include "ui/engine_link/engine_call.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTimer>

#include "ui/engine_link/engine_link.h"
#include "ui/engine_link/process_watch.h"
#include "ui/engine_link/recipe_file.h"

namespace trainyard::ui {
namespace {

constexpr qsizetype kErrorsKept = 8192;
constexpr int kKillAfter_ms = 500;

}  // namespace

EngineCall::EngineCall(QObject* parent) : QObject(parent) {}

EngineCall::~EngineCall() { drop(); }

void EngineCall::startWith(const Json& recipe, const QString& base, QStringList arguments) {
  cancel();
  static int count = 0;
  const auto file = writeRecipeFor(recipe, base, QStringLiteral("question-%1-%2").arg(QCoreApplication::applicationPid()).arg(++count));
  if (!file) return Q_EMIT failed(file.error());
  for (QString& argument : arguments) {
    if (argument == QLatin1String("RECIPE")) argument = *file;
  }
  start(arguments);
  recipe_file_ = *file;
}

void EngineCall::start(const QStringList& arguments) {
  cancel();
  errors_.clear();
  process_ = new QProcess(this);
  process_->setProgram(EngineLink::engineProgram());
  process_->setArguments(arguments + QStringList{QStringLiteral("--json")});
  process_->setStandardInputFile(QProcess::nullDevice());
  connect(process_, &QProcess::readyReadStandardError, this, &EngineCall::readProgress);
  connect(process_, &QProcess::finished, this, &EngineCall::ended);
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    const QString why = process_->errorString();
    drop();
    Q_EMIT failed(Error{ErrorCode::Failed, tr("The training program could not be started: %1.").arg(why).toStdString(), EngineLink::engineProgram().toStdString(),
                        tr("Install the program again, or set TRAINYARD_ENGINE to where it is.").toStdString()});
  });
  process_->start();
}

void EngineCall::cancel() { drop(); }

void EngineCall::drop() {
  if (!recipe_file_.isEmpty()) QFile::remove(recipe_file_);
  recipe_file_.clear();
  if (process_ == nullptr) return;
  QProcess* process = process_;
  process_ = nullptr;
  process->disconnect(this);
  if (process->state() == QProcess::NotRunning) return process->deleteLater();
  // It is asked to end first: a download then keeps what it has.
  process->terminate();
  process->setParent(nullptr);
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  QTimer::singleShot(kKillAfter_ms, process, &QProcess::kill);
}

void EngineCall::readProgress() {
  errors_ += process_->readAllStandardError();
  if (errors_.size() > kErrorsKept) errors_.remove(0, errors_.size() - kErrorsKept);
  static const QRegularExpression kShare(QStringLiteral("(\\d+(?:\\.\\d+)?) ?%|(\\d+) ?(?:/|of) ?(\\d+)"));
  auto found = kShare.globalMatch(QString::fromUtf8(errors_));
  double share = -1;
  while (found.hasNext()) {
    const auto match = found.next();
    const double whole = match.captured(3).toDouble();
    share = match.captured(1).isEmpty() ? (whole > 0 ? match.captured(2).toDouble() / whole : -1) : match.captured(1).toDouble() / 100;
  }
  if (share >= 0 && share <= 1) Q_EMIT progressed(share);
}

void EngineCall::ended(int exit_code, QProcess::ExitStatus status) {
  const QByteArray out = process_->readAllStandardOutput();
  errors_ += process_->readAllStandardError();
  const QString program = process_->program();
  drop();
  const Json document = Json::parse(out.toStdString(), nullptr, false);
  const bool told = document.is_object() && document.contains("error");
  if (status == QProcess::NormalExit && exit_code == 0 && !document.is_discarded() && !told) return Q_EMIT finished(document);
  Q_EMIT failed(errorOf(out, errors_, program));
}

}  // namespace trainyard::ui
