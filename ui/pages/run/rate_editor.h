#pragma once
// The learning rate of a live run, to be changed while it trains.
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace trainyard::ui {

class RateEditor : public QWidget {
  Q_OBJECT
 public:
  explicit RateEditor(QWidget* parent = nullptr);
  void setCurrent(double rate);  // what is in force; shown unless the field is being edited
  void setBusy(bool busy);
  void failed(const QString& why);
  void retranslate();

 Q_SIGNALS:
  void apply(double rate);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void check();
  void submit();

  QLineEdit* field_;
  QPushButton* button_;
  double current_ = 0;
  bool busy_ = false, edited_ = false;
};

}  // namespace trainyard::ui
