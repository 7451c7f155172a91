#pragma once
// The results of a run: how many were right and how sure that is, what is taken for what, the pictures behind it, each class, and every
// evaluation.
#include <QDateTime>
#include <QWidget>

#include "ui/models/run_series.h"
#include "ui/pages/run/run_facts.h"
#include "ui/pages/run/run_samples.h"
#include "ui/theme/theme.h"

class QGridLayout;
class QLabel;
class QTableView;

namespace trainyard::ui {

class Card;
class ClassTable;
class ConfusionView;
class ResultsView;
class SampleGrid;
class Segments;

class ResultsTab : public QWidget {
  Q_OBJECT
 public:
  explicit ResultsTab(QWidget* parent = nullptr);
  void setTokens(const Tokens& tokens);
  void setRun(const QString& run_dir, const RunFacts& facts);
  void show(const RunSeries& series);  // reads the samples again when there is a newer evaluation
  void retranslate();
  bool settled() const;

  ConfusionView* confusion() const { return confusion_; }
  SampleGrid* pictures() const { return pictures_; }
  ResultsView* evaluations() const { return evaluations_; }
  ClassTable* classes() const { return class_table_; }
  QString summary() const;

 private:
  void read();
  void place();
  void choose(int truth, int answer);

  QString run_dir_;
  RunFacts facts_;
  RunSeries const* series_ = nullptr;
  RunSamples samples_;
  bool best_ = true;  // of the best evaluation, not the latest
  size_t evals_ = 0;
  QDateTime read_at_;
  QGridLayout* grid_;
  QLabel *summary_, *summary_note_, *nothing_;
  Segments* which_;
  Card *confusion_card_, *pictures_card_, *classes_card_, *evaluations_card_;
  ConfusionView* confusion_;
  SampleGrid* pictures_;
  ClassTable* class_table_;
  ResultsView* evaluations_;
};

}  // namespace trainyard::ui
