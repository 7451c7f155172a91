#include "ui/forms/simple_fields.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "core/base/files.h"
#include "core/catalogue/catalogue.h"
#include "ui/forms/number_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr double kShareStep = 0.05;
constexpr int kUnitGap = 8;
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

QHBoxLayout* tightRow(QWidget* widget) {
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  return row;
}

// Typing must not move the cursor or rewrite "0.10" into "0.1".
void showText(QLineEdit* edit, const QString& text, bool same_value) {
  if (edit->hasFocus() && same_value) return;
  if (edit->text() != text) edit->setText(text);
}

}  // namespace

Json numberJson(const QString& text, bool whole) {
  if (text.trimmed().isEmpty()) return nullptr;
  const std::optional<double> value = numberFromText(text);
  if (!value) return text.trimmed().toStdString();
  if (whole && *value == std::floor(*value) && std::abs(*value) <= kExactIntegers) return int64_t(*value);
  return *value;
}

bool RecipeEdit::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->ignore();
      return false;
    }
  }
  return QLineEdit::event(event);
}

void UnitEdit::setUnit(const QString& unit) {
  unit_ = unit;
  setTextMargins(0, 0, unit.isEmpty() ? 0 : fontMetrics().horizontalAdvance(unit) + kUnitGap, 0);
  update();
}

void UnitEdit::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  if (unit_.isEmpty()) return;
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(rect().adjusted(kUnitGap, 0, -kUnitGap, 0), Qt::AlignRight | Qt::AlignVCenter, unit_);
}

NumberField::NumberField(const catalogue::ParamSpec& spec, QWidget* parent) : Field(parent), spec_(spec) {
  edit_ = new UnitEdit(this);
  edit_->installEventFilter(this);
  tightRow(this)->addWidget(edit_);
  setFocusProxy(edit_);
  connect(edit_, &QLineEdit::textEdited, this, [this] { Q_EMIT edited(read()); });
  NumberField::retranslate();
}

void NumberField::retranslate() {
  edit_->setUnit(catalogueText(spec_.unit));
  if (spec_.fallback.is_null() && !spec_.required) edit_->setPlaceholderText(tr("none"));
}

Json NumberField::read() const { return numberJson(edit_->text(), spec_.kind == catalogue::ParamKind::Integer); }

void NumberField::setValue(const Json& value) {
  const QString text = value.is_null()     ? QString()
                       : value.is_number() ? numberText(value.get<double>())
                                           : QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
  const Json shown = read();
  const bool same = shown == value || (shown.is_number() && value.is_number() && shown.get<double>() == value.get<double>());
  showText(edit_, text, same);
}

void NumberField::setInvalid(bool invalid) { setLook(edit_, "invalid", invalid); }

void NumberField::step(int direction, bool page) {
  const Json now = read();
  double value = now.is_number() ? now.get<double>() : numberFrom(spec_.fallback, 0);
  const bool up = direction > 0;
  if (spec_.kind == catalogue::ParamKind::Integer) {
    value = page ? (up ? std::max(value * 2, 1.0) : std::floor(value / 2)) : value + direction;
  } else if (spec_.maximum && *spec_.maximum <= 1 && !(spec_.exclusive_minimum && value < kShareStep)) {
    value = std::round((value + direction * kShareStep) / kShareStep) * kShareStep;
    value = numberFromText(QString::number(value, 'g', 6)).value_or(value);
  } else {
    value = stepOneTwoFive(value, up);
  }
  if (spec_.minimum && (value < *spec_.minimum || (spec_.exclusive_minimum && value <= *spec_.minimum))) {
    if (spec_.exclusive_minimum) return;
    value = *spec_.minimum;
  }
  if (spec_.maximum) value = std::min(value, *spec_.maximum);
  edit_->setText(numberText(value));
  edit_->selectAll();
  Q_EMIT edited(read());
}

