#include "ui/pages/runs/runs_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/run_text.h"
#include "ui/models/runs_model.h"
#include "ui/pages/run/run_facts.h"
#include "ui/pages/runs/runs_delegate.h"
#include "ui/plots/chart_card.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kDraw_ms = 250, kCurves = 8;

// Searches all columns for every word.
class RunsFilter : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    QString text;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
      text += sourceModel()->index(row, column, parent).data().toString() + QLatin1Char('\n');
    for (const QString& word : filterRegularExpression().pattern().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
      if (!text.contains(QRegularExpression(word, QRegularExpression::CaseInsensitiveOption))) return false;
    }
    return true;
  }
};

}  // namespace

RunsPage::RunsPage(Context& context, QWidget* parent) : Page(context, parent) {
  build();
  draw_timer_.setSingleShot(true);
  connect(&draw_timer_, &QTimer::timeout, this, [this] { drawOverlay(); });
  connect(context_.runs, &RunsModel::refreshed, this, [this] { placeState(); });
  connect(context_.runs, &RunsModel::checkedChanged, this, [this] { follow(); });
  connect(context_.theme, &Theme::changed, this, [this] { placeTokens(); });
  placeTokens();
  retranslate();
  placeState();
}

RunsPage::~RunsPage() {
  if (watching_) context_.runs->setActive(false);
}

void RunsPage::build() {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(16, 0, 16, 16);
  all->setSpacing(8);
  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  title_ = makeLabel("page", this);
  title_->setFixedHeight(56);
  hint_ = makeLabel("secondary", this);
  filter_ = new QLineEdit(this);
  filter_->setClearButtonEnabled(true);
  filter_->setFixedWidth(260);
  head->addWidget(title_);
  head->addWidget(hint_, 1);
  head->addWidget(filter_);
  chart_ = new ChartCard(this);
  chart_->addChart();
  chart_->addChart();
  for (int i = 0; i < 2; ++i) chart_->chart(i)->setLabelsAtEnds(true);
  chart_->setMinimumHeight(240);
  table_card_ = new QFrame(this);
  table_card_->setProperty("card", true);
  auto* inside = new QVBoxLayout(table_card_);
  inside->setContentsMargins(4, 4, 4, 4);
  table_ = new QTableView(table_card_);
  proxy_ = new RunsFilter(this);
  proxy_->setSourceModel(context_.runs);
  proxy_->setSortRole(RunsModel::SortRole);
  delegate_ = new RunsDelegate(table_);
  table_->setModel(proxy_);
  table_->setItemDelegate(delegate_);
  table_->setSortingEnabled(true);
  table_->sortByColumn(RunsModel::Started, Qt::DescendingOrder);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(30);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setMouseTracking(true);
  table_->viewport()->installEventFilter(this);
  table_->installEventFilter(this);
  const int widths[] = {200, 150, 130, 160, 90, 110, 130};
  for (int column = 0; column < RunsModel::Duration; ++column) table_->setColumnWidth(column, widths[column]);
  inside->addWidget(table_);
  all->addLayout(head);
  all->addWidget(buildEmpty(), 1);
  all->addWidget(chart_, 2);
  all->addWidget(table_card_, 3);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    QStringList words;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) words << QRegularExpression::escape(word);
    proxy_->setFilterRegularExpression(words.join(QLatin1Char(' ')));
  });
  connect(table_, &QTableView::entered, this, [this](const QModelIndex& index) { highlight(index); });
  connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { openRow(index); });
  connect(chart_, &ChartCard::currentChanged, this, [this] { drawOverlay(); });
}

QWidget* RunsPage::buildEmpty() {
  empty_ = new QWidget(this);
  auto* box = new QVBoxLayout(empty_);
  box->addStretch(1);
  empty_title_ = makeLabel("section", empty_);
  empty_text_ = makeLabel("secondary", empty_);
  empty_button_ = makeButton(empty_);
  box->addWidget(empty_title_, 0, Qt::AlignHCenter);
  box->addWidget(empty_text_, 0, Qt::AlignHCenter);
  box->addSpacing(8);
  box->addWidget(empty_button_, 0, Qt::AlignHCenter);
  box->addStretch(2);
  connect(empty_button_, &QPushButton::clicked, this, [this] { Q_EMIT navigate(QStringLiteral("home"), {}); });
  return empty_;
}

void RunsPage::retranslate() {
  title_->setText(tr("Runs"));
  hint_->setText(tr("Check runs to lay their curves over one another. A double click opens one."));
  filter_->setPlaceholderText(tr("Filter"));
  empty_title_->setText(tr("Nothing trained yet"));
  empty_text_->setText(tr("Every training you start appears here, with its curves and results."));
  empty_button_->setText(tr("Go to Home"));
  chart_->setTitles({tr("Loss"), tr("Main metric")});
  placeState();
}

void RunsPage::placeTokens() {
  delegate_->setTokens(context_.theme->tokens());
  chart_->setTokens(context_.theme->tokens());
  table_->viewport()->update();
  drawOverlay();
}

