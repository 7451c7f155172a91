#pragma once
// Names with bars and numbers: class balance. Painted in one widget, so that a thousand classes cost nothing more than ten.
#include <QStringList>
#include <QVector>
#include <QWidget>

namespace trainyard::ui {

class BarList : public QWidget {
  Q_OBJECT
 public:
  explicit BarList(QWidget* parent = nullptr);
  // `numbers` false: the values only make the bars.
  void setRows(const QStringList& names, const QVector<quint64>& values, bool numbers = true);
  void setColor(const QColor& color) {
    color_ = color;
    update();
  }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, 0}; }

 Q_SIGNALS:
  void clicked(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int rowHeight() const;

  QStringList names_;
  QVector<quint64> values_;
  quint64 largest_ = 0;
  bool numbers_ = true;
  QColor color_;
};

}  // namespace trainyard::ui
