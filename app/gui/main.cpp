#include <QApplication>
#include <QEvent>
#include <QTimer>
#include <cstdio>

#include "ui/launch.h"
#include "ui/workbench.h"

using namespace trainyard;

namespace {

// Says on stdout when the window is first on the screen: for measuring (TRAINYARD_FIRST_PAINT).
class FirstPaint : public QObject {
 public:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() != QEvent::Paint || painted_) return false;
    painted_ = true;
    QTimer::singleShot(0, [] {
      std::puts("painted");
      std::fflush(stdout);
    });
    return false;
  }

 private:
  bool painted_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const ui::Launch launch = ui::parseLaunch(arguments);
  if (launch.exit_code >= 0) {
    std::fputs(qUtf8Printable(launch.message), launch.exit_code == 0 ? stdout : stderr);
    return launch.exit_code;
  }
  // The toolkit reads it once, when the application is made.
  if (launch.scale != 1) qputenv("QT_SCALE_FACTOR", QByteArray::number(launch.scale));
  QApplication app(argc, argv);
  QApplication::setApplicationName("trainyard");
  QApplication::setApplicationVersion(TRAINYARD_VERSION);
  QApplication::setDesktopFileName("trainyard");
  FirstPaint first_paint;
  if (qEnvironmentVariableIsSet("TRAINYARD_FIRST_PAINT")) app.installEventFilter(&first_paint);
  ui::Workbench workbench(launch);
  workbench.show();
  return QApplication::exec();
}
