#include "ui/shell/top_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>

#include "ui/icons/icons.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kHeight = 48;
constexpr int kShownDifferences = 12;
constexpr int kNameWidth = 260;

QPushButton* makeChip(QWidget* parent) {
  QPushButton* chip = makeButton(parent);
  chip->setProperty("chip", "neutral");
  chip->setCursor(Qt::PointingHandCursor);
  chip->setFocusPolicy(Qt::TabFocus);
  return chip;
}

}  // namespace

TopBar::TopBar(Context& context, QWidget* parent) : QFrame(parent), context_(context), difference_(new LiveDifference(context, this)) {
  setProperty("topbar", true);
  setFixedHeight(kHeight);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(16, 0, 16, 0);
  row->setSpacing(12);
  name_ = makeLabel("section", this);
  dot_ = new Dot(this);
  dot_->setTone(Dot::Tone::Accent);
  live_ = makeChip(this);
  chip_ = makeChip(this);
  start_ = makeButton(this);
  start_->setProperty("primary", true);
  start_->setIcon(icon("play", QPalette::Base));
  start_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
  for (QWidget* widget : std::initializer_list<QWidget*>{name_, dot_, live_}) row->addWidget(widget);
  row->addStretch(1);
  row->addWidget(chip_);
  row->addWidget(start_);
  connect(start_, &QPushButton::clicked, this, &TopBar::startRequested);
  connect(chip_, &QPushButton::clicked, this, &TopBar::problemClicked);
  connect(live_, &QPushButton::clicked, this, &TopBar::showDifferences);
  connect(difference_, &LiveDifference::changed, this, &TopBar::refresh);
  connect(context_.recipe, &RecipeDocument::changed, this, &TopBar::refresh);
  connect(context_.dataset, &DatasetScan::changed, this, &TopBar::refresh);
  connect(context_.theme, &Theme::changed, this, &TopBar::refresh);
  refresh();
}

void TopBar::refresh() {
  RecipeDocument& recipe = *context_.recipe;
  const QString name = recipe.name().isEmpty() ? tr("No recipe yet") : recipe.name();
  name_->setText(name_->fontMetrics().elidedText(name, Qt::ElideRight, kNameWidth));
  name_->setToolTip(recipe.file());
  dot_->setVisible(recipe.edited());
  dot_->setToolTip(tr("Edited since it was last started. Saved by itself."));

  const bool differs = !difference_->runDir().isEmpty();
  live_->setVisible(differs);
  if (differs) live_->setText(tr("%1 is training with other settings: %n difference(s)", nullptr, int(difference_->keys().size())).arg(difference_->runName()));

  const auto& problems = recipe.problems();
  const bool data_wrong = problems.empty() && context_.dataset->state() == DatasetScan::State::Failed;
  if (!problems.empty()) {
    const QString first = titleAt(recipe.document(), QString::fromStdString(problems.front().key));
    chip_->setText(tr("%n value(s) to fix: %1", nullptr, int(problems.size())).arg(first));
  } else if (data_wrong) {
    chip_->setText(tr("The data cannot be read"));
  } else if (context_.dataset->busy()) {
    chip_->setText(tr("Checking"));
  } else {
    chip_->setText(tr("Ready"));
  }
  setLook(chip_, "chip", !problems.empty() || data_wrong ? "bad" : context_.dataset->busy() ? "neutral" : "good");
  setLook(start_, "muted", !problems.empty() || data_wrong);
  start_->setText(tr("Start"));
  start_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
  start_->setToolTip(tr("Train with these settings (Ctrl+Enter)"));
}

void TopBar::showDifferences() {
  QMenu menu(this);
  const QStringList& keys = difference_->keys();
  for (int i = 0; i < keys.size() && i < kShownDifferences; ++i) menu.addAction(difference_->line(keys[i]))->setEnabled(false);
  if (keys.size() > kShownDifferences) menu.addAction(tr("and %n more", nullptr, int(keys.size()) - kShownDifferences))->setEnabled(false);
  menu.addSeparator();
  const QString dir = difference_->runDir();
  menu.addAction(tr("Show the run"), this, [this, dir] { Q_EMIT runRequested(dir); });
  menu.addAction(tr("Use its settings"), difference_, &LiveDifference::useItsSettings);
  menu.exec(live_->mapToGlobal(QPoint(0, live_->height() + 4)));
}

void TopBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) refresh();
  QFrame::changeEvent(event);
}

}  // namespace trainyard::ui
