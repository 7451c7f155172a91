#pragma once
// The starting point: which architecture, from scratch or from weights, and its own parameters.
#include <QAbstractButton>
#include <QGridLayout>

#include "ui/forms/param_form.h"
#include "ui/pages/page.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class Columns;

// A card that is chosen by clicking it: title, what it is good for, a mark when chosen.
class ChoiceCard : public QAbstractButton {
  Q_OBJECT
 public:
  explicit ChoiceCard(QWidget* parent = nullptr);
  void setTexts(const QString& title, const QString& help, const QString& aside);
  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString help_, aside_;
};

class ModelPage : public Page {
  Q_OBJECT
 public:
  explicit ModelPage(Context& context, QWidget* parent = nullptr);
  QString id() const override { return "model"; }
  bool reveal(const QString& key) override;

 protected:
  void retranslate() override;

 private:
  void refresh();
  QString recommended() const;  // the architecture that suits the data; empty: unknown

  Columns* columns_;
  QLabel *title_, *intro_;
  std::vector<ChoiceCard*> cards_;
  Card *own_, *start_;
  ParamForm *own_form_, *start_form_;
  QLabel* classes_;
};

}  // namespace trainyard::ui
