#include "ui/grab.h"

#include <QCoreApplication>
#include <QDebug>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>
#include <memory>

#include "ui/main_window.h"
#include "ui/pages/page.h"
#include "ui/pictures/dataset_scan.h"

namespace trainyard::ui {
namespace {

constexpr int kLookEveryMs = 50;
constexpr int kCalmLooks = 8;  // in a row
constexpr qint64 kAtMostMs = 10000;

struct Waiting {
  QElapsedTimer since;
  int calm = 0;
};

}  // namespace

void grabWhenSettled(MainWindow& window, const DatasetScan& dataset, const QString& file) {
  auto* timer = new QTimer(&window);
  const auto waiting = std::make_shared<Waiting>();
  waiting->since.start();
  QObject::connect(timer, &QTimer::timeout, &window, [timer, waiting, &window, &dataset, file] {
    const bool calm = !dataset.busy() && window.current() != nullptr && window.current()->settled();
    waiting->calm = calm ? waiting->calm + 1 : 0;
    if (waiting->calm < kCalmLooks && waiting->since.elapsed() < kAtMostMs) return;
    timer->stop();
    const bool written = window.grab().save(file, "PNG");
    if (!written) qWarning("cannot write %s", qUtf8Printable(file));
    QCoreApplication::exit(written ? 0 : 1);
  });
  timer->start(kLookEveryMs);
}

}  // namespace trainyard::ui
