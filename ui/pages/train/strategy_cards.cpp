#include "ui/pages/train/strategy_cards.h"

#include <QGridLayout>
#include <QLocale>

#include "core/catalogue/catalogue.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kColumns = 2;

}  // namespace

StrategyCards::StrategyCards(Context& context, const StrategyPlan& plan, QWidget* parent) : QWidget(parent), context_(context), plan_(plan) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(8);
  auto* grid = new QGridLayout;
  grid->setSpacing(8);
  int place = 0;
  for (const auto& entry : catalogue::strategies()) {
    const QString id = QString::fromStdString(entry.id);
    auto* one = new ChoiceCard(this);
    one->setObjectName(QStringLiteral("strategy-") + id);
    cards_[id] = one;
    grid->addWidget(one, place / kColumns, place % kColumns);
    ++place;
    connect(one, &ChoiceCard::clicked, this, [this, id] {
      context_.recipe->choose("parallel", id);
      refresh();  // a click on the chosen one leaves it chosen
    });
  }
  for (int column = 0; column < kColumns; ++column) grid->setColumnStretch(column, 1);
  all->addLayout(grid);
  state_ = makeLabel("secondary", this, true);
  problem_ = makeLabel("error", this, true);
  problem_->setObjectName("planProblem");
  notes_ = makeLabel("secondary", this, true);
  notes_->setTextFormat(Qt::PlainText);
  for (QLabel* label : {state_, problem_, notes_}) all->addWidget(label);
  connect(context_.recipe, &RecipeDocument::changed, this, &StrategyCards::refresh);
  connect(&plan_, &StrategyPlan::changed, this, &StrategyCards::refresh);
  retranslate();
}

// A note of a newer engine in the engine's words.
QString StrategyCards::noteText(const PlanNote& note) const {
  if (note.code == QLatin1String("uneven_batch")) {
    return tr("%1 pictures of each update over %2 devices: %3 or one more each.").arg(formatNumber(qlonglong(note.samples)), formatNumber(qlonglong(note.devices)), formatNumber(qlonglong(note.each)));
  }
  if (note.code == QLatin1String("dropout")) return tr("Dropout repeats for this number of devices and this strategy, and is drawn differently for others.");
  if (note.code == QLatin1String("batch_norm")) return tr("Batch norm takes the mean of what one device computes at once, so the numbers differ from those of one device.");
  return note.text;
}

QString StrategyCards::asideOf(const StrategyFigures& figures) const {
  if (!figures.possible && plan_.figures().devices.size() < 2) return tr("Needs at least two devices.");
  if (!figures.possible) return figures.why.isEmpty() ? tr("Not possible here.") : figures.why;
  QStringList parts;
  if (figures.memory_bytes > 0) {
    const QString size = formatSize(quint64(figures.memory_bytes));
    parts << (figures.devices > 1 ? tr("about %1 on each device").arg(size) : tr("about %1").arg(size));
  }
  if (figures.devices > 1 && figures.speed_up > 0) parts << tr("about %1 × as fast as one").arg(QLocale().toString(figures.speed_up, 'f', 1));
  return parts.join(QStringLiteral(" · "));
}

void StrategyCards::refresh() {
  const Json chosen = context_.recipe->value("parallel.strategy");
  const PlanFigures& figures = plan_.figures();
  for (const auto& entry : catalogue::strategies()) {
    ChoiceCard* one = card(QString::fromStdString(entry.id));
    const StrategyFigures* known = figures.strategy(QString::fromStdString(entry.id));
    const QString aside = known != nullptr ? asideOf(*known) : QString();
    one->setTexts(catalogueText(entry.title), catalogueText(entry.help), aside, known != nullptr && !known->possible);
    one->setChecked(chosen == Json(entry.id));
    if (one->isChecked()) setFocusProxy(one);
  }
  // The last figures stay while new ones are on their way.
  state_->setText(tr("Working out memory and speed…"));
  state_->setVisible(plan_.busy());
  problem_->setText(plan_.problem());
  problem_->setVisible(!plan_.problem().isEmpty() && !plan_.busy());
  QStringList notes;
  for (const PlanNote& note : figures.notes) notes << noteText(note);
  if (figures.rank_batch > 0 && figures.devices.size() > 1) {
    const QString batch = formatNumber(figures.rank_batch);
    notes.prepend(figures.passes > 1 ? tr("%1 pictures at a time on a device, %2 parts in an update.").arg(batch, formatNumber(figures.passes))
                                            : tr("%1 pictures at a time on a device.").arg(batch));
  }
  notes_->setText(notes.join(QLatin1Char('\n')));
  notes_->setVisible(!notes.isEmpty());
}

void StrategyCards::retranslate() { refresh(); }

}  // namespace trainyard::ui
