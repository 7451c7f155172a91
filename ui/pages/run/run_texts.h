#pragma once
// The other tabs of a run's page: results as a table, the log, the recipe it was started with.
#include <QPlainTextEdit>
#include <QTableWidget>
#include <QWidget>
#include <vector>

#include "core/runs/event.h"
#include "ui/models/run_series.h"

class QPushButton;

namespace trainyard::ui {

// One line for each evaluation, the newest first, the best marked.
class ResultsView : public QTableWidget {
  Q_OBJECT
 public:
  explicit ResultsView(QWidget* parent = nullptr);
  void show(const RunSeries& series);
  void retranslate();

 private:
  size_t shown_ = 0;
  int64_t best_shown_ = -2;
  std::string metric_ = "accuracy";
};

// What the run has said, a line for each event but steps and devices. Follows its end unless scrolled away.
class LogView : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit LogView(QWidget* parent = nullptr);
  void add(const std::vector<runs::Event>& events);
  QString lastLine() const { return last_; }
  void reset();

 private:
  QString last_;
};

// TOML as it stands in the run's directory, read-only.
class RecipeView : public QWidget {
  Q_OBJECT
 public:
  explicit RecipeView(QWidget* parent = nullptr);
  void setText(const QString& toml);
  void retranslate();

 private:
  QPlainTextEdit* text_;
  QPushButton* copy_;
};

}  // namespace trainyard::ui
