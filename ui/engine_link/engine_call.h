#pragma once
// One question to the engine's command line that is answered by a JSON document: lr-find, model show, predict, weights. Unlike a run it
// belongs to the window: it ends with this object. GUI thread; nothing here waits.
#include <QObject>
#include <QProcess>
#include <QStringList>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::ui {

class EngineCall : public QObject {
  Q_OBJECT
 public:
  explicit EngineCall(QObject* parent = nullptr);
  ~EngineCall() override;

  // `arguments` without --json. A call that is still going on is cancelled first.
  void start(const QStringList& arguments);
  // The same with a recipe, written aside for it, where `arguments` holds "RECIPE".
  void startWith(const Json& recipe, const QString& base, QStringList arguments);
  void cancel();  // no signal follows
  bool running() const { return process_ != nullptr; }

 Q_SIGNALS:
  void progressed(double share);  // 0…1, as far as the program tells
  void finished(const trainyard::Json& document);
  void failed(const trainyard::Error& error);

 private:
  void readProgress();
  void ended(int exit_code, QProcess::ExitStatus status);
  void drop();

  QProcess* process_ = nullptr;
  QByteArray errors_;  // what came on stderr, its end
  QString recipe_file_;
};

}  // namespace trainyard::ui
