// The rows of the Home page's lists.
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>
#include <QUrl>
#include <algorithm>
#include <cmath>

#include "core/catalogue/catalogue.h"
#include "ui/icons/icons.h"
#include "ui/models/run_text.h"
#include "ui/models/runs_model.h"
#include "ui/pages/home/home_page.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kNameWidth = 220;
constexpr int kBarSteps = 1000;
constexpr size_t kRunsShown = 3;

QHBoxLayout* rowOf(QWidget* widget) {
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  return row;
}

QString dirOf(const runs::RunSummary& run) { return QString::fromStdString(displayPath(run.dir)); }

QString archTitle(const QString& id) {
  const auto* entry = catalogue::find(catalogue::architectures(), id.toStdString());
  return entry != nullptr ? catalogueText(entry->title) : id;
}

}  // namespace

QWidget* HomePage::liveRow(const runs::RunSummary& run) {
  auto* widget = new QWidget(live_);
  auto* row = rowOf(widget);
  auto* name = makeLabel("strong", widget);
  name->setText(QString::fromStdString(run.name));
  name->setMinimumWidth(kNameWidth);
  auto* bar = new QProgressBar(widget);
  bar->setTextVisible(false);
  bar->setRange(0, kBarSteps);
  bar->setValue(run.steps_total > 0 ? int(kBarSteps * double(run.step) / double(run.steps_total)) : 0);
  auto* figures = makeLabel("secondary", widget);
  QStringList parts = {RunsModel::stateText(run.seen)};
  if (run.epochs > 0) parts << tr("epoch %1 of %2").arg(std::min(run.epoch + 1, run.epochs)).arg(run.epochs);
  if (!std::isnan(run.best)) parts << tr("best %1").arg(metricText(run.metric, run.best));
  figures->setText(parts.join(" · "));
  auto* show = makeButton(widget);
  show->setText(tr("Show"));
  connect(show, &QPushButton::clicked, this, [this, dir = dirOf(run)] { Q_EMIT navigate("run", dir); });
  row->addWidget(name);
  row->addWidget(bar, 1);
  row->addWidget(figures);
  row->addWidget(show);
  return widget;
}

QWidget* HomePage::recipeRow(const RecipeEntry& entry) {
  auto* widget = new QWidget(recipes_);
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  auto* top = new QHBoxLayout;
  top->setSpacing(12);
  auto* name = makeLabel("strong", widget);
  name->setText(entry.name);
  top->addWidget(name);
  auto* about = makeLabel("secondary", widget);
  about->setText(describe(entry));
  about->setToolTip(entry.data);
  top->addWidget(about, 1);
  if (entry.missing_data) {
    auto* missing = makeLabel("error", widget);
    missing->setText(tr("its pictures are not there"));
    missing->setToolTip(entry.data);
    top->addWidget(missing);
  }
  if (!entry.file.isEmpty()) {
    auto* open = makeButton(widget);
    open->setText(entry.missing_data ? tr("Locate…") : entry.file == context_.recipe->file() ? tr("Continue") : tr("Open"));
    open->setAccessibleName(open->text() + " " + entry.name);
    connect(open, &QPushButton::clicked, this, [this, file = entry.file] { openRecipe(file); });
    top->addWidget(open);
    auto* more = new QToolButton(widget);
    more->setIcon(icon("more"));
    more->setToolTip(tr("More"));
    more->setAccessibleName(tr("More") + " " + entry.name);
    connect(more, &QToolButton::clicked, this, [this, more, file = entry.file] { showRecipeMenu(file, more->mapToGlobal(QPoint(0, more->height()))); });
    top->addWidget(more);
  }
  column->addLayout(top);
  for (size_t i = 0; i < entry.runs.size() && i < kRunsShown; ++i) column->addWidget(runRow(entry.runs[i]));
  if (entry.runs.size() > kRunsShown) {
    auto* more = makeLink(widget);
    more->setText(tr("All %n runs", nullptr, int(entry.runs.size())));
    connect(more, &QPushButton::clicked, this, [this] { Q_EMIT navigate("runs", {}); });
    column->addWidget(more, 0, Qt::AlignLeft);
  }
  return widget;
}

QWidget* HomePage::runRow(const runs::RunSummary& run) {
  auto* widget = new QWidget(recipes_);
  auto* row = rowOf(widget);
  auto* link = makeLink(widget);
  link->setText(clockText(run.started));
  link->setMinimumWidth(kNameWidth / 2);
  link->setAccessibleName(QString::fromStdString(run.id));
  connect(link, &QPushButton::clicked, this, [this, dir = dirOf(run)] { Q_EMIT navigate("run", dir); });
  auto* figures = makeLabel("secondary", widget);
  QStringList parts = {RunsModel::stateText(run.seen)};
  if (!std::isnan(run.best)) parts << metricName(run.metric) + " " + metricText(run.metric, run.best);
  if (run.seconds > 0) parts << durationText(run.seconds);
  figures->setText(parts.join(" · "));
  const auto state = run.seen.state.state;
  if (state == runs::State::Failed) setLook(figures, "tone", "bad");
  row->addWidget(link);
  row->addWidget(figures, 1);
  return widget;
}

void HomePage::showRecipeMenu(const QString& file, const QPoint& where) {
  QMenu menu(this);
  const bool saved = QFileInfo::exists(file);
  menu.addAction(tr("Duplicate"), this, [this, file] { duplicate(file); })->setEnabled(saved);
  menu.addAction(tr("Open folder"), this, [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).path())); });
  menu.addSeparator();
  menu.addAction(tr("Move to the bin"), this, [this, file] { remove(file); })->setEnabled(saved && file != context_.recipe->file());
  menu.exec(where);
}

void HomePage::duplicate(const QString& file) {
  context_.recipe->flush();
  RecipeDocument copy;
  const auto opened = copy.open(file);
  if (!opened) return Q_EMIT navigate("error", QString::fromStdString(toText(opened.error())));
  context_.recipe->startDraft(copy.given());
  Q_EMIT navigate("train", {});
}

void HomePage::remove(const QString& file) {
  if (!QFile::moveToTrash(file)) Q_EMIT navigate("error", tr("%1 could not be moved to the bin.").arg(file));
  shown_state_.clear();
  refresh();
}

QString HomePage::describe(const RecipeEntry& entry) const {
  QStringList parts;
  if (!entry.arch.isEmpty()) parts << archTitle(entry.arch);
  parts << (entry.runs.empty() ? tr("not trained yet") : tr("%n run(s)", nullptr, int(entry.runs.size())));
  if (!std::isnan(entry.best)) parts << tr("best %1").arg(metricText(entry.metric, entry.best));
  return parts.join(" · ");
}

}  // namespace trainyard::ui
