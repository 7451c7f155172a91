#include "ui/pages/train/preset_bar.h"

#include <QHBoxLayout>

#include "ui/pages/train/step_count.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {

PresetBar::PresetBar(Context& context, QWidget* parent) : Card(parent), context_(context) {
  segments_ = new Segments(this);
  segments_->setObjectName("presets");
  state_ = makeLabel("secondary", this);
  setLook(state_, "chip", "neutral");
  note_ = makeLabel("secondary", this, true);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(segments_);
  row->addWidget(state_, 0, Qt::AlignVCenter);
  row->addWidget(note_, 1);
  body()->addLayout(row);
  connect(segments_, &Segments::chosen, this, &PresetBar::choose);
  connect(context_.recipe, &RecipeDocument::changed, this, &PresetBar::refresh);
  connect(context_.dataset, &DatasetScan::changed, this, &PresetBar::refresh);
}

PresetFacts PresetBar::facts() const { return {countSteps(context_).per_epoch}; }

std::optional<Preset> PresetBar::current() const { return presetOf(context_.recipe->given(), facts()); }

void PresetBar::choose(int index) {
  const Json given = context_.recipe->given();
  if (after_ != given) before_ = given;
  after_ = withPreset(before_, Preset(index), facts());
  context_.recipe->replaceAll(after_);
  refresh();
}

void PresetBar::refresh() {
  const auto preset = current();
  segments_->setCurrent(preset ? int(*preset) : -1);
  state_->setVisible(!preset);
  QString note = tr("A preset fills in several values at once; each can be changed afterwards, and undone.");
  if (preset == Preset::Quick) note = tr("A small network, few epochs, a high rate: to see soon whether it works.");
  if (preset == Preset::Balanced) note = tr("The usual: a warm-up, then a rate that falls to nothing.");
  if (preset == Preset::Best) {
    const bool published = !context_.recipe->value("model.weights").is_null() && !valueText(context_.recipe->value("model.weights")).isEmpty();
    note = published ? tr("Fine-tunes a network that has seen a million photos; pictures are mixed, weights averaged. Takes the longest.")
                     : tr("More epochs, pictures mixed, weights averaged. Takes the longest.");
  }
  note_->setText(note);
}

void PresetBar::retranslate() {
  segments_->setTexts({tr("Quick"), tr("Balanced"), tr("Best")});
  state_->setText(tr("Custom"));
  setTitle(tr("How thorough"));
  refresh();
}

}  // namespace trainyard::ui
