#pragma once
// The head of a run's page: what it is, how far it is, and what can be done with it now.
#include <QFrame>

#include "core/runs/run_directory.h"
#include "ui/models/run_series.h"
#include "ui/pages/run/run_facts.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;
class QAction;

namespace trainyard::ui {

class RunHeader : public QWidget {
  Q_OBJECT
 public:
  explicit RunHeader(QWidget* parent = nullptr);
  void setFacts(const RunFacts& facts);
  void setState(const runs::SeenState& seen, bool known);
  void setProgress(const RunSeries& series);
  void setBusy(bool busy);  // a request is on its way: the buttons wait for its answer
  void retranslate();

 Q_SIGNALS:
  void back();
  void command(const QString& command);  // "pause", "resume", "stop", "checkpoint", "release", and "restart" for a run that has ended
  void copyCommand();
  void copyReport();
  void openFolder();

 private:
  bool live() const;
  void place();

  QPushButton *back_, *pause_, *stop_;
  QToolButton* more_;
  QLabel *name_, *chip_, *state_, *epoch_, *end_;
  QProgressBar* progress_;
  QAction *checkpoint_, *release_, *copy_command_, *copy_report_, *open_folder_;
  runs::SeenState seen_;
  bool known_ = false, busy_ = false;
  RunFacts facts_;
  std::vector<std::string> devices_;
  int64_t step_ = 0, steps_total_ = 0, epochs_ = 0;
  double left_ = qQNaN(), epoch_at_ = 0;
};

}  // namespace trainyard::ui
