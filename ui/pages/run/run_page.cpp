#include "ui/pages/run/run_page.h"

#include <QFrame>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "ui/engine_link/engine_link.h"
#include "ui/pages/run/curves_view.h"
#include "ui/pages/run/rate_editor.h"
#include "ui/pages/run/run_cards.h"
#include "ui/pages/run/run_header.h"
#include "ui/pages/run/results_tab.h"
#include "ui/pages/run/run_texts.h"
#include "ui/pages/run/time_card.h"
#include "ui/pages/run/try_view.h"
#include "ui/pages/run/verdict_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kUpdate_ms = 200, kJudge_ms = 1000;
constexpr double kShareOfTime = 0.02;

std::string textAt(const runs::Event& event, const char* key) {
  return event.fields.contains(key) && event.fields.at(key).is_string() ? event.fields.at(key).get<std::string>() : std::string();
}

}  // namespace

RunPage::RunPage(Context& context, QWidget* parent) : Page(context, parent) {
  build();
  wire();
  placeTokens();
  retranslate();
}

RunPage::~RunPage() { follower_.close(); }

void RunPage::wire() {
  connect(&follower_, &RunFollower::restarted, this, [this] { forget(); });
  connect(&follower_, &RunFollower::appended, this, [this](const std::vector<runs::Event>& events) { take(events); });
  connect(&follower_, &RunFollower::stateChanged, this, [this](const runs::SeenState& seen) { onState(seen); });
  connect(&follower_, &RunFollower::caughtUpNow, this, [this] {
    judgeNow();
    updateAll();
  });
  connect(context_.theme, &Theme::changed, this, [this] { placeTokens(); });
  connect(context_.engine, &EngineLink::started, this, [this](const QString& dir) {
    if (dir != runDir()) return;
    setBusy(false);
    follower_.pollNow();
  });
  connect(context_.engine, &EngineLink::startFailed, this, [this](const Error& error, const QString& dir) {
    if (dir == runDir()) complain(error);
  });
  connect(header_, &RunHeader::back, this, [this] { Q_EMIT navigate(QStringLiteral("runs"), {}); });
  connect(header_, &RunHeader::command, this, [this](const QString& words) { command(words); });
  connect(header_, &RunHeader::copyCommand, this, [this] { copyCommand(); });
  connect(header_, &RunHeader::copyReport, this, [this] { copyReport(); });
  connect(header_, &RunHeader::openFolder, this, [this] { openFolder(); });
  connect(verdict_, &VerdictBar::act, this, [this](BarAction action) { act(action); });
  connect(curves_->rateEditor(), &RateEditor::apply, this, [this](double rate) { send(Json{{"command", "set"}, {"values", {{"lr", rate}}}}); });
  judge_timer_.setInterval(kJudge_ms);
  judge_timer_.setTimerType(Qt::CoarseTimer);
  connect(&judge_timer_, &QTimer::timeout, this, [this] { judgeNow(); });
  update_timer_.setSingleShot(true);
  connect(&update_timer_, &QTimer::timeout, this, [this] {
    updateAll();
    if (!follower_.live()) judgeNow();  // nobody else does
  });
}

void RunPage::shown() {
  if (tab() == CurvesTab) curves_->lossChart()->setFocus(Qt::OtherFocusReason);  // its keys work at once
  follower_.pollNow();
  updateAll();
}

bool RunPage::settled() const {
  if (runDir().isEmpty()) return true;
  return follower_.caughtUp() && (tab() != ResultsPage || results_->settled()) && try_->settled();
}

void RunPage::open(const QString& run_dir) {
  if (run_dir == runDir()) return follower_.pollNow();
  busy_ = false;
  follower_.open(run_dir);
  onState(follower_.seen());
}

void RunPage::forget() {
  series_.clear();
  hold_ = {};
  failure_.reset();
  complaint_.reset();
  checkpoint_step_ = -1;
  curves_->reset();
  notices_->clear();
  log_->reset();
  readFactsAgain();
}

