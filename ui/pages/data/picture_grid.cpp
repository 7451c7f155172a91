#include "ui/pages/data/picture_grid.h"

#include <QSignalBlocker>
#include <algorithm>

#include "ui/pictures/picture_delegate.h"

namespace trainyard::ui {
namespace {

constexpr int kGap = 8;
constexpr int kClassWidth = 160;

}  // namespace

PictureGrid::PictureGrid(QWidget* parent) : Card(parent) {
  auto* filters = new QHBoxLayout;
  filters->setSpacing(8);
  class_ = new QComboBox(this);
  class_->setMaximumWidth(kClassWidth);
  class_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  part_ = new QComboBox(this);
  part_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (int i = 0; i < 3; ++i) part_->addItem({});
  name_ = new QLineEdit(this);
  name_->setClearButtonEnabled(true);
  filters->addWidget(class_);
  filters->addWidget(part_);
  filters->addWidget(name_, 1);
  body()->addLayout(filters);

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
  view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setMouseTracking(true);
  body()->addWidget(view_, 1);
  connect(class_, &QComboBox::currentIndexChanged, this, &PictureGrid::filter);
  connect(part_, &QComboBox::currentIndexChanged, this, &PictureGrid::filter);
  connect(name_, &QLineEdit::textChanged, this, &PictureGrid::filter);
}

void PictureGrid::setFacts(const std::shared_ptr<const DatasetScan::Facts>& facts) {
  if (facts == facts_) return;
  facts_ = facts;
  {
    const QSignalBlocker quiet_class(class_), quiet_part(part_), quiet_name(name_);
    class_->setCurrentIndex(0);
    part_->setCurrentIndex(0);
    name_->clear();
  }
  model_->setScale(devicePixelRatioF());
  retranslate();
  model_->setFilter({});
  model_->setFacts(facts_);
}

void PictureGrid::showClass(int label) { class_->setCurrentIndex(label + 1); }

void PictureGrid::filter() {
  constexpr data::Part kParts[] = {data::Part::Unassigned, data::Part::Train, data::Part::Validation};
  model_->setFilter({class_->currentIndex() - 1, kParts[std::max(part_->currentIndex(), 0)], name_->text().trimmed()});
}

void PictureGrid::retranslate() {
  const QSignalBlocker quiet_class(class_), quiet_part(part_);
  const int current = std::max(class_->currentIndex(), 0);
  class_->clear();
  class_->addItem(tr("All classes"));
  if (facts_) {
    for (const auto& name : facts_->dataset->classes()) class_->addItem(QString::fromStdString(name));
  }
  class_->setCurrentIndex(std::min(current, class_->count() - 1));
  const QStringList parts = {tr("Training and validation"), tr("Training"), tr("Validation")};
  for (int i = 0; i < parts.size(); ++i) part_->setItemText(i, parts[i]);
  name_->setPlaceholderText(tr("Find a file name…"));
}

}  // namespace trainyard::ui
