#pragma once
// One step of a chain: a handle, whether it is on, its name and its numbers, what is wrong with it, and a button that takes it out.
#include <QCheckBox>
#include <QFrame>
#include <QLabel>
#include <QToolButton>

#include "ui/pages/input/chain_steps.h"

namespace trainyard::ui {

class StepRow : public QFrame {
  Q_OBJECT
 public:
  explicit StepRow(bool read_only, QWidget* parent = nullptr);
  void setStep(const Step& step);
  void setFault(const QString& text);  // "" fine
  void setSelected(bool selected);
  const Step& step() const { return step_; }
  QString fault() const { return fault_->text(); }
  QCheckBox* box() const { return box_; }
  void retranslate();

 Q_SIGNALS:
  void selected(const QString& path);
  void toggled(const QString& path, bool on);
  void removeRequested(const QString& path);
  void moveRequested(const QString& path, int by);
  void selectionMoved(int by);
  void dragged(const QString& path, int y, bool ended);  // y: in the parent

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  const bool read_only_;
  Step step_;
  QLabel *grip_, *title_, *summary_, *fault_;
  QCheckBox* box_;
  QToolButton* remove_;
  QPoint pressed_;
  bool dragging_ = false;
};

}  // namespace trainyard::ui
