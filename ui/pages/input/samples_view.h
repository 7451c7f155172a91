#pragma once
// A picture and what a chain makes of it, side by side, as large as they can be.
#include <QImage>
#include <QStringList>
#include <QVector>
#include <QWidget>

namespace trainyard::ui {

class SamplesView : public QWidget {
  Q_OBJECT
 public:
  explicit SamplesView(QWidget* parent = nullptr);
  struct Cell {
    QImage image;  // null: a place that waits
    QString label;
  };
  void setCells(const QVector<Cell>& cells);
  const QVector<Cell>& cells() const { return cells_; }
  void setStale(bool stale);  // newer ones are on their way: paler
  QSize minimumSizeHint() const override { return {240, 240}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QVector<Cell> cells_;
  bool stale_ = false;
};

}  // namespace trainyard::ui
