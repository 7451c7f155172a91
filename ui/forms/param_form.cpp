#include "ui/forms/param_form.h"

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "ui/forms/choice_fields.h"
#include "ui/icons/icons.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kRowGap = 8;

QVBoxLayout* tightColumn(QWidget* parent = nullptr) {
  auto* column = parent != nullptr ? new QVBoxLayout(parent) : new QVBoxLayout;
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kRowGap);
  return column;
}

}  // namespace

ParamForm::ParamForm(RecipeDocument* document, QWidget* parent, bool compact) : QWidget(parent), document_(document), compact_(compact) {
  auto* all = tightColumn(this);
  plain_ = tightColumn();
  all->addLayout(plain_);
  unfold_ = makeLink(this);
  unfold_->setCheckable(true);
  unfold_->setStyleSheet("QPushButton:checked { background: transparent; }");
  all->addWidget(unfold_, 0, Qt::AlignLeft);
  advanced_ = new QWidget(this);
  advanced_rows_ = tightColumn(advanced_);
  all->addWidget(advanced_);
  advanced_->hide();
  unfold_->hide();
  connect(unfold_, &QPushButton::toggled, this, &ParamForm::fold);
  connect(document_, &RecipeDocument::changed, this, &ParamForm::refresh);
}

void ParamForm::addKey(const QString& key, MakeField make) { items_.push_back({key, false, false, std::move(make)}); }

void ParamForm::addChoice(const QString& section) { items_.push_back({section, true, true, {}}); }

void ParamForm::addChosenParams(const QString& section) { items_.push_back({section, false, true, {}}); }

QStringList ParamForm::chosen() const {
  QStringList ids;
  for (const Item& item : items_) {
    if (!item.chosen) continue;
    const catalogue::Section* section = catalogue::findSection(item.key.toStdString());
    if (section != nullptr) ids << valueText(document_->value(item.key + "." + QString::fromStdString(section->selector)));
  }
  return ids;
}

void ParamForm::build() {
  built_for_ = chosen();
  rows_.clear();
  clearLayout(plain_);
  clearLayout(advanced_rows_);
  for (const Item& item : items_) {
    if (!item.chosen) {
      if (const auto* spec = specAt(document_->document(), item.key)) addRow(item.key, *spec, item.make);
      continue;
    }
    const catalogue::Section* section = catalogue::findSection(item.key.toStdString());
    if (section == nullptr) continue;
    if (item.choice) addChoiceRow(*section);
    const Json id = document_->value(item.key + "." + QString::fromStdString(section->selector));
    const auto* entry = id.is_string() ? catalogue::find(section->choices, id.get<std::string>()) : nullptr;
    if (entry == nullptr) continue;
    for (const auto& spec : entry->params) addRow(item.key + "." + QString::fromStdString(spec.key), spec, {});
  }
  unfold_->setVisible(advanced_rows_->count() > 0);
  for (const auto& [key, note] : notes_) {
    if (ParamRow* found = row(key)) found->setNote(note);
  }
  retranslate();
  Q_EMIT built();
}

void ParamForm::addRow(const QString& key, const catalogue::ParamSpec& spec, const MakeField& make) {
  const MakeField usual = [&spec](QWidget* parent) { return makeField(spec, parent); };
  auto* row = new ParamRow(document_, key, spec.title, spec.help, make ? make : usual, compact_, this);
  connect(row, &ParamRow::edited, document_, &RecipeDocument::set);
  place(row, spec.advanced);
}

void ParamForm::addChoiceRow(const catalogue::Section& section) {
  std::vector<catalogue::Option> options;
  for (const auto& entry : section.choices) options.push_back({entry.id, entry.title, entry.help});
  const QString section_key = QString::fromStdString(section.key);
  const MakeField make = [options](QWidget* parent) { return new ChoiceField(options, parent); };
  const Json id = document_->value(section_key + "." + QString::fromStdString(section.selector));
  const auto* entry = id.is_string() ? catalogue::find(section.choices, id.get<std::string>()) : nullptr;
  auto* row = new ParamRow(document_, section_key + "." + QString::fromStdString(section.selector), section.title, entry != nullptr ? entry->help : "", make,
                           compact_, this);
  connect(row, &ParamRow::edited, this, [this, section_key](const QString&, const Json& value) { document_->choose(section_key, valueText(value)); });
  place(row, false);
}

void ParamForm::place(ParamRow* row, bool advanced) {
  rows_.push_back(row);
  (advanced ? advanced_rows_ : plain_)->addWidget(row);
}

void ParamForm::fold(bool open) {
  advanced_->setVisible(open);
  retranslate();
}

bool ParamForm::visible(const ParamRow* row) const {
  if (hidden_.contains(row->key()) && document_->problemAt(row->key()) == nullptr) return false;
  const catalogue::ParamSpec* spec = specAt(document_->document(), row->key());
  if (spec == nullptr || spec->visible_when_key.empty()) return true;
  const Json sibling = document_->value(row->key().left(row->key().lastIndexOf('.') + 1) + QString::fromStdString(spec->visible_when_key));
  const auto& wanted = spec->visible_when_values;
  return std::find(wanted.begin(), wanted.end(), sibling.is_string() ? sibling.get<std::string>() : sibling.dump()) != wanted.end();
}

void ParamForm::refresh() {
  // Not from within a row's own signal: it would be deleted under its feet.
  if (chosen() != built_for_) {
    built_for_ = chosen();
    QMetaObject::invokeMethod(this, &ParamForm::build, Qt::QueuedConnection);
    return;
  }
  bool advanced_wrong = false;
  for (ParamRow* row : rows_) {
    row->refresh();
    row->setVisible(visible(row));
    if (row->parentWidget() == advanced_ && document_->problemAt(row->key()) != nullptr) advanced_wrong = true;
  }
  if (advanced_wrong) unfold_->setChecked(true);
}

void ParamForm::setNote(const QString& key, const QString& note) {
  notes_[key] = note;
  if (ParamRow* found = row(key)) found->setNote(note);
}

void ParamForm::setHidden(const QString& key, bool hidden) {
  if (hidden == hidden_.contains(key)) return;
  if (hidden) {
    hidden_.insert(key);
  } else {
    hidden_.remove(key);
  }
  if (ParamRow* found = row(key)) found->setVisible(visible(found));
}

ParamRow* ParamForm::row(const QString& key) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const ParamRow* row) { return row->key() == key; });
  return found == rows_.end() ? nullptr : *found;
}

bool ParamForm::reveal(const QString& key) {
  ParamRow* found = row(key);
  if (found == nullptr) return false;
  if (found->parentWidget() == advanced_) unfold_->setChecked(true);
  found->field()->setFocus(Qt::OtherFocusReason);
  return true;
}

void ParamForm::retranslate() {
  unfold_->setText(unfold_->isChecked() ? tr("Advanced ▴") : tr("Advanced ▾"));
  for (ParamRow* row : rows_) row->retranslate();
  refresh();
}

}  // namespace trainyard::ui
