#pragma once
// A chart of curves over updates, epochs or time, as the product draws them everywhere. It knows nothing of runs: it is given series and
// marks. Keys: F fit, End follow, L log, X axis, [ ] smoothing, arrows crosshair, 1–3 maximise. The wheel zooms along x, dragging pans,
// a double click fits.
#include <QVector>
#include <QWidget>
#include <memory>

#include "ui/theme/theme.h"

namespace trainyard::ui {

enum class SeriesKind {
  Line,        // 2 px
  Training,    // faint raw line of 1 px, and smoothed 2 px
  Validation,  // 2 px with dots, never smoothed
  Planned,     // dashed: what is still to come
  Compared,    // 1.5 px, smoothed: one of several runs
};

// Decades: values are given as their decimal logarithm and written as themselves, for rates along x.
enum class AxisUnit { Number, Updates, Epochs, Seconds, Percent, Bytes, Decades };

enum class MarkKind { Best, Checkpoint, Change, Pause, Resume, NonFinite };

struct ChartMark {
  double x = 0;
  MarkKind kind = MarkKind::Checkpoint;
  QString text;  // drawn beside changes ("lr"); in the crosshair's box for all
};

class LineChart : public QWidget {
  Q_OBJECT
 public:
  explicit LineChart(QWidget* parent = nullptr);
  ~LineChart() override;

  void setTokens(const Tokens& tokens);

  // Adds or replaces the curve of that name. x ascends; y may hold NaN and infinities (gaps). `color`: index into the tokens' series;
  // -1: the order of adding. Drawn by refresh(), or else with the next turn of the event loop.
  void setSeries(const QString& name, const QVector<double>& x, const QVector<double>& y, SeriesKind kind = SeriesKind::Line, int color = -1);
  void removeSeries(const QString& name);
  void clear();
  QStringList seriesNames() const;
  QColor seriesColor(const QString& name) const;
  bool seriesDashed(const QString& name) const;
  void setHighlighted(const QString& name);  // the others step back; empty: none
  void setMarks(const QVector<ChartMark>& marks);

  void setUnits(AxisUnit x, AxisUnit y);
  void setSpan(double from, double to);         // what "fit" shows along x at least; NaN: the data alone
  void setFixedRange(double low, double high);  // y; NaN: from the data
  void setHalfLife(double points);              // of the smoothing at its normal strength; 0: none
  void setLabelsAtEnds(bool shown);
  void setMarksAtTop(bool top);           // else they stand on the axis
  void setCornerWidget(QWidget* widget);  // floats over the top right corner; owned
  void setInteractive(bool on);           // false: no zoom, no crosshair, no keys; the wheel is left to the page
  void setLogScale(bool on);
  bool logScale() const;
  bool logOffered() const;                 // positive data that spans more than a factor of 20
  double smoothing() const;                // the half-life in use, in points
  void setSmoothingFactor(double factor);  // of the half-life: 1 normal, 0 none
  double smoothingFactor() const;

  void fit();
  void setFollowing(bool on);  // the newest points stay in view
  bool following() const;
  void setCrosshair(double x);  // NaN: none
  double crosshair() const;

  // Draws what has changed, at once when visible, else when it is shown. Returns the milliseconds it took.
  double refresh();

  // What is drawn, for tests: x and y ranges, points of a series after decimation, cut spikes.
  struct View {
    double x_from, x_to, y_from, y_to;
  };
  View view() const;
  int drawnPoints(const QString& name) const;
  int cutSpikes() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void crosshairMoved(double x);         // by this chart's own mouse or keys; NaN: left
  void viewChanged();                    // log, follow, smoothing or zoom changed
  void smoothingStepped(double factor);  // [ or ] was pressed
  void axisCycled();                     // X was pressed
  void maximizeRequested(int chart);     // 1–3

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  friend class ChartOverlay;
  struct Parts;
  void touch();  // something has changed: draw with the next turn of the event loop
  void stepCrosshair(int direction, bool far);
  std::unique_ptr<Parts> d_;
};

}  // namespace trainyard::ui
