#include "ui/main_window.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>
#include <cmath>
#include <memory>

#include "core/data/dataset.h"
#include "ui/engine_link/engine_link.h"
#include "ui/icons/icons.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/make_page.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/train/presets.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"
#include "ui/settings.h"
#include "ui/shell/rail.h"
#include "ui/shell/top_bar.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

QString localPath(const QMimeData* data) {
  const auto urls = data->urls();
  return urls.size() == 1 && urls[0].isLocalFile() ? urls[0].toLocalFile() : QString();
}

QString describe(const Error& error) {
  QString text = QString::fromStdString(error.what);
  if (!error.where.empty()) text = QString::fromStdString(error.where) + ": " + text;
  if (!error.hint.empty()) text += ". " + QString::fromStdString(error.hint);
  return text;
}

// Tables, archives and text; folders are told apart by what is in them.
bool isDataFile(const QString& path) {
  for (const auto* ending : {".csv", ".tsv", ".zip", ".tar", ".tar.gz", ".tgz", ".tfrecord", ".tfrecords", ".txt"}) {
    if (path.endsWith(QLatin1String(ending), Qt::CaseInsensitive)) return true;
  }
  return false;
}

bool canTake(const QString& path) { return !path.isEmpty() && (QFileInfo(path).isDir() || path.endsWith(".toml") || isDataFile(path)); }

}  // namespace

MainWindow::MainWindow(Context& context, QWidget* parent) : QWidget(parent), context_(context) {
  setAcceptDrops(true);
  setMinimumSize(960, 600);
  resize(1280, 800);
  setWindowIcon(QIcon(":/icons/trainyard.svg"));
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  top_ = new TopBar(context_, this);
  notice_ = new NoticeBar(this);
  rail_ = new Rail(this);
  stack_ = new QStackedWidget(this);
  auto* below = new QHBoxLayout;
  below->setSpacing(0);
  auto* right = new QVBoxLayout;
  right->setSpacing(0);
  right->addWidget(notice_);
  right->addWidget(stack_, 1);
  below->addWidget(rail_);
  below->addLayout(right, 1);
  all->addWidget(top_);
  all->addLayout(below, 1);
  connect(rail_, &Rail::chosen, this, [this](const QString& page) { open(page); });
  connect(top_, &TopBar::startRequested, this, &MainWindow::start);
  connect(top_, &TopBar::problemClicked, this, &MainWindow::showProblem);
  connect(top_, &TopBar::runRequested, this, [this](const QString& dir) { open("run", dir); });
  connect(context_.recipe, &RecipeDocument::saveFailed, this, &MainWindow::tell);
  connect(context_.recipe, &RecipeDocument::loaded, this, &MainWindow::retitle);
  connect(context_.engine, &EngineLink::startFailed, this, [this](const Error& error, const QString& dir) {
    tell(error);
    // Nothing will ever come to the page that waits for it.
    const auto* run = qobject_cast<RunPage*>(current());
    if (run != nullptr && run->runDir() == dir && !QFileInfo::exists(dir)) open("train");
  });
  addShortcuts();
  retitle();
}