void RunPage::readFactsAgain() {
  facts_ = readFacts(runDir());
  series_.metric_name = facts_.metric;
  header_->setFacts(facts_);
  curves_->setFacts(facts_);
  results_->setRun(runDir(), facts_);
  recipe_->setText(facts_.recipe_text.isEmpty() ? facts_.problem : facts_.recipe_text);
  banner_->setVisible(facts_.practice && tab() == CurvesTab);
}

void RunPage::take(const std::vector<runs::Event>& events) {
  for (const auto& event : events) {
    if (event.type == "run_started" || event.type == "resumed") {
      failure_.reset();
      if (!facts_.recipe) readFactsAgain();
    }
    if (event.type == "checkpoint") checkpoint_step_ = event.step.value_or(checkpoint_step_);
    if (event.type == "failed") failure_ = Error{ErrorCode::Failed, textAt(event, "what"), textAt(event, "where"), textAt(event, "hint")};
    if (event.type == "notice") notices_->add(event);
    series_.add(event);
  }
  log_->add(events);
  curves_->dataChanged();
  if (!update_timer_.isActive()) update_timer_.start(kUpdate_ms);
  Q_EMIT progressed();
}

void RunPage::onState(const runs::SeenState& seen) {
  header_->setState(seen, !runDir().isEmpty() && seen.state.changed > 0);
  if (follower_.live()) {
    complaint_.reset();
    judge_timer_.start();
  } else {
    judge_timer_.stop();
  }
  if (!facts_.recipe) readFactsAgain();
  curves_->setLive(follower_.live());
  judgeNow();
  updateAll();
  Q_EMIT progressed();
}

void RunPage::updateAll() {
  header_->setProgress(series_);
  drawer_->setText((tab() == LogTab ? QStringLiteral("▾ ") : QStringLiteral("▴ ")) + tr("Log") + QStringLiteral("   ") + log_->lastLine());
  if (!isVisible()) return;
  numbers_->show(series_, follower_.live());
  devices_->show(series_.devices, follower_.live());
  times_->show(series_.rankTimes());
  if (tab() == ResultsPage) results_->show(series_);
  try_->setRun(runDir(), checkpoint_step_ >= 0);
}

double RunPage::progress() const {
  return follower_.live() && series_.steps_total > 0 ? static_cast<double>(series_.step) / static_cast<double>(series_.steps_total) : qQNaN();
}

void RunPage::judgeNow() {
  if (complaint_) {
    BarText text{Tone::Bad, tr("Did not work"), QString::fromStdString(complaint_->what), BarAction::None, {}, {}};
    text.why = QString::fromStdString(complaint_->where + (complaint_->where.empty() || complaint_->hint.empty() ? "" : "\n\n") + complaint_->hint);
    return verdict_->show(text);
  }
  const bool unknown = follower_.seen().state.changed == 0;
  if (unknown && follower_.caughtUp() && !context_.engine->startingRuns().contains(runDir())) {
    return verdict_->show({Tone::Bad, tr("Unreadable"), follower_.problem(), BarAction::None, {}, {}});
  }
  RunSituation now{follower_.seen(), failure_, checkpoint_step_, false};
  now.gpu = !series_.device_names.empty() && series_.device_names.front().rfind("cuda", 0) == 0;
  if (unknown) now.seen.state.state = runs::State::Starting;
  const BarText situation = situationText(now, series_);
  if (!situation.title.isEmpty()) return verdict_->show(situation);
  if (!follower_.caughtUp()) return;
  runs::VerdictContext context;
  context.now = unixTime();
  context.live = follower_.seen().state.state == runs::State::Running;
  context.largest_class_share = facts_.largest_class_share;
  context.drop_ahead = curves_->dropAhead();
  const double begun = steadySeconds();
  verdict_->show(verdictText(hold_.check(runs::judge(follower_.history(), context)), series_));
  // A long history makes a slow judge: it then sits less often.
  const double cost_ms = (steadySeconds() - begun) * 1000;
  judge_timer_.setInterval(std::max(kJudge_ms, static_cast<int>(cost_ms / kShareOfTime)));
}

void RunPage::showTab(Tab tab) {
  tabs_->setCurrentIndex(tab);
  updateAll();
}

RunPage::Tab RunPage::tab() const { return static_cast<Tab>(tabs_->currentIndex()); }

}  // namespace trainyard::ui
