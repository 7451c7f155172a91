#include "ui/pages/home/home_page.h"

#include "ui/models/runs_model.h"
#include "ui/pages/computer/advice_text.h"
#include "ui/recipe_document.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/drop_zone.h"

namespace trainyard::ui {
namespace {

constexpr int kRightWidth = 340;

}  // namespace

HomePage::HomePage(Context& context, QWidget* parent) : Page(context, parent), inspection_(new Inspection(this)) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  columns_ = new Columns(this, kRightWidth);
  all->addWidget(columns_);
  title_ = makeLabel("page", columns_);
  columns_->left()->addWidget(title_);
  live_ = new Card(columns_);
  live_rows_ = new QVBoxLayout;
  live_rows_->setSpacing(10);
  live_->body()->addLayout(live_rows_);
  recipes_ = new Card(columns_);
  recipe_rows_ = new QVBoxLayout;
  recipe_rows_->setSpacing(12);
  recipes_->body()->addLayout(recipe_rows_);
  columns_->left()->addWidget(live_);
  columns_->left()->addWidget(recipes_);
  live_->hide();

  drop_ = new DropZone(columns_, false);
  drop_->setMinimumHeight(180);
  practice_ = new Card(columns_);
  practice_text_ = new QLabel(practice_);
  practice_text_->setWordWrap(true);
  practice_start_ = makeButton(practice_);
  practice_->body()->addWidget(practice_text_);
  practice_->body()->addWidget(practice_start_, 0, Qt::AlignLeft);
  computer_ = new Card(columns_);
  computer_text_ = new QLabel(computer_);
  computer_text_->setWordWrap(true);
  computer_more_ = makeLink(computer_);
  computer_->body()->addWidget(computer_text_);
  computer_->body()->addWidget(computer_more_, 0, Qt::AlignLeft);
  for (QWidget* widget : std::initializer_list<QWidget*>{drop_, practice_, computer_}) columns_->right()->addWidget(widget);
  columns_->finish();

  connect(drop_, &DropZone::folderChosen, this, [this](const QString& folder) { Q_EMIT navigate("take", folder); });
  connect(practice_start_, &QPushButton::clicked, this, &HomePage::practise);
  connect(computer_more_, &QPushButton::clicked, this, [this] { Q_EMIT navigate("computer", {}); });
  connect(inspection_, &Inspection::changed, this, &HomePage::refreshComputer);
  connect(context_.runs, &RunsModel::refreshed, this, &HomePage::refresh);
  connect(context_.recipe, &RecipeDocument::loaded, this, &HomePage::refresh);
  HomePage::retranslate();
}

void HomePage::shown() {
  shown_state_.clear();
  refresh();
  if (!inspection_->seen()) inspection_->look();
}

void HomePage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  if (!watching_) context_.runs->setActive(true);
  watching_ = true;
}

void HomePage::hideEvent(QHideEvent* event) {
  if (watching_) context_.runs->setActive(false);
  watching_ = false;
  Page::hideEvent(event);
}

bool HomePage::settled() const { return inspection_->seen() != nullptr && context_.runs->loaded(); }

void HomePage::refresh() {
  // Rebuilding the lists every second would take the focus from their buttons.
  QByteArray state = context_.recipe->file().toUtf8();
  for (int row = 0; row < context_.runs->rowCount(); ++row) {
    const auto& run = context_.runs->at(row);
    state += '|' + QByteArray::fromStdString(run.id) + ',' + QByteArray::number(int(run.seen.state.state)) + ',' + QByteArray::number(run.best);
    if (isLive(run)) state += ',' + QByteArray::number(qlonglong(run.step));
  }
  if (state == shown_state_) return;
  shown_state_ = state;
  refreshLive();
  refreshRecipes();
}

void HomePage::refreshLive() {
  clearLayout(live_rows_);
  bool any = false;
  for (int row = 0; row < context_.runs->rowCount(); ++row) {
    const auto& run = context_.runs->at(row);
    if (!isLive(run)) continue;
    any = true;
    live_rows_->addWidget(liveRow(run));
  }
  live_->setVisible(any);
}

void HomePage::refreshRecipes() {
  clearLayout(recipe_rows_);
  const auto entries = listRecipes(*context_.runs, *context_.recipe);
  bool first = true;
  for (const auto& entry : entries) {
    if (!first) recipe_rows_->addWidget(makeLine(recipes_));
    first = false;
    recipe_rows_->addWidget(recipeRow(entry));
  }
  recipes_->setVisible(!entries.empty());
}

void HomePage::refreshComputer() {
  if (!inspection_->seen()) return computer_text_->setText(tr("Looking…"));
  const auto& inventory = inspection_->seen()->inventory;
  QStringList parts;
  for (const auto& gpu : inventory.gpus) parts << QString("%1, %2").arg(QString::fromStdString(gpu.name), formatSize(gpu.memory_total_bytes));
  parts << tr("%n core(s)", nullptr, inventory.processor.cores);
  parts << tr("%1 of memory").arg(formatSize(inventory.memory.limit_bytes.value_or(inventory.memory.total_bytes)));
  computer_text_->setText(computerVerdict(inspection_->seen()->advice) + "\n" + parts.join(" · "));
}

void HomePage::openRecipe(const QString& file) {
  if (file != context_.recipe->file()) {
    const auto opened = context_.recipe->open(file);
    if (!opened) return Q_EMIT navigate("error", QString::fromStdString(toText(opened.error())));
  }
  Q_EMIT navigate("data", {});
}

void HomePage::practise() { Q_EMIT navigate("practise", {}); }

void HomePage::retranslate() {
  title_->setText(tr("Home"));
  live_->setTitle(tr("Training now"));
  recipes_->setTitle(tr("Recipes"));
  practice_->setTitle(tr("Practice"));
  practice_text_->setText(tr("A small network learns to read digits in about a minute."));
  practice_start_->setText(tr("Start the practice run"));
  computer_->setTitle(tr("This computer"));
  computer_more_->setText(tr("More about it"));
  shown_state_.clear();
  refresh();
  refreshComputer();
}

}  // namespace trainyard::ui
