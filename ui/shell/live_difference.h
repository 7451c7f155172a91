#pragma once
// Whether the recipe that is being edited still is what one of its runs trains with. GUI thread.
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <map>

#include "core/base/json.h"
#include "ui/context.h"

namespace trainyard::ui {

class LiveDifference : public QObject {
  Q_OBJECT
 public:
  explicit LiveDifference(Context& context, QObject* parent = nullptr);

  const QString& runDir() const { return dir_; }  // empty: no run of this recipe trains with other settings
  QString runName() const;
  const QStringList& keys() const { return keys_; }
  QString line(const QString& key) const;  // "Learning rate: 0.001 here, 0.002 there"
  void useItsSettings();                   // can be undone

 Q_SIGNALS:
  void changed();

 private:
  void look();     // which runs are live
  void compare();  // with the recipe as it is now
  const Json& settingsOf(const QString& dir);

  Context& context_;
  QTimer timer_;
  std::map<QString, Json> settings_;  // a run's recipe never changes
  QStringList live_;
  QString dir_;
  QStringList keys_;
};

}  // namespace trainyard::ui
