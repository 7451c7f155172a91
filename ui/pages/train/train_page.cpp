#include "ui/pages/train/train_page.h"

#include <QGridLayout>
#include <QScrollArea>
#include <algorithm>
#include <limits>

#include "ui/pages/train/machines_card.h"
#include "ui/pages/train/parameter_groups.h"
#include "ui/pages/train/preset_bar.h"
#include "ui/pages/train/rate_card.h"
#include "ui/pages/train/step_count.h"
#include "ui/pages/train/where_card.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"
#include "ui/widgets/columns.h"

namespace trainyard::ui {
namespace {

constexpr int kRightWidth = 372;

int clamped(uint64_t count) { return int(std::min<uint64_t>(count, std::numeric_limits<int>::max())); }

}  // namespace

TrainPage::TrainPage(Context& context, QWidget* parent) : Page(context, parent) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  columns_ = new Columns(this, kRightWidth);
  all->addWidget(columns_);

  presets_ = new PresetBar(context_, columns_);
  columns_->left()->addWidget(presets_);
  addGroups();
  parameters_ = new ParameterGroups(context_, columns_);
  columns_->left()->addWidget(parameters_);

  rate_ = new RateCard(context_, columns_);
  columns_->right()->addWidget(rate_);
  numbers_ = new Card(columns_);
  auto* grid = new QGridLayout;
  grid->setColumnStretch(1, 1);
  grid->setVerticalSpacing(8);
  for (auto [name, value, row] : {std::tuple{&updates_name_, &updates_, 0}, {&epoch_name_, &epoch_, 1}, {&samples_name_, &samples_, 2}}) {
    *name = new QLabel(numbers_);
    *value = makeLabel("strong", numbers_);
    (*value)->setAlignment(Qt::AlignRight);
    grid->addWidget(*name, row, 0);
    grid->addWidget(*value, row, 1);
  }
  numbers_->body()->addLayout(grid);
  columns_->right()->addWidget(numbers_);
  columns_->finish();
  connect(context_.recipe, &RecipeDocument::changed, this, &TrainPage::countUp);
  connect(context_.dataset, &DatasetScan::changed, this, &TrainPage::countUp);
  TrainPage::retranslate();
}

void TrainPage::addGroups() {
  ParamForm* length = addGroup(QT_TR_NOOP("How long"));
  length->addKey("train.epochs");
  ParamForm* speed = addGroup(QT_TR_NOOP("How fast it learns"));
  speed->addChoice("optimizer");
  speed->addChoice("schedule");
  speed->addKey("schedule.warmup");
  speed->addKey("schedule.unit");
  ParamForm* precisely = addGroup(QT_TR_NOOP("How precisely"));
  precisely->addChoice("precision");
  precisely->addKey("train.batch_size");
  precisely->addKey("train.accumulate");
  precisely->addChoice("loss");
  for (const auto* key : {"train.label_smoothing", "train.sampling", "train.clip_norm", "train.clip_value", "train.ema_decay"}) precisely->addKey(key);
  ParamForm* stop = addGroup(QT_TR_NOOP("When it stops"));
  for (const auto* key : {"train.early_stop", "checkpoint.metric", "train.early_stop_min_delta", "train.nonfinite_patience"}) stop->addKey(key);
  where_ = new WhereCard(context_, columns_);
  machines_ = new MachinesCard(context_, columns_);
  for (Card* card : std::initializer_list<Card*>{where_, machines_}) columns_->left()->addWidget(card);
  ParamForm* kept = addGroup(QT_TR_NOOP("Name and checkpoints"));
  for (const auto* key : {"run.name", "run.seed", "checkpoint.every_epochs", "checkpoint.keep", "train.log_every"}) kept->addKey(key);
  for (const Group& group : groups_) group.form->build();
}

ParamForm* TrainPage::addGroup(const char* title) {
  auto* card = new Card(columns_);
  auto* form = new ParamForm(context_.recipe, card);
  card->body()->addWidget(form);
  columns_->left()->addWidget(card);
  groups_.push_back({card, form, title});
  return form;
}

// "256 = 2 devices × 128", where the devices share each batch evenly.
QString TrainPage::shares() const {
  const RecipeDocument& recipe = *context_.recipe;
  const Json devices = recipe.value("parallel.devices"), batch = recipe.value("train.batch_size"), strategy = recipe.value("parallel.strategy");
  if (strategy != Json("data") && strategy != Json("sharded")) return {};
  if (!devices.is_array() || devices.size() < 2 || !batch.is_number_integer()) return {};
  const auto count = int64_t(devices.size()), whole = batch.get<int64_t>();
  if (whole <= 0 || whole % count != 0) return {};
  return tr("%1 = %2 devices × %3").arg(formatNumber(whole), formatNumber(count), formatNumber(whole / count));
}

void TrainPage::countUp() {
  const StepCount count = countSteps(context_);
  const bool known = count.known();
  const QString unknown = context_.dataset->busy() ? tr("reading the data") : QStringLiteral("–");
  updates_->setText(known ? formatNumber(qlonglong(count.total)) : unknown);
  epoch_->setText(known ? formatNumber(qlonglong(count.per_epoch)) : unknown);
  samples_->setText(count.training > 0 ? tr("%1 / %2").arg(formatNumber(qlonglong(count.training)), formatNumber(qlonglong(count.validation))) : unknown);
  // With one rate throughout and no warm-up there is nothing to count.
  const bool nothing_to_count = context_.recipe->value("schedule.type") == Json("constant") && context_.recipe->value("schedule.warmup") == Json(0);
  groups_[1].form->setHidden("schedule.unit", nothing_to_count);
  ParamForm* length = groups_[0].form;
  length->setNote("train.epochs", known ? tr("%Ln update(s) in all", nullptr, clamped(count.total)) : QString());
  QStringList batch;
  if (known) batch << tr("%Ln update(s) per epoch", nullptr, clamped(count.per_epoch));
  if (!shares().isEmpty()) batch << shares();
  groups_[2].form->setNote("train.batch_size", batch.join(QStringLiteral(" · ")));
}

bool TrainPage::reveal(const QString& key) {
  if (parameters_->reveal(key)) {
    columns_->ensureWidgetVisible(parameters_);
    return true;
  }
  if (where_->reveal(key)) {
    QWidget* field = where_->focusWidget();
    columns_->ensureWidgetVisible(field != nullptr ? field : where_);
    return true;
  }
  for (const Group& group : groups_) {
    if (!group.form->reveal(key)) continue;
    columns_->ensureWidgetVisible(group.form->row(key));
    return true;
  }
  return false;
}

bool TrainPage::settled() const { return where_->settled(); }

void TrainPage::retranslate() {
  for (const Group& group : groups_) {
    group.card->setTitle(tr(group.title));
    group.form->retranslate();
  }
  where_->retranslate();
  machines_->retranslate();
  presets_->retranslate();
  parameters_->retranslate();
  numbers_->setTitle(tr("What it comes to"));
  updates_name_->setText(tr("Updates in all"));
  epoch_name_->setText(tr("Updates per epoch"));
  samples_name_->setText(tr("Pictures for training / validation"));
  rate_->retranslate();
  countUp();
}

}  // namespace trainyard::ui
