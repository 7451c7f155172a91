#pragma once
// The charts of one run: loss large, below it the main metric and a tabbed chart. Draws what is visible, at most five times a second and
// never for more than a few percent of the time.
#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "ui/models/run_series.h"
#include "ui/pages/run/run_facts.h"
#include "ui/plots/chart_card.h"

namespace trainyard::ui {

class RateEditor;

class CurvesView : public QWidget {
  Q_OBJECT
 public:
  explicit CurvesView(QWidget* parent = nullptr);
  enum Detail { RateTab, SpeedTab, MemoryTab, UseTab, GradientTab, ScaleTab };  // ScaleTab: of fp16 only

  void setTokens(const Tokens& tokens);
  void setSeries(const RunSeries* series);  // kept; must outlive the view
  void setFacts(const RunFacts& facts);
  void setLive(bool live);  // whether the learning rate can be changed
  void dataChanged();       // new events: draw when it is time
  void reset();             // another run
  void showDetail(Detail detail);
  bool dropAhead() const;  // whether the schedule still lowers the rate
  void retranslate();

  RateEditor* rateEditor() const { return rate_editor_; }
  LineChart* lossChart() const { return loss_->chart(0); }
  LineChart* metricChart() const { return metric_->chart(0); }
  LineChart* detailChart(Detail detail) const { return detail_->chart(detail); }
  int maximized() const { return maximized_; }  // 0: none

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void draw();
  void fillLoss();
  void fillMetric();
  void fillDetail();
  void fillRate(LineChart* chart);
  void fillDevices(LineChart* chart, const std::map<std::string, Curve>& curves);
  void placeAxes();
  QVector<ChartMark> marks(bool skips) const;  // skips: with the updates that the gradient scaler stepped over
  QVector<ChartMark> marksOf(MarkKind kind) const;
  double across(double step) const;  // an update on the axis in use
  void link(LineChart* chart);
  void cycleAxis();
  void maximize(int chart);
  void updateControls();
  QList<LineChart*> charts() const;

  const RunSeries* series_ = nullptr;
  RunFacts facts_;
  PlannedRate plan_;
  int64_t planned_for_ = -1;
  RunAxis axis_ = RunAxis::Updates;
  int maximized_ = 0;
  ChartCard *loss_, *metric_, *detail_;
  QPushButton *smoothing_, *axis_button_, *follow_, *log_;
  QLabel* best_;
  RateEditor* rate_editor_;
  QTimer timer_;
  QElapsedTimer since_;
  double cost_ms_ = 0;
};

}  // namespace trainyard::ui
