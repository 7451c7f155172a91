#include "ui/pages/input/step_list.h"

#include <QPainter>
#include <QPushButton>
#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "ui/icons/icons.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kGap = 4;

}  // namespace

StepList::StepList(RecipeDocument* recipe, QWidget* parent) : QWidget(parent), recipe_(recipe) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  rows_layout_ = new QVBoxLayout;
  rows_layout_->setSpacing(kGap);
  rows_layout_->setContentsMargins(0, kGap, 0, kGap);
  column->addLayout(rows_layout_);
  add_ = makeButton(this);
  add_->setIcon(icon("plus"));
  menu_ = new QMenu(add_);
  add_->setMenu(menu_);
  connect(menu_, &QMenu::aboutToShow, this, &StepList::fillMenu);
  column->addWidget(add_, 0, Qt::AlignLeft);
  retranslate();
}

void StepList::setChain(const QString& chain) {
  if (chain_ == chain && fixed_.is_null()) return;
  chain_ = chain;
  fixed_ = nullptr;
  rebuild({});
  refresh();
}

void StepList::setFixed(const Json& steps) {
  if (fixed_ == steps) return;
  fixed_ = steps;
  rebuild({});
  refresh();
}

StepRow* StepList::makeRow() {
  auto* row = new StepRow(!fixed_.is_null(), this);
  connect(row, &StepRow::selected, this, &StepList::select);
  connect(row, &StepRow::toggled, this, [this](const QString& path, bool on) { switchStep(*recipe_, path, on); });
  connect(row, &StepRow::removeRequested, this, [this](const QString& path) {
    const int place = placeOf(path);
    const QString list = listOf(path);
    removeStep(*recipe_, path);
    put(pathIn(list, std::max(0, place - (rowOf(path) == nullptr ? 1 : 0))));
  });
  connect(row, &StepRow::moveRequested, this, [this](const QString& path, int by) {
    const QString now = moveStep(*recipe_, path, placeOf(path) + by);
    if (!now.isEmpty()) put(now);
  });
  connect(row, &StepRow::selectionMoved, this, &StepList::moveSelection);
  connect(row, &StepRow::dragged, this, &StepList::drag);
  return row;
}

void StepList::rebuild(const std::vector<Step>& steps) {
  clearLayout(rows_layout_);
  rows_.clear();
  for (size_t i = 0; i < steps.size(); ++i) {
    rows_.push_back(makeRow());
    rows_layout_->addWidget(rows_.back());
  }
}

void StepList::refresh() {
  const auto steps = fixed_.is_null() ? stepsOf(recipe_->document(), chain_) : stepsOf(Json{{"fixed", fixed_}}, "fixed");
  // Rows are kept where they can be: one of them may be what is being clicked, or have the focus.
  while (rows_.size() > steps.size()) {
    rows_.back()->hide();
    rows_.back()->deleteLater();
    rows_layout_->removeWidget(rows_.back());
    rows_.pop_back();
  }
  while (rows_.size() < steps.size()) {
    rows_.push_back(makeRow());
    rows_layout_->addWidget(rows_.back());
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    rows_[i]->setStep(steps[i]);
    const auto fault = faults_.find(steps[i].path);
    rows_[i]->setFault(fault == faults_.end() ? QString() : fault->second);
  }
  add_->setVisible(fixed_.is_null());
  const bool gone = !fixed_.is_null() || rowOf(selected_) == nullptr;
  select(gone ? (rows_.empty() || !fixed_.is_null() ? QString() : rows_.front()->step().path) : selected_);
}

void StepList::setFaults(const std::map<QString, QString>& faults) {
  if (faults_ == faults) return;
  faults_ = faults;
  refresh();
}

StepRow* StepList::rowOf(const QString& path) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const StepRow* row) { return row->step().path == path; });
  return found == rows_.end() ? nullptr : *found;
}

void StepList::select(const QString& path) {
  const bool other = selected_ != path;
  selected_ = path;
  for (StepRow* row : rows_) row->setSelected(row->step().path == path);
  if (other) Q_EMIT selectionChanged(path);
}

void StepList::put(const QString& path) {
  StepRow* row = rowOf(path);
  if (row == nullptr) return;
  select(path);
  row->setFocus(Qt::OtherFocusReason);
}

void StepList::moveSelection(int by) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i]->step().path != selected_) continue;
    const auto to = std::clamp<std::ptrdiff_t>(std::ptrdiff_t(i) + by, 0, std::ptrdiff_t(rows_.size()) - 1);
    return put(rows_[size_t(to)]->step().path);
  }
}

// The place within the step's own list that the pointer is nearest to.
void StepList::drag(const QString& path, int y, bool ended) {
  const QString list = listOf(path);
  int place = 0, line = -1, bottom = 0;
  for (const StepRow* row : rows_) {
    const bool sibling = listOf(row->step().path) == list;
    const bool below = row->step().path.startsWith(list + "[");
    if (sibling) {
      const bool before = y < row->y() + row->height() / 2;
      if (before && line < 0) line = row->y() - kGap / 2 - 1;
      if (!before) ++place;
    }
    if (sibling || below) bottom = row->y() + row->height();
  }
  drop_y_ = ended ? -1 : line < 0 ? bottom + 1 : line;
  update();
  if (!ended) return;
  const int from = placeOf(path);
  const QString now = moveStep(*recipe_, path, place > from ? place - 1 : place);
  if (!now.isEmpty()) put(now);
}

void StepList::paintEvent(QPaintEvent*) {
  if (drop_y_ < 0) return;
  QPainter painter(this);
  painter.fillRect(QRect(0, std::max(0, drop_y_), width(), 2), palette().color(QPalette::Link));
}

void StepList::fillMenu() {
  menu_->clear();
  const auto fill = [this](QMenu* menu, const QString& list, bool inside) {
    for (const StepGroup& group : stepGroups(inside)) {
      QMenu* below = menu->addMenu(group.title);
      for (const auto& op : group.ops) {
        const auto* entry = catalogue::find(catalogue::augmentations(), op);
        QAction* action = below->addAction(catalogueText(entry->title), this, [this, list, op] { put(addStep(*recipe_, list, newStep(op, new_size_))); });
        action->setToolTip(catalogueText(entry->help));
        action->setObjectName(list + "/" + QString::fromStdString(op));
      }
      below->setToolTipsVisible(true);
    }
  };
  fill(menu_, chain_, false);
  const StepRow* row = rowOf(selected_);
  if (row == nullptr || !row->step().container) return;
  menu_->addSeparator();
  fill(menu_->addMenu(tr("Inside “%1”").arg(row->step().title)), row->step().path + ".transforms", true);
}

void StepList::retranslate() {
  add_->setText(tr("Add a step"));
  for (StepRow* row : rows_) row->retranslate();
  refresh();
}

}  // namespace trainyard::ui
