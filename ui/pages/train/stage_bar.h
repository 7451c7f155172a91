#pragma once
// The blocks of a network as one bar, each as wide as its share of the work, cut into stages. Cuts are moved by dragging, or with the keys:
// Up and Down choose a cut, Left and Right move it by a block, Home and End as far as it goes.
#include <QStringList>
#include <QVector>
#include <QWidget>

#include "ui/theme/theme.h"

namespace trainyard::ui {

class StageBar : public QWidget {
  Q_OBJECT
 public:
  explicit StageBar(QWidget* parent = nullptr);
  void setTokens(const Tokens& tokens);
  // `shares`: of the work, one a block. `tips`: what the pointer is told over it.
  void setBlocks(const QVector<double>& shares, const QStringList& tips);
  // The first block of the second and each later stage, ascending; anything else leaves the bar as it is.
  void setCuts(const QVector<int>& cuts);
  void setCaptions(const QStringList& captions);  // over the stages
  const QVector<int>& cuts() const { return cuts_; }
  int selected() const { return selected_; }  // index of a cut
  double cutX(int cut) const;                 // where it is drawn
  QColor stageColor(int stage) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void moved();   // while a cut is being dragged
  void chosen();  // the cut stays where it is now

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int blockAt(double x) const;
  int cutAt(double x) const;  // -1: none near
  int leastOf(int cut) const;
  int mostOf(int cut) const;
  bool moveTo(int cut, int block);  // whether it moved
  void select(int cut);
  double edgeX(int block) const;  // the left edge of a block; of the number of blocks: the right edge of all
  QRectF barRect() const;
  void paintCaptions(QPainter& painter) const;

  Tokens tokens_;
  QVector<double> edges_;  // 0…1, one more than blocks
  QStringList tips_, captions_;
  QVector<int> cuts_;
  int selected_ = 0;
  bool dragging_ = false, dragged_ = false;
};

}  // namespace trainyard::ui
