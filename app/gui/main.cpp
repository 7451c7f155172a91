#include <QApplication>
#include <cstdio>

#include "ui/launch.h"
#include "ui/workbench.h"

using namespace trainyard;

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
  ui::Workbench workbench(launch);
  workbench.show();
  return QApplication::exec();
}
