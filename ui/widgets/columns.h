#pragma once
// The frame of a page of cards: a scrolling ground with a wide column, a narrow one at its right, or one alone.
#include <QScrollArea>
#include <QVBoxLayout>

namespace trainyard::ui {

class Columns : public QScrollArea {
  Q_OBJECT
 public:
  // `right_width` 0: a single column.
  explicit Columns(QWidget* parent, int right_width = 0);
  QVBoxLayout* left() { return left_; }
  QVBoxLayout* right() { return right_; }
  void finish();  // stretches below the last cards

 private:
  QVBoxLayout *left_, *right_ = nullptr;
};

}  // namespace trainyard::ui
