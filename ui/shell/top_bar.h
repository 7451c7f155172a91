#pragma once
// The bar above the pages: the recipe's name, a dot when it was edited since its last start, what stands in the way, and Start.
#include <QFrame>
#include <QLabel>
#include <QPushButton>

#include "ui/context.h"
#include "ui/shell/live_difference.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class TopBar : public QFrame {
  Q_OBJECT
 public:
  explicit TopBar(Context& context, QWidget* parent = nullptr);

 Q_SIGNALS:
  void startRequested();
  void problemClicked();  // the chip that says what is to fix
  void runRequested(const QString& dir);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void showDifferences();

  Context& context_;
  LiveDifference* difference_;
  QLabel* name_;
  Dot* dot_;
  QPushButton *live_, *chip_, *start_;
};

}  // namespace trainyard::ui
