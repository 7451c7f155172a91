#include "ui/forms/choice_fields.h"

#include <QHBoxLayout>
#include <QWheelEvent>
#include <algorithm>

#include "ui/forms/simple_fields.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kControlHeight = 28;
constexpr size_t kShortTitle = 14;  // characters
constexpr size_t kShortTotal = 26;  // of all titles of a row

bool sideBySide(const std::vector<catalogue::Option>& options) {
  if (options.size() > kMostSegments) return false;
  size_t total = 0;
  for (const auto& option : options) {
    if (option.title.size() > kShortTitle) return false;
    total += option.title.size();
  }
  return total <= kShortTotal;
}

// Scrolling a page must not change what the pointer happens to be over.
class CalmCombo : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

bool isSingleWord(const catalogue::ParamSpec& spec) { return spec.kind == catalogue::ParamKind::Choice && spec.choices.size() == 1; }

// A value to begin with when people turn to an alternative that had none yet.
Json startOf(const catalogue::ParamSpec& spec) {
  constexpr double kShare = 0.1;
  const double least = spec.minimum.value_or(0);
  if (spec.kind == catalogue::ParamKind::Integer) return int64_t(std::max(least, 1.0));
  if (spec.kind == catalogue::ParamKind::Real) return std::min(std::max(least, kShare), spec.maximum.value_or(kShare));
  return {};
}

bool isNumber(catalogue::ParamKind kind) { return kind == catalogue::ParamKind::Integer || kind == catalogue::ParamKind::Real; }

}  // namespace

Segments::Segments(QWidget* parent, bool exclusive) : QWidget(parent), group_(new QButtonGroup(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addStretch(1);
  group_->setExclusive(exclusive);
  connect(group_, &QButtonGroup::idClicked, this, &Segments::chosen);
}

void Segments::setTexts(const QStringList& texts, const QStringList& tips) {
  auto* row = static_cast<QHBoxLayout*>(layout());
  while (group_->buttons().size() > texts.size()) delete group_->buttons().constLast();
  for (int i = 0; i < texts.size(); ++i) {
    QToolButton* segment = button(i);
    if (segment == nullptr) {
      segment = new QToolButton(this);
      segment->setCheckable(true);
      segment->setFocusPolicy(Qt::StrongFocus);
      segment->setToolButtonStyle(Qt::ToolButtonTextOnly);
      segment->setFixedHeight(kControlHeight);
      group_->addButton(segment, i);
      row->insertWidget(i, segment);
    }
    const bool first = i == 0, last = i + 1 == texts.size();
    setLook(segment, "segment", first && last ? "only" : first ? "first" : last ? "last" : "middle");
    segment->setText(texts[i]);
    segment->setToolTip(tips.value(i));
  }
}

void Segments::setCurrent(int index) {
  if (QToolButton* segment = button(index)) {
    segment->setChecked(true);
  } else if (QAbstractButton* down = group_->checkedButton()) {
    const bool exclusive = group_->exclusive();
    group_->setExclusive(false);
    down->setChecked(false);
    group_->setExclusive(exclusive);
  }
}

QList<int> Segments::checked() const {
  QList<int> ids;
  for (int i = 0; button(i) != nullptr; ++i) {
    if (button(i)->isChecked()) ids << i;
  }
  return ids;
}

ChoiceField::ChoiceField(std::vector<catalogue::Option> options, QWidget* parent) : Field(parent), options_(std::move(options)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  const auto say = [this](int index) {
    if (index >= 0 && size_t(index) < options_.size()) Q_EMIT edited(Json(options_[size_t(index)].id));
  };
  if (sideBySide(options_)) {
    segments_ = new Segments(this);
    row->addWidget(segments_);
    connect(segments_, &Segments::chosen, this, say);
  } else {
    combo_ = new CalmCombo(this);
    combo_->setFocusPolicy(Qt::StrongFocus);
    for (size_t i = 0; i < options_.size(); ++i) combo_->addItem({});
    row->addWidget(combo_, 1);
    setFocusProxy(combo_);
    connect(combo_, &QComboBox::activated, this, say);
  }
  ChoiceField::retranslate();
  if (segments_ != nullptr && !options_.empty()) setFocusProxy(segments_->button(0));
}

void ChoiceField::retranslate() {
  QStringList titles, tips;
  for (const auto& option : options_) {
    titles << (option.title.empty() ? QString::fromStdString(option.id) : catalogueText(option.title));
    tips << catalogueText(option.help);
  }
  if (segments_ != nullptr) return segments_->setTexts(titles, tips);
  for (int i = 0; i < titles.size(); ++i) {
    combo_->setItemText(i, titles[i]);
    combo_->setItemData(i, tips[i], Qt::ToolTipRole);
  }
}

void ChoiceField::setValue(const Json& value) {
  int index = -1;
  for (size_t i = 0; i < options_.size(); ++i) {
    if (value.is_string() && value.get_ref<const std::string&>() == options_[i].id) index = int(i);
  }
  if (segments_ != nullptr) return segments_->setCurrent(index);
  combo_->setCurrentIndex(index);
}

void ChoiceField::setInvalid(bool invalid) {
  if (combo_ != nullptr) setLook(combo_, "invalid", invalid);
}

UnionField::UnionField(const catalogue::ParamSpec& spec, QWidget* parent) : Field(parent), spec_(spec), last_(spec.items.size()) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  segments_ = new Segments(this);
  column->addWidget(segments_);
  for (size_t i = 0; i < spec.items.size(); ++i) {
    const auto& item = spec.items[i];
    last_[i] = isSingleWord(item) ? Json(item.choices[0].id) : Json();
    Field* field = isSingleWord(item) ? nullptr : makeField(item, this);
    fields_.push_back(field);
    if (field == nullptr) continue;
    field->hide();
    column->addWidget(field);
    connect(field, &Field::edited, this, [this, i](const Json& value) {
      last_[i] = value;
      Q_EMIT edited(value);
    });
  }
  connect(segments_, &Segments::chosen, this, [this](int index) {
    show(index);
    Json& value = last_[size_t(index)];
    if (value.is_null()) value = startOf(spec_.items[size_t(index)]);
    // A path starts empty: the recipe keeps what it had until one is entered.
    if (!value.is_null()) Q_EMIT edited(value);
    if (Field* field = fields_[size_t(index)]) field->setFocus();
  });
  UnionField::retranslate();
  setFocusProxy(segments_->button(0));
}

