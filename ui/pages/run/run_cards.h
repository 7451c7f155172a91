#pragma once
// The cards at the right of a run's curves: its numbers, its devices, its notices.
#include <QGridLayout>
#include <vector>

#include "core/runs/event.h"
#include "ui/models/run_series.h"
#include "ui/widgets/parts.h"

class QProgressBar;

namespace trainyard::ui {

class NumbersCard : public Card {
  Q_OBJECT
 public:
  explicit NumbersCard(QWidget* parent = nullptr);
  void show(const RunSeries& series, bool live);

 private:
  struct Cell {
    QLabel *title, *value, *unit;
  };
  void put(const Cell& cell, const QString& title, const QString& value, const QString& unit = {});
  Cell best_, now_, speed_, left_;
};

class DevicesCard : public Card {
  Q_OBJECT
 public:
  explicit DevicesCard(QWidget* parent = nullptr);
  void show(const std::vector<DeviceFigures>& devices, bool live);
  void retranslate();

 private:
  struct Row {
    QLabel *name, *memory, *use, *heat;
    QProgressBar* bar;
  };
  QGridLayout* grid_;
  QLabel *caption_, *nothing_;
  std::vector<Row> rows_;
};

class NoticesCard : public Card {
  Q_OBJECT
 public:
  explicit NoticesCard(QWidget* parent = nullptr);
  void clear();
  void add(const runs::Event& event);  // a notice; the newest few are shown
  void retranslate();

 private:
  void place();
  struct Notice {
    QString severity, text;
    double time = 0;
  };
  QLabel *caption_, *nothing_;
  QVBoxLayout* list_;
  std::vector<Notice> notices_;
};

}  // namespace trainyard::ui
