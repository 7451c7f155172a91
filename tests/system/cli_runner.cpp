#include "tests/system/cli_runner.h"

#include <csignal>

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <QThread>

#include "core/base/files.h"

namespace trainyard::system {

namespace {

QByteArray contents(const QString& file) {
  QFile opened(file);
  return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

}  // namespace

Json Ended::json() const { return Json::parse(out.toStdString(), nullptr, false); }

std::string Ended::error(const char* key) const {
  const Json document = json();
  if (!document.is_object() || !document.contains("error") || !document.at("error").contains(key)) return "";
  return document.at("error").at(key).get<std::string>();
}

QByteArray Ended::text() const {
  return (in_time ? "exit code " : "did not end in time, exit code ") + QByteArray::number(code) + "\nstdout: " + out + "\nstderr: " + err;
}

Program::~Program() {
  if (process_.state() == QProcess::NotRunning) return;
  process_.kill();
  process_.waitForFinished();
}

bool Program::running() {
  process_.waitForFinished(0);
  return process_.state() != QProcess::NotRunning;
}

void Program::signal(int number) {
  if (running()) ::kill(static_cast<pid_t>(pid()), number);
}

QByteArray Program::errorsSoFar() const { return contents(err_file_); }

Ended Program::wait(int timeout_ms) {
  Ended ended;
  ended.in_time = process_.state() == QProcess::NotRunning || process_.waitForFinished(timeout_ms);
  if (!ended.in_time) {
    process_.kill();
    process_.waitForFinished();
  } else if (process_.exitStatus() == QProcess::NormalExit && process_.error() != QProcess::FailedToStart) {
    ended.code = process_.exitCode();
  }
  ended.out = contents(out_file_);
  ended.err = contents(err_file_);
  return ended;
}

Sandbox::Sandbox() : environment_(QProcessEnvironment::systemEnvironment()) {
  QDir().mkpath(path("runtime"));
  QFile::setPermissions(path("runtime"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  environment_.insert("TRAINYARD_RUNS", runs());
  environment_.insert("XDG_RUNTIME_DIR", path("runtime"));
  environment_.insert("XDG_DATA_HOME", path("data"));
  environment_.insert("XDG_CACHE_HOME", path("cache"));
  environment_.insert("LC_ALL", "C.UTF-8");
  environment_.remove("NO_COLOR");
}

std::unique_ptr<Program> Sandbox::start(const QStringList& arguments, std::function<void()> before) {
  auto program = std::make_unique<Program>();
  const QString name = QString("program-%1").arg(++programs_);
  program->out_file_ = path(name + ".out");
  program->err_file_ = path(name + ".err");
  program->process_.setProcessEnvironment(environment_);
  program->process_.setWorkingDirectory(folder_.path());
  program->process_.setStandardInputFile(QProcess::nullDevice());
  program->process_.setStandardOutputFile(program->out_file_);
  program->process_.setStandardErrorFile(program->err_file_);
  if (before) program->process_.setChildProcessModifier(std::move(before));
  program->process_.start(qEnvironmentVariable("TRAINYARD_BIN") + "/trainyard", arguments);
  program->process_.waitForStarted();
  return program;
}

Ended Sandbox::run(const QStringList& arguments, int timeout_ms) { return start(arguments)->wait(timeout_ms); }

QString Sandbox::recipe(const QString& name, const Keys& keys, const QByteArray& tail) {
  Keys all = {{"run.name", "\"probe\""},  {"run.seed", "7"},
              {"data.format", "\"idx\""}, {"data.path", quoted(digitsFolder())},
              {"data.validation", "0.2"}, {"data.workers", "1"},
              {"model.arch", "\"mlp\""},  {"train.epochs", "2"},
              {"train.batch_size", "64"}, {"train.log_every", "1"},
              {"train.threads", "1"},     {"optimizer.type", "\"adamw\""},
              {"optimizer.lr", "0.003"},  {"parallel.devices", "[\"cpu\"]"}};
  for (auto key = keys.begin(); key != keys.end(); ++key) all[key.key()] = key.value();
  QByteArray text;
  QString table;
  for (auto key = all.begin(); key != all.end(); ++key) {
    if (key.value().isEmpty()) continue;
    const QString own = key.key().section('.', 0, 0);
    if (own != table) text += "[" + own.toUtf8() + "]\n";
    table = own;
    text += key.key().section('.', 1).toUtf8() + " = " + key.value().toUtf8() + "\n";
  }
  return write(name, text + tail);
}

QString Sandbox::write(const QString& name, const QByteArray& bytes) {
  const QString file = path(name);
  QDir().mkpath(QFileInfo(file).path());
  QFile opened(file);
  if (!opened.open(QIODevice::WriteOnly) || opened.write(bytes) != bytes.size()) qFatal("cannot write %s", qPrintable(file));
  return file;
}

Keys longerRun(int epochs) {
  return {
      {"model.arch", "\"smallcnn\""}, {"train.epochs", QString::number(epochs)}, {"train.batch_size", "32"}, {"data.workers", "2"}, {"optimizer.lr", "0.001"}};
}

Keys endlessRun() {
  Keys keys = longerRun(1000000);
  keys["checkpoint.every_epochs"] = "1000000";
  return keys;
}

QString digitsFolder() { return qEnvironmentVariable("TRAINYARD_RESOURCES") + "/digits"; }

QByteArray quoted(const QString& text) {
  QByteArray bytes = text.toUtf8();
  bytes.replace('\\', "\\\\").replace('"', "\\\"");
  return '"' + bytes + '"';
}

bool waitUntil(const std::function<bool()>& condition, int timeout_ms) {
  const QDeadlineTimer deadline(timeout_ms);
  while (!condition()) {
    if (deadline.hasExpired()) return false;
    QThread::msleep(5);
  }
  return true;
}

}  // namespace trainyard::system
