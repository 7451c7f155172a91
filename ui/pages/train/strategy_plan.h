#pragma once
// What the recipe would take on its devices with each strategy: the engine's answer to `plan`, asked again whenever something changes that
// counts. GUI thread; nothing here waits.
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <QVector>

#include "ui/context.h"
#include "ui/engine_link/engine_call.h"

namespace trainyard::ui {

struct StrategyFigures {
  QString id;
  int devices = 0;
  double memory_bytes = 0;  // on the fullest device; 0: unknown
  double speed_up = 0;      // against one device; 0: unknown
  bool possible = true;
  QString why;  // why not
};

struct BlockFigures {
  QString name;
  double cost_share = 0;  // of one forward and backward pass, 0…1
  double parameters = 0;
};

struct StageFigures {
  QStringList blocks;
  double memory_bytes = 0;  // 0: unknown
};

// What the numbers depend on.
struct PlanNote {
  QString code, text;                      // text: the engine's own words
  double samples = 0, devices = 0, each = 0;  // of "uneven_batch"
};

// A plan as the window uses it; what an answer leaves out stays empty.
struct PlanFigures {
  std::vector<StrategyFigures> strategies;
  std::vector<BlockFigures> blocks;
  std::vector<StageFigures> stages;
  QStringList devices;          // one a rank
  double idle_share = qQNaN();  // of a pipeline
  int micro_batches = 0;        // of a pipeline; 0: unknown
  int passes = 0;               // parts of an update with the recipe's strategy; 0: unknown
  int rank_batch = 0;           // samples of one part on one rank; 0: unknown
  std::vector<PlanNote> notes;

  const StrategyFigures* strategy(const QString& id) const;  // nullptr: nothing known
};

PlanFigures readPlan(const Json& answer);

class StrategyPlan : public QObject {
  Q_OBJECT
 public:
  explicit StrategyPlan(Context& context, QObject* parent = nullptr);
  void setActive(bool on);  // asks only while somebody looks
  const PlanFigures& figures() const { return figures_; }
  QString problem() const { return problem_; }  // why there are no figures; empty: there are, or they are on their way
  bool busy() const { return call_.running() || later_.isActive(); }

 Q_SIGNALS:
  void changed();

 private:
  void look();
  void ask();

  Context& context_;
  EngineCall call_;
  QTimer later_;
  bool active_ = false;
  Json asked_;  // of the recipe, what was asked about last
  PlanFigures figures_;
  QString problem_;
};

}  // namespace trainyard::ui
