#pragma once
// A range test of the learning rate: a short training whose rate rises from tiny to huge, drawn as loss over rate, with a value to take.
#include <QProgressBar>
#include <QPushButton>

#include "ui/context.h"
#include "ui/engine_link/engine_call.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class LineChart;

class RateFinder : public QWidget {
  Q_OBJECT
 public:
  explicit RateFinder(Context& context, QWidget* parent = nullptr);
  void retranslate();
  void show(const Json& document);  // {lr, loss, smoothed, suggestion}
  double suggestion() const { return suggestion_; }  // NaN: none
  EngineCall* call() { return &call_; }
  QPushButton* findButton() const { return find_; }
  QPushButton* useButton() const { return use_; }

 private:
  void find();
  void use();
  void place();

  Context& context_;
  EngineCall call_;
  QPushButton *find_, *use_, *close_;
  QProgressBar* progress_;
  LineChart* chart_;
  QLabel* note_;
  Json answer_;
  QString problem_;
  double suggestion_;
};

}  // namespace trainyard::ui
