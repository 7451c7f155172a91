#include "ui/pages/computer/inspection.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace trainyard::ui {

void Inspection::look(const QString& data_folder) {
  if (busy_) return;
  busy_ = true;
  QThreadPool::globalInstance()->start([self = QPointer(this), folder = data_folder.toStdString()] {
    auto seen = std::make_shared<Seen>();
    seen->inventory = hardware::inspect();
    seen->advice = hardware::advise(seen->inventory, folder);
    QMetaObject::invokeMethod(
        qApp,
        [self, seen] {
          if (self.isNull()) return;
          self->busy_ = false;
          self->seen_ = seen;
          Q_EMIT self->changed();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace trainyard::ui
