#pragma once
// The bar over the curves: how it goes, in two words and a sentence.
#include <QFrame>

#include "ui/pages/run/verdict_text.h"

class QLabel;
class QPushButton;

namespace trainyard::ui {

class VerdictBar : public QFrame {
  Q_OBJECT
 public:
  explicit VerdictBar(QWidget* parent = nullptr);
  void show(const BarText& text);
  void setBusy(bool busy);
  void retranslate();
  const BarText& shown() const { return text_; }

 Q_SIGNALS:
  void act(trainyard::ui::BarAction action);

 private:
  void explain();
  QLabel *title_, *sentence_;
  QPushButton *why_, *action_;
  BarText text_;
};

}  // namespace trainyard::ui
