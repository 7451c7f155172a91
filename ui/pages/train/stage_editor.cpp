#include "ui/pages/train/stage_editor.h"

#include <QHBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/forms/messages.h"
#include "ui/models/run_text.h"
#include "ui/pages/model/layer_table.h"
#include "ui/pages/train/stage_bar.h"
#include "ui/recipe_document.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

constexpr int kSwatch = 10;
enum Column { Swatch, Name, Blocks, Work, Parameters, Memory };
const char* const kKey = "parallel.cuts";

}  // namespace

StageEditor::StageEditor(Context& context, const StrategyPlan& plan, QWidget* parent) : QWidget(parent), context_(context), plan_(plan) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(6);
  auto* head = new QHBoxLayout;
  head->setSpacing(8);
  title_ = makeLabel("strong", this);
  reset_ = makeLink(this);
  reset_->setObjectName("evenCuts");
  head->addWidget(title_);
  head->addStretch(1);
  head->addWidget(reset_);
  note_ = makeLabel("secondary", this, true);
  bar_ = new StageBar(this);
  bar_->setTokens(context_.theme->tokens());
  lines_ = new QGridLayout;
  lines_->setHorizontalSpacing(12);
  lines_->setVerticalSpacing(4);
  lines_->setColumnStretch(Blocks, 1);
  idle_ = makeLabel("secondary", this, true);
  problem_ = makeLabel("error", this, true);
  all->addLayout(head);
  all->addWidget(note_);
  all->addWidget(bar_);
  all->addLayout(lines_);
  all->addWidget(idle_);
  all->addWidget(problem_);
  connect(bar_, &StageBar::moved, this, &StageEditor::fillLines);
  connect(bar_, &StageBar::chosen, this, &StageEditor::store);
  connect(reset_, &QPushButton::clicked, this, [this] { context_.recipe->reset(kKey); });
  connect(context_.recipe, &RecipeDocument::changed, this, &StageEditor::refresh);
  connect(&plan_, &StrategyPlan::changed, this, &StageEditor::refresh);
  connect(context_.theme, &Theme::changed, this, [this] {
    bar_->setTokens(context_.theme->tokens());
    fillLines();
  });
  retranslate();
}

QVector<int> StageEditor::cutsOfRecipe() const {
  const Json given = context_.recipe->value(kKey);
  const auto& blocks = plan_.figures().blocks;
  QVector<int> cuts;
  if (!given.is_array()) return {};
  for (const Json& name : given) {
    const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const BlockFigures& block) { return name == Json(block.name.toStdString()); });
    if (found == blocks.end()) return {};
    cuts << int(found - blocks.begin());
  }
  return cuts;
}

QVector<int> StageEditor::cutsOfPlan() const {
  QVector<int> cuts;
  int block = 0;
  const auto& stages = plan_.figures().stages;
  for (size_t stage = 0; stage + 1 < stages.size(); ++stage) {
    block += int(stages[stage].blocks.size());
    cuts << block;
  }
  return cuts;
}

void StageEditor::refresh() {
  const PlanFigures& figures = plan_.figures();
  const bool pipeline = context_.recipe->value("parallel.strategy") == Json("pipeline");
  setVisible(pipeline);
  if (!pipeline) return;
  QVector<double> shares;
  QStringList tips;
  for (const BlockFigures& block : figures.blocks) {
    shares << block.cost_share;
    tips << tr("%1: %2 of the work, %3 parameters").arg(block.name, percentText(block.cost_share), shortCount(block.parameters));
  }
  bar_->setBlocks(shares, tips);
  const QVector<int> given = cutsOfRecipe();
  bar_->setCuts(given.isEmpty() ? cutsOfPlan() : given);
  const bool known = !bar_->cuts().isEmpty() && !shares.isEmpty();
  bar_->setVisible(known);
  note_->setText(known ? tr("Each stage is one device's part of the network. Drag a cut, or move it with ← and → (↑ and ↓ choose another).")
                       : tr("The blocks of the network appear here as soon as its size is worked out."));
  reset_->setVisible(context_.recipe->isGiven(kKey));
  idle_->setVisible(known && std::isfinite(figures.idle_share));
  idle_->setText(tr("With %1 parts of a batch a stage waits about %2 of the time for the others.")
                     .arg(figures.micro_batches > 0 ? formatNumber(figures.micro_batches) : QStringLiteral("–"), percentText(figures.idle_share, 0)));
  const recipe::Problem* problem = context_.recipe->problemAt(kKey);
  problem_->setVisible(problem != nullptr);
  if (problem != nullptr) problem_->setText(problemText(specAt(context_.recipe->document(), kKey), context_.recipe->value(kKey), *problem));
  fillLines();
}

