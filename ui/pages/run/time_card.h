#pragma once
// What each device does with its time: computing, exchanging with others, waiting for data, idling, as one stacked bar a rank.
#include <QVector>

#include "ui/models/run_series.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class TimeBars : public QWidget {
  Q_OBJECT
 public:
  explicit TimeBars(QWidget* parent = nullptr);
  void setTokens(const Tokens& tokens);
  void show(const std::vector<RankTimes>& ranks);
  QString rowName(int row) const;  // "GPU 0"; "CPU, rank 1" where a device stands there twice
  QString tip(int row) const;
  static QStringList partNames();         // as in the legend
  QVector<double> shares(int row) const;  // of the parts, 0…1, in the order of partNames()
  QColor partColor(int part) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int rowHeight() const;
  int legendRows() const;

  Tokens tokens_;
  std::vector<RankTimes> ranks_;
};

class TimeCard : public Card {
  Q_OBJECT
 public:
  explicit TimeCard(QWidget* parent = nullptr);
  void setTokens(const Tokens& tokens) { bars_->setTokens(tokens); }
  void show(const std::vector<RankTimes>& ranks);  // hidden without any
  void retranslate();
  TimeBars* bars() const { return bars_; }

 private:
  QLabel* caption_;
  TimeBars* bars_;
};

}  // namespace trainyard::ui
