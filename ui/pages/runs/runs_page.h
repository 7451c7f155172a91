#pragma once
// All runs: a table to sort and filter, and over it the curves of those that are checked.
#include <QHash>
#include <memory>
#include <vector>

#include "ui/engine_link/run_follower.h"
#include "ui/models/run_series.h"
#include "ui/pages/page.h"

class QFrame;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace trainyard::ui {

class ChartCard;
class LineChart;
class RunsDelegate;

class RunsPage : public Page {
  Q_OBJECT
 public:
  explicit RunsPage(Context& context, QWidget* parent = nullptr);
  ~RunsPage() override;
  QString id() const override { return QStringLiteral("runs"); }
  void shown() override;
  bool settled() const override;

  QTableView* table() const { return table_; }
  QLineEdit* filter() const { return filter_; }
  LineChart* overlay(int chart) const;  // 0 loss, 1 main metric
  QStringList overlaid() const;         // directories of the runs whose curves are shown

 protected:
  void retranslate() override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Shown {
    QString dir, name;
    RunFollower follower;
    RunSeries series;
    int color = 0;
  };
  void build();
  QWidget* buildEmpty();
  void follow();
  void drawOverlay();
  void highlight(const QModelIndex& proxy_index);
  void openRow(const QModelIndex& proxy_index);
  void placeState();
  void placeTokens();
  QString labelOf(const Shown& run) const;

  QLabel *title_ = nullptr, *empty_title_ = nullptr, *empty_text_ = nullptr, *hint_ = nullptr;
  QLineEdit* filter_ = nullptr;
  QTableView* table_ = nullptr;
  QSortFilterProxyModel* proxy_ = nullptr;
  RunsDelegate* delegate_ = nullptr;
  ChartCard* chart_ = nullptr;
  QFrame* table_card_ = nullptr;
  QWidget* empty_ = nullptr;
  QPushButton* empty_button_ = nullptr;
  std::vector<std::unique_ptr<Shown>> shown_;
  QTimer draw_timer_;
  bool watching_ = false;
};

}  // namespace trainyard::ui
