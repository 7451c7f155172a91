#pragma once
// A column of cards that scrolls when the window is not high enough for it: never narrower than its cards need, never taller than there is room.
#include <QScrollArea>
#include <QVBoxLayout>

namespace trainyard::ui {

class SideScroll : public QScrollArea {
  Q_OBJECT
 public:
  explicit SideScroll(QWidget* parent = nullptr);
  QVBoxLayout* column() { return column_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  QVBoxLayout* column_;
};

}  // namespace trainyard::ui