void UnionField::retranslate() {
  QStringList titles;
  for (const auto& item : spec_.items) titles << catalogueText(item.title);
  segments_->setTexts(titles);
  for (Field* field : fields_) {
    if (field != nullptr) field->retranslate();
  }
}

int UnionField::alternativeOf(const Json& value) const {
  for (size_t i = 0; i < spec_.items.size(); ++i) {
    if (isSingleWord(spec_.items[i]) && value == Json(spec_.items[i].choices[0].id)) return int(i);
  }
  for (size_t i = 0; i < spec_.items.size(); ++i) {
    const auto kind = spec_.items[i].kind;
    const bool text = kind == catalogue::ParamKind::Text || kind == catalogue::ParamKind::Path;
    if ((value.is_number() && isNumber(kind)) || (value.is_array() && kind == catalogue::ParamKind::List) || (value.is_string() && text)) return int(i);
  }
  return shown_;
}

void UnionField::show(int index) {
  shown_ = index;
  segments_->setCurrent(index);
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i] != nullptr) fields_[i]->setVisible(int(i) == index);
  }
}

void UnionField::setValue(const Json& value) {
  // Text typed into a number's field stays with that field.
  const bool typing = shown_ >= 0 && fields_[size_t(shown_)] != nullptr && fields_[size_t(shown_)]->focusProxy() != nullptr &&
                      fields_[size_t(shown_)]->focusProxy()->hasFocus();
  const int index = typing ? shown_ : alternativeOf(value);
  if (index < 0) return;
  show(index);
  last_[size_t(index)] = value;
  if (fields_[size_t(index)] != nullptr) fields_[size_t(index)]->setValue(value);
}

void UnionField::setInvalid(bool invalid) {
  if (shown_ >= 0 && fields_[size_t(shown_)] != nullptr) fields_[size_t(shown_)]->setInvalid(invalid);
}

Field* makeField(const catalogue::ParamSpec& spec, QWidget* parent) {
  switch (spec.kind) {
    case catalogue::ParamKind::Integer:
    case catalogue::ParamKind::Real:
      return new NumberField(spec, parent);
    case catalogue::ParamKind::Boolean:
      return new BooleanField(spec, parent);
    case catalogue::ParamKind::Choice:
      return new ChoiceField(spec.choices, parent);
    case catalogue::ParamKind::List:
      return new ListField(spec, parent);
    case catalogue::ParamKind::Union:
      return new UnionField(spec, parent);
    case catalogue::ParamKind::Tables:
      return new TablesField(spec, parent);
    case catalogue::ParamKind::Text:
    case catalogue::ParamKind::Path:
      break;
  }
  return new TextField(spec, parent);
}

}  // namespace trainyard::ui
