#pragma once
// Pictures of the window, for the documentation and for looking at it where there is no display.
#include <QString>

namespace trainyard::ui {

class DatasetScan;
class MainWindow;

// Waits until nothing is on its way to the page in front (at most ten seconds), writes a PNG and ends the program: 0, or 1 when the file
// cannot be written.
void grabWhenSettled(MainWindow& window, const DatasetScan& dataset, const QString& file);

}  // namespace trainyard::ui
