#include "ui/pages/data/picture_grid.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/icons/icons.h"
#include "ui/pictures/picture_delegate.h"

namespace trainyard::ui {
namespace {

constexpr int kGap = 8;
constexpr int kControlHeight = 28;
constexpr int kClassWidth = 150;
constexpr int kWhatWidth = 210;
constexpr int kLetters = 14;  // of the list of parts and findings
constexpr int kWide = 640;    // pixels: room for the words beside the switch

// Beside the codes of findings.
const QString kEverything, kTraining = "part:train", kValidation = "part:validation", kSetAside = "part:test", kWorthALook = "look";

data::Part partOf(const QString& what) {
  return what == kTraining ? data::Part::Train : what == kValidation ? data::Part::Validation : what == kSetAside ? data::Part::Test : data::Part::Unassigned;
}

}  // namespace

PictureGrid::PictureGrid(QWidget* parent) : Card(parent) {
  body()->addLayout(makeFilters());
  body()->addWidget(makeBanner());
  model_ = new PictureModel(this);
  view_ = new QListView(this);
  view_->setModel(model_);
  view_->setItemDelegate(new PictureDelegate(view_));
  view_->setViewMode(QListView::IconMode);
  view_->setResizeMode(QListView::Adjust);
  view_->setMovement(QListView::Static);
  view_->setLayoutMode(QListView::Batched);
  view_->setUniformItemSizes(true);
  view_->setSpacing(kGap);
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setMouseTracking(true);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->installEventFilter(this);
  body()->addWidget(view_, 1);
  connect(class_, &QComboBox::currentIndexChanged, this, &PictureGrid::filter);
  connect(what_, &QComboBox::currentIndexChanged, this, &PictureGrid::filter);
  connect(name_, &QLineEdit::textChanged, this, &PictureGrid::filter);
  connect(network_, &QToolButton::toggled, this, &PictureGrid::networkToggled);
  connect(view_, &QListView::clicked, this, [this](const QModelIndex& index) {
    if (QApplication::keyboardModifiers() == Qt::NoModifier) Q_EMIT opened(index.row());
  });
  connect(view_, &QListView::customContextMenuRequested, this, &PictureGrid::menu);
  connect(model_, &PictureModel::filtered, this, [this] {
    if (restore_scroll_ >= 0) {
      view_->doItemsLayout();
      view_->verticalScrollBar()->setValue(restore_scroll_);
      restore_scroll_ = -1;
    } else if (finding() != nullptr && model_->rowCount() > 0) {
      view_->setCurrentIndex(model_->index(0));
    }
  });
}

QLayout* PictureGrid::makeFilters() {
  auto* filters = new QHBoxLayout;
  filters->setSpacing(8);
  class_ = new QComboBox(this);
  class_->setMaximumWidth(kClassWidth);
  class_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  what_ = new QComboBox(this);
  what_->setMinimumContentsLength(kLetters);
  what_->setMaximumWidth(kWhatWidth);
  what_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  what_->view()->setMinimumWidth(kWhatWidth + 80);
  name_ = new QLineEdit(this);
  name_->setClearButtonEnabled(true);
  network_ = new QToolButton(this);
  network_->setProperty("segment", "only");
  network_->setCheckable(true);
  network_->setFixedHeight(kControlHeight);
  network_->setIcon(icon("input"));
  network_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  filters->addWidget(class_);
  filters->addWidget(what_);
  filters->addWidget(name_, 1);
  filters->addWidget(network_);
  return filters;
}

QWidget* PictureGrid::makeBanner() {
  banner_ = new QFrame(this);
  banner_->setProperty("verdict", "caution");
  auto* row = new QHBoxLayout(banner_);
  row->setContentsMargins(12, 6, 8, 6);
  row->setSpacing(8);
  banner_text_ = makeLabel("strong", banner_, true);
  leave_ = makeButton(banner_);
  all_ = makeButton(banner_);
  row->addWidget(banner_text_, 1);
  row->addWidget(leave_);
  row->addWidget(all_);
  banner_->hide();
  connect(leave_, &QPushButton::clicked, this, [this] {
    if (const FindingGroup* group = finding()) Q_EMIT leaveOutRequested(group->spare.isEmpty() ? group->pictures : group->spare, {});
  });
  connect(all_, &QPushButton::clicked, this, [this] { showFinding({}); });
  return banner_;
}

void PictureGrid::setFacts(const std::shared_ptr<const DatasetScan::Facts>& facts, bool same_source) {
  if (facts == facts_) return;
  const QString class_name = same_source && class_->currentIndex() > 0 ? class_->currentText() : QString();
  facts_ = facts;
  {
    const QSignalBlocker quiet_class(class_), quiet_what(what_), quiet_name(name_);
    if (!same_source) {
      groups_.clear();
      name_->clear();
    }
    restore_scroll_ = same_source ? view_->verticalScrollBar()->value() : -1;
    class_->setCurrentIndex(0);
    retranslate();
    class_->setCurrentIndex(std::max(0, class_name.isEmpty() ? 0 : class_->findText(class_name)));
    if (!same_source) what_->setCurrentIndex(0);
  }
  model_->setScale(devicePixelRatioF());
  model_->setFacts(facts_);
  filter();
}

void PictureGrid::setFindings(const std::vector<FindingGroup>& groups) {
  const QString shown = what_->currentData().toString();
  groups_ = groups;
  fillWhat(shown);
  // A new report changes nothing for those who look at whole parts: their place stays.
  if (!shown.isEmpty() && !shown.startsWith("part:")) filter();
}

void PictureGrid::showClass(int label) { class_->setCurrentIndex(label + 1); }

void PictureGrid::showFinding(const QString& code) {
  {
    const QSignalBlocker quiet_class(class_), quiet_name(name_), quiet_what(what_);
    class_->setCurrentIndex(0);
    name_->clear();
    what_->setCurrentIndex(std::max(0, what_->findData(code)));
  }
  filter();
  view_->setFocus();
}

const FindingGroup* PictureGrid::finding() const {
  const QString code = what_->currentData().toString();
  const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) { return group.code == code && !group.pictures.isEmpty(); });
  return found == groups_.end() ? nullptr : &*found;
}