bool NumberField::eventFilter(QObject* object, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return Field::eventFilter(object, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  switch (key->key()) {
    case Qt::Key_Up:
      step(1, false);
      return true;
    case Qt::Key_Down:
      step(-1, false);
      return true;
    case Qt::Key_PageUp:
      step(1, true);
      return true;
    case Qt::Key_PageDown:
      step(-1, true);
      return true;
    default:
      return Field::eventFilter(object, event);
  }
}

TextField::TextField(const catalogue::ParamSpec& spec, QWidget* parent) : Field(parent), spec_(spec) {
  auto* row = tightRow(this);
  edit_ = new RecipeEdit(this);
  row->addWidget(edit_, 1);
  setFocusProxy(edit_);
  connect(edit_, &QLineEdit::textEdited, this, [this](const QString& text) { Q_EMIT edited(text.isEmpty() ? Json() : Json(text.toStdString())); });
  if (spec.kind == catalogue::ParamKind::Path) {
    browse_ = makeButton(this);
    row->addWidget(browse_);
    connect(browse_, &QPushButton::clicked, this, &TextField::browse);
  }
  TextField::retranslate();
}

void TextField::retranslate() {
  if (browse_ != nullptr) browse_->setText(tr("Choose…"));
}

void TextField::browse() {
  // Weights are a file; other paths are folders.
  const bool file = spec_.key == "weights";
  const QString start = edit_->text().isEmpty() ? QDir::homePath() : QString::fromStdString(displayPath(expandUser(edit_->text().toStdString())));
  const QString chosen =
      file ? QFileDialog::getOpenFileName(this, {}, start, tr("Weights (*.safetensors)")) : QFileDialog::getExistingDirectory(this, {}, start);
  if (chosen.isEmpty()) return;
  edit_->setText(chosen);
  Q_EMIT edited(Json(chosen.toStdString()));
}

void TextField::setValue(const Json& value) {
  const QString text = value.is_string() ? QString::fromStdString(value.get<std::string>())
                       : value.is_null() ? QString()
                                         : QString::fromStdString(value.dump());
  showText(edit_, text, edit_->text() == text);
}

void TextField::setInvalid(bool invalid) { setLook(edit_, "invalid", invalid); }

BooleanField::BooleanField(const catalogue::ParamSpec&, QWidget* parent) : Field(parent) {
  box_ = new QCheckBox(this);
  tightRow(this)->addWidget(box_);
  setFocusProxy(box_);
  connect(box_, &QCheckBox::clicked, this, [this](bool on) {
    BooleanField::retranslate();
    Q_EMIT edited(Json(on));
  });
}

void BooleanField::setValue(const Json& value) {
  box_->setChecked(value.is_boolean() && value.get<bool>());
  BooleanField::retranslate();
}

void BooleanField::retranslate() { box_->setText(box_->isChecked() ? tr("On") : tr("Off")); }

ListField::ListField(const catalogue::ParamSpec& spec, QWidget* parent) : Field(parent), spec_(spec) {
  edit_ = new UnitEdit(this);
  tightRow(this)->addWidget(edit_);
  setFocusProxy(edit_);
  connect(edit_, &QLineEdit::textEdited, this, [this](const QString& text) {
    const auto kind = spec_.items.empty() ? catalogue::ParamKind::Text : spec_.items[0].kind;
    static const QRegularExpression kBetween("[,;\\s]+");
    Json list = Json::array();
    for (const QString& word : text.split(kBetween, Qt::SkipEmptyParts)) {
      const bool number = kind == catalogue::ParamKind::Integer || kind == catalogue::ParamKind::Real;
      list.push_back(number ? numberJson(word, kind == catalogue::ParamKind::Integer) : Json(word.toStdString()));
    }
    Q_EMIT edited(list.empty() && spec_.min_items > 0 ? Json() : list);
  });
  ListField::retranslate();
}

void ListField::retranslate() { edit_->setUnit(spec_.items.empty() ? QString() : catalogueText(spec_.items[0].unit)); }

void ListField::setValue(const Json& value) {
  QStringList words;
  if (value.is_array()) {
    for (const auto& item : value)
      words << (item.is_number() ? numberText(item.get<double>()) : QString::fromStdString(item.is_string() ? item.get<std::string>() : item.dump()));
  }
  showText(edit_, words.join(", "), edit_->hasFocus());
}

void ListField::setInvalid(bool invalid) { setLook(edit_, "invalid", invalid); }

TablesField::TablesField(const catalogue::ParamSpec& spec, QWidget* parent) : Field(parent), spec_(spec) {
  titles_ = makeLabel("", this, true);
  tightRow(this)->addWidget(titles_, 1);
}

void TablesField::setValue(const Json& value) {
  value_ = value;
  const catalogue::Section* section = catalogue::findSection(spec_.section);
  QStringList titles;
  if (section != nullptr && value.is_array()) {
    for (const auto& table : value) {
      const std::string id = table.is_object() ? table.value(section->selector, std::string()) : std::string();
      const catalogue::Descriptor* entry = catalogue::find(section->choices, id);
      titles << (entry != nullptr ? catalogueText(entry->title) : QString::fromStdString(id));
    }
  }
  titles_->setText(titles.isEmpty() ? QStringLiteral("–") : titles.join(" · "));
}

void TablesField::setInvalid(bool invalid) { setLook(titles_, "tone", invalid ? "bad" : ""); }

}  // namespace trainyard::ui
