#pragma once
// The rail at the window's left: pages in groups, icon over label.
#include <QButtonGroup>
#include <QFrame>
#include <QStringList>
#include <QToolButton>

namespace trainyard::ui {

class Rail : public QFrame {
  Q_OBJECT
 public:
  explicit Rail(QWidget* parent = nullptr);
  void setCurrent(const QString& page);  // a run's own page marks "runs"
  static const QStringList& pages();     // in order, as Ctrl+1 … count them

 Q_SIGNALS:
  void chosen(const QString& page);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  QButtonGroup* group_;
};

}  // namespace trainyard::ui