void StageEditor::fillLines() {
  const PlanFigures& figures = plan_.figures();
  const auto& blocks = figures.blocks;
  const QVector<int>& cuts = bar_->cuts();
  const size_t count = cuts.isEmpty() || blocks.empty() ? 0 : size_t(cuts.size()) + 1;
  while (rows_.size() < count) {
    std::array<QLabel*, kColumns> row{};
    for (int column = 0; column < kColumns; ++column) {
      row[size_t(column)] = makeLabel(column == Name ? "" : "secondary", this);
      lines_->addWidget(row[size_t(column)], int(rows_.size()), column);
    }
    for (const Column column : {Work, Parameters, Memory}) row[column]->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row[Swatch]->setFixedSize(kSwatch, kSwatch);
    row[Blocks]->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    rows_.push_back(row);
  }
  for (size_t i = count; i < rows_.size(); ++i) {
    for (QLabel* cell : rows_[i]) cell->hide();
  }
  QStringList captions;
  for (size_t i = 0; i < count; ++i) {
    const size_t first = i == 0 ? 0 : size_t(cuts[int(i) - 1]), end = i + 1 == count ? blocks.size() : size_t(cuts[int(i)]);
    QStringList names;
    double work = 0, parameters = 0;
    for (size_t block = first; block < end && block < blocks.size(); ++block) {
      names << blocks[block].name;
      work += blocks[block].cost_share;
      parameters += blocks[block].parameters;
    }
    // With one group of stages, the rank of a stage is its place.
    const bool placed = size_t(figures.devices.size()) == count;
    const QString stage = tr("Stage %1").arg(i + 1);
    const QString title = placed ? tr("%1 on %2").arg(stage, deviceName(figures.devices[int(i)].toStdString())) : stage;
    const bool as_planned = i < figures.stages.size() && figures.stages[i].blocks == names && figures.stages[i].memory_bytes > 0;
    const auto& row = rows_[i];
    row[Swatch]->setStyleSheet(QStringLiteral("background: %1; border-radius: 2px;").arg(bar_->stageColor(int(i)).name()));
    row[Name]->setText(title);
    row[Blocks]->setText(names.size() > 1 ? tr("%1 to %2").arg(names.first(), names.last()) : names.join(QString()));
    row[Blocks]->setToolTip(names.join(QStringLiteral(", ")));
    row[Work]->setText(tr("%1 of the work").arg(percentText(work, 0)));
    row[Parameters]->setText(tr("%1 parameters").arg(shortCount(parameters)));
    row[Memory]->setText(as_planned ? formatSize(quint64(figures.stages[i].memory_bytes)) : QStringLiteral("–"));
    for (QLabel* cell : row) cell->show();
    captions << QStringLiteral("%1 · %2").arg(stage, percentText(work, 0));
  }
  bar_->setCaptions(captions);
}

void StageEditor::store() {
  Json names = Json::array();
  const auto& blocks = plan_.figures().blocks;
  for (const int cut : bar_->cuts()) {
    if (size_t(cut) < blocks.size()) names.push_back(blocks[size_t(cut)].name.toStdString());
  }
  context_.recipe->set(kKey, names);
}

bool StageEditor::reveal(const QString& key) {
  if (!key.startsWith(QLatin1String(kKey)) || isHidden() || bar_->isHidden()) return false;
  bar_->setFocus(Qt::OtherFocusReason);
  return true;
}

QString StageEditor::stageText(int stage) const {
  if (stage < 0 || size_t(stage) >= rows_.size() || rows_[size_t(stage)][Name]->isHidden()) return {};
  QStringList parts;
  for (int column = Name; column < kColumns; ++column) parts << rows_[size_t(stage)][size_t(column)]->text();
  return parts.join(QStringLiteral(" | "));
}

void StageEditor::retranslate() {
  title_->setText(tr("Where it is cut"));
  reset_->setText(tr("Equal shares again"));
  reset_->setToolTip(tr("Cuts the network so that every stage has about the same work."));
  bar_->setAccessibleName(title_->text());
  bar_->setAccessibleDescription(tr("Left and Right move a cut between two stages, Up and Down choose the cut."));
  refresh();
}

}  // namespace trainyard::ui
