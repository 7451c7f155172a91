// How the page of a run is put together, and its texts.
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "ui/pages/run/curves_view.h"
#include "ui/pages/run/results_tab.h"
#include "ui/pages/run/run_cards.h"
#include "ui/pages/run/run_header.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/run/run_texts.h"
#include "ui/pages/run/time_card.h"
#include "ui/pages/run/try_view.h"
#include "ui/pages/run/verdict_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/side_scroll.h"

namespace trainyard::ui {

void RunPage::build() {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(16, 0, 16, 6);
  all->setSpacing(8);
  header_ = new RunHeader(this);
  verdict_ = new VerdictBar(this);
  tabs_ = new QTabBar(this);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  for (int i = 0; i <= RecipeTab; ++i) tabs_->addTab(QString());
  stack_ = new QStackedWidget(this);
  stack_->addWidget(buildCurvesTab());
  results_ = new ResultsTab(this);
  try_ = new TryView(this);
  log_ = new LogView(this);
  recipe_ = new RecipeView(this);
  for (QWidget* view : std::initializer_list<QWidget*>{results_, try_, log_, recipe_}) stack_->addWidget(view);
  all->addWidget(header_);
  all->addWidget(buildBanner());
  all->addWidget(verdict_);
  all->addWidget(tabs_);
  all->addWidget(stack_, 1);
  all->addWidget(buildDrawer());
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    stack_->setCurrentIndex(index);
    banner_->setVisible(facts_.practice && index == CurvesTab);
    updateAll();
  });
}

QWidget* RunPage::buildBanner() {
  banner_ = new QFrame(this);
  banner_->setProperty("card", true);
  auto* row = new QHBoxLayout(banner_);
  row->setContentsMargins(12, 6, 12, 6);
  banner_text_ = new QLabel(banner_);
  banner_text_->setWordWrap(true);
  own_pictures_ = makeButton(banner_);
  own_pictures_->setObjectName(QStringLiteral("ownPictures"));
  own_pictures_->setProperty("primary", true);
  row->addWidget(banner_text_, 1);
  row->addWidget(own_pictures_);
  banner_->hide();
  connect(own_pictures_, &QPushButton::clicked, this, [this] { Q_EMIT navigate(QStringLiteral("data"), {}); });
  return banner_;
}

QWidget* RunPage::buildCurvesTab() {
  auto* tab = new QWidget(this);
  auto* row = new QHBoxLayout(tab);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  curves_ = new CurvesView(tab);
  curves_->setSeries(&series_);
  auto* scroll = new SideScroll(tab);
  QVBoxLayout* side = scroll->column();
  side->setSpacing(8);
  numbers_ = new NumbersCard(tab);
  devices_ = new DevicesCard(tab);
  times_ = new TimeCard(tab);
  notices_ = new NoticesCard(tab);
  side->addWidget(numbers_);
  side->addWidget(devices_);
  side->addWidget(times_);
  side->addWidget(notices_, 1);
  row->addWidget(curves_, 67);
  row->addWidget(scroll, 33);
  return tab;
}

QWidget* RunPage::buildDrawer() {
  drawer_ = makeLink(this);
  drawer_->setObjectName(QStringLiteral("drawer"));
  drawer_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  setLook(drawer_, "quiet", true);
  connect(drawer_, &QPushButton::clicked, this, [this] { showTab(tab() == LogTab ? CurvesTab : LogTab); });
  return drawer_;
}

void RunPage::placeTokens() {
  curves_->setTokens(context_.theme->tokens());
  results_->setTokens(context_.theme->tokens());
  times_->setTokens(context_.theme->tokens());
}

void RunPage::retranslate() {
  header_->retranslate();
  verdict_->retranslate();
  curves_->retranslate();
  devices_->retranslate();
  times_->retranslate();
  notices_->retranslate();
  results_->retranslate();
  try_->retranslate();
  recipe_->retranslate();
  const QString titles[] = {tr("Curves"), tr("Results"), tr("Try it"), tr("Log"), tr("Recipe")};
  for (int i = 0; i <= RecipeTab; ++i) tabs_->setTabText(i, titles[i]);
  banner_text_->setText(tr("Practice: a small network learns to read digits in about a minute. Then try your own pictures."));
  own_pictures_->setText(tr("Use my own pictures"));
  log_->reset();
  notices_->clear();
  log_->add(follower_.history());
  for (const auto& event : follower_.history()) {
    if (event.type == "notice") notices_->add(event);
  }
  updateAll();
}

}  // namespace trainyard::ui
