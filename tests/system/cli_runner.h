#pragma once
// Starts the real `trainyard` in a folder of its own, and looks at what it leaves there. One thread.
#include <QByteArray>
#include <QMap>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <functional>
#include <memory>

#include "core/base/json.h"

namespace trainyard::system {

// What a program that has ended left behind.
struct Ended {
  int code = -1;  // exit code; -1: it was killed, or did not end in time
  bool in_time = true;
  QByteArray out, err;

  Json json() const;                         // stdout, when it is exactly one JSON document; else discarded (is_discarded())
  std::string error(const char* key) const;  // json()["error"][key]; "" when there is none
  QByteArray text() const;                   // both streams and the code, for messages of failed tests
};

// A program that runs. Killed when this goes out of scope.
class Program {
 public:
  ~Program();
  bool running();
  int64_t pid() const { return process_.processId(); }
  void signal(int number);
  QByteArray errorsSoFar() const;  // stderr until now
  Ended wait(int timeout_ms = 240000);

 private:
  friend class Sandbox;
  QProcess process_;
  QString out_file_, err_file_;
};

// Recipe keys and their values as TOML text: {"train.epochs", "3"}; an empty value leaves the key out.
using Keys = QMap<QString, QString>;

class Sandbox {
 public:
  Sandbox();
  QString path(const QString& name) const { return folder_.filePath(name); }
  QString runs() const { return path("runs"); }  // $TRAINYARD_RUNS
  QProcessEnvironment& environment() { return environment_; }

  // `before`: called in the child before the program starts.
  std::unique_ptr<Program> start(const QStringList& arguments, std::function<void()> before = {});
  Ended run(const QStringList& arguments, int timeout_ms = 240000);

  // Writes a recipe: a small mlp on the digits for two epochs, every step recorded, changed by `keys`. `tail` is appended as it is.
  QString recipe(const QString& name, const Keys& keys = {}, const QByteArray& tail = {});
  QString write(const QString& name, const QByteArray& bytes);  // any file; parents are made

 private:
  QTemporaryDir folder_;
  QProcessEnvironment environment_;
  int programs_ = 0;
};

// The keys of a small CNN that trains for a while: so many updates of 32 digits that commands reach it in time.
Keys longerRun(int epochs);
// The keys of a run that does not end by itself.
Keys endlessRun();

QString digitsFolder();                  // the folder of the digits on board
QByteArray quoted(const QString& text);  // as a TOML text

// Polls until `condition` holds; false when the time is over.
bool waitUntil(const std::function<bool()>& condition, int timeout_ms = 120000);

}  // namespace trainyard::system
