#pragma once
// A chart on a card with its head: title or tabs, legend, and a place for controls at the right.
#include <QFrame>
#include <QHBoxLayout>

#include "ui/plots/line_chart.h"

class QLabel;
class QPushButton;
class QStackedLayout;
class QTabBar;

namespace trainyard::ui {

// Swatches and names of a chart's curves.
class ChartLegend : public QWidget {
  Q_OBJECT
 public:
  explicit ChartLegend(QWidget* parent = nullptr);
  struct Entry {
    QString name;
    QColor color;
    bool dashed = false;
    bool operator==(const Entry&) const = default;
  };
  void setEntries(const QVector<Entry>& entries, const QColor& text);
  void setWrapping(bool on);  // more lines where one is too short, instead of cutting the last names
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, lineHeight()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  int lineHeight() const { return fontMetrics().height() + 2; }
  void fitHeight();
  QVector<QPoint> places() const;  // of the entries: their left ends, top of their lines

  QVector<Entry> entries_;
  QColor text_;
  bool wraps_ = false;
};

// One title and one chart, or tabs and a chart behind each.
class ChartCard : public QFrame {
  Q_OBJECT
 public:
  explicit ChartCard(QWidget* parent = nullptr);
  LineChart* addChart();  // a second one makes tabs of them
  LineChart* chart(int index) const { return charts_[index]; }
  LineChart* current() const;
  int count() const { return static_cast<int>(charts_.size()); }
  int currentIndex() const;
  void setCurrentIndex(int index);
  void setTitles(const QStringList& titles);
  void setTabVisible(int index, bool visible);
  void setLegendBelow(bool shown);  // of a card with tabs: the current chart's legend, on a line of its own
  QHBoxLayout* controls() { return controls_; }
  void setTokens(const Tokens& tokens);
  void updateLegend();  // after the curves of the current chart have changed

 Q_SIGNALS:
  void currentChanged(int index);

 private:
  QLabel* title_;
  QTabBar* tabs_;
  ChartLegend* legend_;
  QHBoxLayout* controls_;
  QStackedLayout* stack_;
  QVector<LineChart*> charts_;
  Tokens tokens_;
};

}  // namespace trainyard::ui
