#pragma once
// Any picture shown to the run's best checkpoint: drop it or choose it, and see what it answers.
#include <QScrollArea>

#include "ui/engine_link/engine_call.h"
#include "ui/widgets/parts.h"

class QProgressBar;

namespace trainyard::ui {

class TryView : public QWidget {
  Q_OBJECT
 public:
  explicit TryView(QWidget* parent = nullptr);
  void setRun(const QString& run_dir, bool has_checkpoint);
  void ask(const QStringList& files);
  void show(const Json& answers);  // [{file, top: [{class, index, probability}]}]
  void retranslate();
  bool settled() const { return !call_.running(); }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void choose();
  void place();
  QWidget* makeAnswer(const Json& answer);

  QString run_dir_, problem_;
  bool has_checkpoint_ = false;
  EngineCall call_;
  Json answers_;
  QLabel *intro_, *note_;
  QPushButton* choose_;
  QProgressBar* progress_;
  QScrollArea* scroll_;
  QVBoxLayout* list_;
};

}  // namespace trainyard::ui