void MainWindow::addShortcuts() {
  const auto on = [this](const QKeySequence& keys, auto act) {
    auto* shortcut = new QShortcut(keys, this);
    connect(shortcut, &QShortcut::activated, this, act);
  };
  on(QKeySequence(Qt::CTRL | Qt::Key_Enter), [this] { start(); });
  on(QKeySequence(Qt::CTRL | Qt::Key_Z), [this] { context_.recipe->undo(); });
  on(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), [this] { context_.recipe->redo(); });
  on(QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::retitle() {
  const QString name = context_.recipe->name();
  const auto* run = qobject_cast<RunPage*>(pages_.value("run"));
  const double progress = run != nullptr ? run->progress() : std::nan("");
  const QString title = name.isEmpty() ? tr("Trainyard") : tr("%1 – Trainyard").arg(name);
  setWindowTitle(std::isnan(progress) ? title : tr("%1 % · %2").arg(int(progress * 100)).arg(title));
}

bool MainWindow::open(const QString& id, const QVariant& argument) {
  Page* page = pages_.value(id);
  if (page == nullptr) {
    page = makePage(id, context_, stack_);
    if (page == nullptr) return false;
    pages_[id] = page;
    stack_->addWidget(page);
    connect(page, &Page::navigate, this, &MainWindow::go);
    if (auto* run = qobject_cast<RunPage*>(page)) connect(run, &RunPage::progressed, this, &MainWindow::retitle);
  }
  if (auto* run = qobject_cast<RunPage*>(page); run != nullptr && argument.isValid()) run->open(argument.toString());
  stack_->setCurrentWidget(page);
  rail_->setCurrent(id);
  page->setFocus();
  page->shown();
  return true;
}

// What pages ask for: another page, or one of a few deeds.
void MainWindow::go(const QString& where, const QVariant& argument) {
  if (where == "take") return take(argument.toString());
  if (where == "error") return notice_->tell("bad", argument.toString());
  if (where == "practise") return Q_EMIT practiceRequested();
  const bool own_pictures = where == "data" && currentId() == "run";
  open(where, argument);
  if (auto* data = qobject_cast<DataPage*>(current()); data != nullptr && own_pictures) data->invite();
}

Page* MainWindow::current() const { return qobject_cast<Page*>(stack_->currentWidget()); }

QString MainWindow::currentId() const { return current() != nullptr ? current()->id() : QString(); }

void MainWindow::showProblem() {
  const auto& problems = context_.recipe->problems();
  if (!problems.empty()) {
    const QString key = QString::fromStdString(problems.front().key);
    if (open(pageOf(key)) && !current()->reveal(key)) tellAbout(problems.front());
  } else if (context_.dataset->error()) {
    open("data");
  } else {
    open("train");
  }
}

// A wrong value that no page has a field for.
void MainWindow::tellAbout(const recipe::Problem& problem) {
  const QString key = QString::fromStdString(problem.key);
  const bool unknown = key.count('.') == 1 && !key.contains('[') && specAt(context_.recipe->document(), key) == nullptr;
  if (!unknown) return tell(problem.error);
  notice_->tell("bad", describe(problem.error), tr("Remove %1").arg(key), [this, key] { context_.recipe->reset(key); });
}

void MainWindow::start() {
  RecipeDocument& recipe = *context_.recipe;
  if (!recipe.problems().empty()) {
    const QString first = titleAt(recipe.document(), QString::fromStdString(recipe.problems().front().key));
    notice_->hide();
    showProblem();
    // What showProblem() had to say itself stays.
    if (notice_->isHidden()) notice_->tell("bad", tr("Not started: %n value(s) to fix, first “%1”.", nullptr, int(recipe.problems().size())).arg(first));
    return;
  }
  if (context_.dataset->state() == DatasetScan::State::Failed && context_.dataset->error()) {
    open("data");
    tell(*context_.dataset->error());
    return;
  }
  recipe.flush();
  const auto whole = recipe.whole();
  if (!whole) return tell(whole.error());
  const auto started = context_.engine->start(whole->document);
  if (!started) return tell(started.error());
  recipe.markStarted();
  notice_->hide();
  open("run", *started);
}

void MainWindow::tell(const Error& error) { notice_->tell("bad", describe(error)); }

void MainWindow::take(const QString& path) {
  if (path.endsWith(".toml")) {
    const auto opened = context_.recipe->open(path);
    if (!opened) return tell(opened.error());
    context_.settings->setLastRecipe(path);
    open("data");
    return;
  }
  if (!QFileInfo(path).isDir() && !(QFileInfo(path).isFile() && isDataFile(path))) {
    notice_->tell("bad", tr("%1 is not a folder of pictures, not a table, text or archive, and not a recipe.").arg(path));
    return;
  }
  const fs::path folder(path.toStdString());
  context_.recipe->startDraft(withPreset(recipe::draftFor(folder, data::guessFormat(folder)), Preset::Balanced));
  context_.settings->setLastRecipe(context_.recipe->file());
  open("data");
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QString path = localPath(event->mimeData());
  if (!canTake(path)) return;
  event->acceptProposedAction();
  const QString name = QFileInfo(path).fileName();
  notice_->tell("good",
                path.endsWith(".toml") ? tr("Drop it to open the recipe %1.").arg(name) : tr("Drop it to make a recipe for the pictures in %1.").arg(name));
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { notice_->hide(); }

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  notice_->hide();
  take(localPath(event->mimeData()));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  context_.settings->setGeometry(saveGeometry());
  context_.recipe->flush();
  const QStringList live = closing_ ? QStringList() : context_.engine->liveRuns();
  if (live.isEmpty()) return event->accept();
  event->ignore();
  askBeforeClosing(live);
}

void MainWindow::askBeforeClosing(const QStringList& live) {
  auto* box = new QMessageBox(this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setIcon(QMessageBox::NoIcon);
  box->setWindowTitle(tr("Close"));
  const QString name = QFileInfo(live.front()).fileName();
  box->setText(live.size() == 1 ? tr("%1 keeps training.").arg(name) : tr("%n runs keep training.", nullptr, int(live.size())));
  box->setInformativeText(tr("Open the window again at any time to see how it goes."));
  QPushButton* close_button = box->addButton(tr("Close window"), QMessageBox::AcceptRole);
  QPushButton* stop = box->addButton(tr("Stop training"), QMessageBox::DestructiveRole);
  box->addButton(tr("Cancel"), QMessageBox::RejectRole);
  box->setDefaultButton(close_button);
  connect(close_button, &QPushButton::clicked, this, [this] {
    closing_ = true;
    close();
  });
  connect(stop, &QPushButton::clicked, this, [this, live] {
    closing_ = true;
    const auto left = std::make_shared<int>(int(live.size()));
    for (const QString& dir : live) {
      context_.engine->control(dir, {{"command", "stop"}}, this, [this, left](const Result<Json>&) {
        if (--*left == 0) close();
      });
    }
  });
  box->open();
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retitle();
  QWidget::changeEvent(event);
}

}  // namespace trainyard::ui
