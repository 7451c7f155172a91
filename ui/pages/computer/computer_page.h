#pragma once
// What this computer has, how busy it is, and what that means for training.
#include <QTimer>

#include "ui/pages/computer/inspection.h"
#include "ui/pages/page.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class Columns;

class ComputerPage : public Page {
  Q_OBJECT
 public:
  explicit ComputerPage(Context& context, QWidget* parent = nullptr);
  QString id() const override { return "computer"; }
  bool settled() const override { return inspection_->seen() != nullptr; }
  QString verdict() const { return verdict_->text(); }

 protected:
  void retranslate() override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void look();
  void refresh();
  void addAdvice(Card* card, const char* part);
  void fillGpus();
  void fillProcessor();
  void fillMemory();
  void fillDisks();

  Inspection* inspection_;
  QTimer timer_;
  Columns* columns_;
  QLabel *title_, *verdict_, *system_;
  Card *gpus_, *processor_, *memory_, *disks_;
};

}  // namespace trainyard::ui
