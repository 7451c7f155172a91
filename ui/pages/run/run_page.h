#pragma once
// The page of one run: live while it trains, a record afterwards. Attaches to any run directory, whoever started it.
#include <QTimer>
#include <memory>

#include "core/runs/verdict.h"
#include "ui/engine_link/run_follower.h"
#include "ui/models/run_series.h"
#include "ui/pages/page.h"
#include "ui/pages/run/run_facts.h"
#include "ui/pages/run/verdict_text.h"

class QFrame;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace trainyard::ui {

class CurvesView;
class DevicesCard;
class LogView;
class NoticesCard;
class NumbersCard;
class RecipeView;
class ResultsTab;
class RunHeader;
class TimeCard;
class TryView;
class VerdictBar;

class RunPage : public Page {
  Q_OBJECT
 public:
  explicit RunPage(Context& context, QWidget* parent = nullptr);
  ~RunPage() override;

  QString id() const override { return QStringLiteral("run"); }
  void shown() override;
  bool settled() const override;

  void open(const QString& run_dir);  // also for a run that is about to start: its directory need not exist yet
  QString runDir() const { return follower_.dir(); }
  double progress() const;  // 0…1 while it trains, else NaN: for the window's title

  enum Tab { CurvesTab, ResultsPage, TryTab, LogTab, RecipeTab };
  void showTab(Tab tab);
  Tab tab() const;

  // Parts, for tests and for the window's shortcuts.
  const RunSeries& series() const { return series_; }
  RunHeader* header() const { return header_; }
  VerdictBar* verdictBar() const { return verdict_; }
  CurvesView* curves() const { return curves_; }
  LogView* log() const { return log_; }
  ResultsTab* results() const { return results_; }
  TryView* tryView() const { return try_; }
  void command(const QString& command);  // as RunHeader::command

 Q_SIGNALS:
  void progressed();

 protected:
  void retranslate() override;

 private:
  void build();
  QWidget* buildBanner();
  QWidget* buildCurvesTab();
  QWidget* buildDrawer();
  void wire();
  void forget();
  void take(const std::vector<runs::Event>& events);
  void onState(const runs::SeenState& seen);
  void readFactsAgain();
  void updateAll();
  void judgeNow();
  void act(BarAction action);
  void send(const Json& request);
  void restart(const QStringList& changes = {});
  void askToExtend();
  void lowerRate();
  void setBusy(bool busy);
  void complain(const Error& error);
  void placeTokens();
  void copyCommand();
  void copyReport();
  void openFolder();
  QString problemReport() const;

  RunFollower follower_;
  RunSeries series_;
  RunFacts facts_;
  runs::VerdictHold hold_;
  std::optional<Error> failure_, complaint_;
  int64_t checkpoint_step_ = -1;
  bool busy_ = false;
  QTimer judge_timer_, update_timer_;

  RunHeader* header_ = nullptr;
  QFrame* banner_ = nullptr;
  QLabel* banner_text_ = nullptr;
  QPushButton* own_pictures_ = nullptr;
  VerdictBar* verdict_ = nullptr;
  QTabBar* tabs_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  CurvesView* curves_ = nullptr;
  NumbersCard* numbers_ = nullptr;
  DevicesCard* devices_ = nullptr;
  TimeCard* times_ = nullptr;
  NoticesCard* notices_ = nullptr;
  ResultsTab* results_ = nullptr;
  TryView* try_ = nullptr;
  LogView* log_ = nullptr;
  RecipeView* recipe_ = nullptr;
  QPushButton* drawer_ = nullptr;
};

}  // namespace trainyard::ui
