#pragma once
// A confusion matrix as a heat map: rows are the true classes, columns what was answered. A click on a cell chooses it. Many classes scroll.
#include <QAbstractScrollArea>
#include <QStringList>
#include <vector>

#include "ui/theme/theme.h"

namespace trainyard::ui {

class ConfusionView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit ConfusionView(QWidget* parent = nullptr);
  void setTokens(const Tokens& tokens);
  void setMatrix(const std::vector<std::vector<uint64_t>>& matrix, const QStringList& classes);
  void setChosen(int truth, int answer);  // -1, -1: none
  int chosenTruth() const { return truth_; }
  int chosenAnswer() const { return answer_; }
  QRect cellRect(int truth, int answer) const;  // in the viewport
  QSize sizeHint() const override;

 Q_SIGNALS:
  void chosen(int truth, int answer);  // -1, -1: the chosen cell was clicked again

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  int labelWidth() const;
  int headerHeight() const;
  int headerHeightFor(int cell_width) const;
  QSize cellSize() const;
  bool cellAt(const QPoint& where, int& truth, int& answer) const;
  void placeBars();
  void pick(int truth, int answer);
  void paintCells(QPainter& painter, const QRect& area);
  void paintNames(QPainter& painter);

  Tokens tokens_;
  std::vector<std::vector<uint64_t>> matrix_;
  std::vector<uint64_t> rows_;  // sums
  QStringList classes_;
  int widest_ = 0;  // of their names, in pixels
  int truth_ = -1, answer_ = -1;
};

}  // namespace trainyard::ui
