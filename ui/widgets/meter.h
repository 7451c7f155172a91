#pragma once
// A line of a device: name, a bar that shows how full, and figures.
#include <QWidget>

class QLabel;
class QProgressBar;

namespace trainyard::ui {

class Meter : public QWidget {
  Q_OBJECT
 public:
  explicit Meter(QWidget* parent = nullptr);
  // `share` 0…1; negative: unknown, no bar.
  void set(const QString& name, double share, const QString& figures);

 private:
  QLabel *name_, *figures_;
  QProgressBar* bar_;
};

}  // namespace trainyard::ui
