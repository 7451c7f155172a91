#pragma once
// The hardware, looked at on a worker thread. GUI thread.
#include <QObject>
#include <memory>
#include <vector>

#include "core/hardware/hardware.h"

namespace trainyard::ui {

class Inspection : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  struct Seen {
    hardware::Inventory inventory;
    std::vector<hardware::Advice> advice;
  };
  const std::shared_ptr<const Seen>& seen() const { return seen_; }  // null before the first answer
  bool busy() const { return busy_; }
  void look(const QString& data_folder = {});  // nothing while busy

 Q_SIGNALS:
  void changed();

 private:
  std::shared_ptr<const Seen> seen_;
  bool busy_ = false;
};

}  // namespace trainyard::ui