void PictureGrid::filter() {
  const QString what = what_->currentData().toString();
  PictureModel::Filter wanted{class_->currentIndex() - 1, partOf(what), name_->text().trimmed(), nullptr};
  const FindingGroup* group = finding();
  if (group != nullptr) {
    wanted.only = std::make_shared<const QStringList>(group->pictures);
  } else if (what == kWorthALook) {
    QStringList names;
    for (const FindingGroup& one : groups_) {
      if (one.severity != data::Severity::Note) names << one.pictures;
    }
    wanted.only = std::make_shared<const QStringList>(names);
  }
  banner_->setVisible(group != nullptr);
  if (group != nullptr) {
    setLook(banner_, "verdict", group->severity == data::Severity::Bad ? "bad" : group->severity == data::Severity::Caution ? "caution" : "good");
    banner_text_->setText(group->what);
    const int spare = int(group->spare.isEmpty() ? group->pictures.size() : group->spare.size());
    leave_->setText(group->spare.size() < group->pictures.size() && !group->spare.isEmpty() ? tr("Leave %Ln copy(ies) out", nullptr, spare)
                                                                                            : tr("Leave %Ln out", nullptr, spare));
    leave_->setVisible(group->severity != data::Severity::Note);
  }
  model_->setFilter(wanted);
}

void PictureGrid::setPreview(std::shared_ptr<const loader::Preview> preview, const QString& problem) {
  network_->setToolTip(problem.isEmpty() ? tr("Cut, turned and coloured as training gets them in its first epoch.") : problem);
  setLook(network_, "invalid", !problem.isEmpty());
  model_->setPreview(std::move(preview));
}

QStringList PictureGrid::selected() const {
  QStringList names;
  for (const QModelIndex& index : view_->selectionModel()->selectedIndexes()) names << index.data(PictureModel::NameRole).toString();
  return names;
}

bool PictureGrid::eventFilter(QObject* object, QEvent* event) {
  if (object == view_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Space) && view_->currentIndex().isValid()) {
      Q_EMIT opened(view_->currentIndex().row());
      return true;
    }
    if (key->key() == Qt::Key_Delete && !selected().isEmpty()) {
      Q_EMIT leaveOutRequested(selected(), {});
      return true;
    }
  }
  return Card::eventFilter(object, event);
}

void PictureGrid::menu(const QPoint& at) {
  const QModelIndex index = view_->indexAt(at);
  if (!index.isValid()) return;
  QMenu menu(this);
  menu.addAction(tr("Look at it"), this, [this, row = index.row()] { Q_EMIT opened(row); });
  const QStringList names = selected();
  menu.addAction(names.size() == 1 ? tr("Leave out") : tr("Leave %Ln out", nullptr, int(names.size())), this,
                 [this, names] { Q_EMIT leaveOutRequested(names, {}); })
      ->setEnabled(!names.isEmpty());
  const QString of_class = index.data(PictureModel::ClassRole).toString();
  if (!of_class.isEmpty() && facts_->dataset->task() == data::Task::Classes)
    menu.addAction(tr("Leave the class “%1” out").arg(of_class), this, [this, of_class] { Q_EMIT leaveOutRequested({}, {of_class}); });
  menu.exec(view_->viewport()->mapToGlobal(at));
}

void PictureGrid::fillWhat(const QString& current) {
  const QSignalBlocker quiet(what_);
  what_->clear();
  const bool set_aside = facts_ && !facts_->parts.test.empty();
  what_->addItem(tr("All parts"), kEverything);
  what_->addItem(tr("Training"), kTraining);
  what_->addItem(tr("Validation"), kValidation);
  if (set_aside) what_->addItem(tr("Set aside"), kSetAside);
  bool line = false, worth = false;
  for (const FindingGroup& group : groups_) worth |= group.severity != data::Severity::Note && !group.pictures.isEmpty();
  for (const FindingGroup& group : groups_) {
    if (group.pictures.isEmpty()) continue;
    if (!line) what_->insertSeparator(what_->count());
    if (!line && worth) what_->addItem(tr("Worth a look"), kWorthALook);
    line = true;
    what_->addItem(group.what, group.code);
  }
  what_->setCurrentIndex(std::max(0, what_->findData(current)));
}

void PictureGrid::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  network_->setToolButtonStyle(width() >= kWide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

void PictureGrid::retranslate() {
  const QSignalBlocker quiet_class(class_);
  const int current = std::max(class_->currentIndex(), 0);
  class_->clear();
  class_->addItem(tr("All classes"));
  if (facts_) {
    for (const auto& name : facts_->dataset->classes()) class_->addItem(QString::fromStdString(name));
  }
  class_->setCurrentIndex(std::min(current, class_->count() - 1));
  fillWhat(what_->currentData().toString());
  name_->setPlaceholderText(tr("Find a file name…"));
  network_->setText(tr("As the network sees them"));
  network_->setAccessibleName(network_->text());
  all_->setText(tr("Show all"));
}

}  // namespace trainyard::ui
