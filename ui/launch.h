#pragma once
// What the window was asked to do on its command line.
#include <QSize>
#include <QString>
#include <QStringList>

namespace trainyard::ui {

struct Launch {
  QString page, run, start;  // page to show; directory or id of a run to show; recipe to load and start
  QString grab;              // draw the window into this file once it has settled, then end
  QSize size;                // of the window; invalid: as it was
  double scale = 1;
  QString theme, language;  // for this time only; empty: as set

  QString message;     // help, version, or what is wrong with the arguments; then nothing else counts
  int exit_code = -1;  // to end with, with `message`; -1: go on
};

// `arguments`: with the program's name in front. Needs no application object.
Launch parseLaunch(const QStringList& arguments);

}  // namespace trainyard::ui
