#pragma once
// The inside of LineChart. Included by ui/plots alone: qcustomplot.h needs Qt's keywords.
#include <qcustomplot.h>

#include "ui/plots/decimate.h"
#include "ui/plots/line_chart.h"

namespace trainyard::ui {

constexpr int kDashedFrom = 4;  // the fifth series: its colour alone would not tell it apart

struct ChartSeries {
  QString name;
  QVector<double> x, y, smoothed;  // smoothed: empty until needed
  SeriesKind kind = SeriesKind::Line;
  int color = -1;
  QCPGraph *raw = nullptr, *line = nullptr;
  int drawn = 0;

  bool isSmoothed() const { return kind == SeriesKind::Training || kind == SeriesKind::Compared; }
  bool decidesRange() const { return kind != SeriesKind::Planned; }
};

class ChartTicker : public QCPAxisTicker {
 public:
  AxisUnit unit = AxisUnit::Number;
  int wanted = 5;
  bool log = false;

 protected:
  double getTickStep(const QCPRange& range) override;
  int getSubTickCount(double) override { return 0; }
  QVector<double> createTickVector(double step, const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale&, QChar, int) override;

 private:
  double step_ = 1;
};

class ChartOverlay;

enum class ViewMode { Fit, Follow, Free };

struct LineChart::Parts {
  QCustomPlot* plot = nullptr;
  ChartOverlay* overlay = nullptr;
  QSharedPointer<ChartTicker> x_ticker, y_ticker;
  Tokens tokens;
  QVector<ChartSeries> series;
  QVector<ChartMark> marks;
  QVector<Spike> cut;
  QString highlighted;
  AxisUnit x_unit = AxisUnit::Updates, y_unit = AxisUnit::Number;
  double span_from = qQNaN(), span_to = qQNaN(), fixed_low = qQNaN(), fixed_high = qQNaN();
  double half_life = 0, factor = 1, cross = qQNaN();
  bool labels = false, marks_top = false, log = false, log_offered = false, interactive = true;
  bool dirty = true, scheduled = false, setting_range = false;
  ViewMode mode = ViewMode::Fit;
  LineChart::View shown{0, 1, 0, 1};  // without the margins that keep dots whole
  double follow_width = 0;            // x units; 0: a quarter of the data

  ChartSeries* find(const QString& name);
  QColor colorOf(const ChartSeries& series) const;
  const QVector<double>& lineValues(ChartSeries& series);
  ValueRange dataSpan() const;  // along x
  int columns() const;

  void setX(double from, double to);
  void placeX();
  void placeY();
  void fillGraphs();
  void style();
  void draw();

 private:
  ValueRange wantedY();
  void offerLog();
  void fillSeries(ChartSeries& series, int index);
};

// Everything on top of the curves, on a buffer of its own, so that a moving crosshair redraws no curve.
class ChartOverlay : public QCPLayerable {
 public:
  explicit ChartOverlay(LineChart::Parts& parts, QCustomPlot* plot) : QCPLayerable(plot, QStringLiteral("overlay")), parts_(parts) {}

 protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
  void draw(QCPPainter* painter) override;

 private:
  void drawMarks(QPainter& painter, const QRectF& area);
  void drawSpikes(QPainter& painter, const QRectF& area);
  void drawLabels(QPainter& painter, const QRectF& area);
  void drawCrosshair(QPainter& painter, const QRectF& area);
  LineChart::Parts& parts_;
};

}  // namespace trainyard::ui
