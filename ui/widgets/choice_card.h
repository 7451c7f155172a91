#pragma once
// A card that is chosen by clicking it: title, what it is good for, a line of figures, and a mark when chosen.
#include <QAbstractButton>

namespace trainyard::ui {

class ChoiceCard : public QAbstractButton {
  Q_OBJECT
 public:
  explicit ChoiceCard(QWidget* parent = nullptr);
  // `aside`: in the accent's colour, or as something that is wrong.
  void setTexts(const QString& title, const QString& help, const QString& aside, bool wrong = false);
  QString aside() const { return aside_; }
  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString help_, aside_;
  bool wrong_ = false;
};

}  // namespace trainyard::ui