void RunsPage::placeState() {
  const bool any = context_.runs->rowCount() > 0;
  empty_->setVisible(!any && context_.runs->loaded());
  table_card_->setVisible(any);
  filter_->setVisible(any);
  hint_->setVisible(any);
  chart_->setVisible(any && !shown_.empty());
}

void RunsPage::shown() { context_.runs->refresh(); }

void RunsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  if (!watching_) context_.runs->setActive(true);
  watching_ = true;
  follow();
}

void RunsPage::hideEvent(QHideEvent* event) {
  Page::hideEvent(event);
  if (watching_) context_.runs->setActive(false);
  watching_ = false;
  shown_.clear();
}

bool RunsPage::settled() const {
  return context_.runs->loaded() && std::all_of(shown_.begin(), shown_.end(), [](const auto& run) { return run->follower.caughtUp(); });
}

void RunsPage::follow() {
  if (!isVisible()) return;
  QStringList wanted = context_.runs->checkedRuns();
  while (wanted.size() > kCurves) wanted.removeLast();
  std::erase_if(shown_, [&](const auto& run) { return !wanted.contains(run->dir); });
  for (const QString& dir : wanted) {
    if (std::any_of(shown_.begin(), shown_.end(), [&](const auto& run) { return run->dir == dir; })) continue;
    auto run = std::make_unique<Shown>();
    run->dir = dir;
    const auto& summary = context_.runs->at(context_.runs->rowOf(dir));
    run->name = QString::fromStdString(summary.name.empty() ? summary.id : summary.name);
    if (!summary.metric.empty()) run->series.metric_name = summary.metric;
    // A colour stays with its run while others come and go.
    while (std::any_of(shown_.begin(), shown_.end(), [&](const auto& other) { return other->color == run->color; })) ++run->color;
    Shown* one = run.get();
    connect(&run->follower, &RunFollower::restarted, this, [one] { one->series.clear(); });
    connect(&run->follower, &RunFollower::appended, this, [this, one](const std::vector<runs::Event>& events) {
      one->series.add(events);
      if (!draw_timer_.isActive()) draw_timer_.start(kDraw_ms);
    });
    shown_.push_back(std::move(run));
    one->follower.open(dir);
  }
  placeState();
  drawOverlay();
}

QString RunsPage::labelOf(const Shown& run) const {
  const auto same = std::count_if(shown_.begin(), shown_.end(), [&](const auto& other) { return other->name == run.name; });
  return same > 1 ? run.dir.section(QLatin1Char('/'), -1) : run.name;
}

void RunsPage::drawOverlay() {
  LineChart* chart = chart_->current();
  const bool metric = chart_->currentIndex() == 1;
  QStringList names;
  QHash<QString, QColor> swatches;
  const auto& colors = context_.theme->tokens().series;
  double half_life = 0;
  for (const auto& run : shown_) {
    names << labelOf(*run);
    swatches.insert(run->dir, colors.value(run->color % std::max<qsizetype>(1, colors.size())));
    half_life = std::max(half_life, run->series.halfLife());
  }
  for (const QString& old : chart->seriesNames()) {
    if (!names.contains(old)) chart->removeSeries(old);
  }
  const bool percent = metric && std::all_of(shown_.begin(), shown_.end(), [](const auto& run) { return run->series.metric_name == "accuracy"; });
  chart->setUnits(AxisUnit::Updates, percent ? AxisUnit::Percent : AxisUnit::Number);
  chart->setHalfLife(metric ? 0 : half_life);
  for (size_t i = 0; i < shown_.size(); ++i) {
    const auto& curve = metric ? shown_[i]->series.metric : shown_[i]->series.loss;
    chart->setSeries(names[static_cast<int>(i)], curve.step, curve.value, metric ? SeriesKind::Validation : SeriesKind::Compared, shown_[i]->color);
  }
  chart->refresh();
  delegate_->setSwatches(swatches);
  table_->viewport()->update();
}

void RunsPage::highlight(const QModelIndex& proxy_index) {
  const QString dir = proxy_index.data(RunsModel::DirRole).toString();
  const auto it = std::find_if(shown_.begin(), shown_.end(), [&](const auto& run) { return run->dir == dir; });
  for (int i = 0; i < 2; ++i) chart_->chart(i)->setHighlighted(it == shown_.end() ? QString() : labelOf(**it));
}

void RunsPage::openRow(const QModelIndex& proxy_index) {
  const QString dir = proxy_index.data(RunsModel::DirRole).toString();
  if (!dir.isEmpty()) Q_EMIT navigate(QStringLiteral("run"), dir);
}

bool RunsPage::eventFilter(QObject* object, QEvent* event) {
  if (object == table_->viewport() && event->type() == QEvent::Leave) highlight({});
  if (object == table_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      openRow(table_->currentIndex());
      return true;
    }
  }
  return Page::eventFilter(object, event);
}

LineChart* RunsPage::overlay(int chart) const { return chart_->chart(chart); }

QStringList RunsPage::overlaid() const {
  QStringList dirs;
  for (const auto& run : shown_) dirs << run->dir;
  return dirs;
}

}  // namespace trainyard::ui
