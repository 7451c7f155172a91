#include "ui/forms/messages.h"

#include <QCoreApplication>

#include "ui/forms/number_text.h"

namespace trainyard::ui {
namespace {

struct Messages {
  Q_DECLARE_TR_FUNCTIONS(Messages)
};

QString rangeText(const catalogue::ParamSpec& spec) {
  const QString low = numberText(spec.minimum.value_or(0)), high = numberText(spec.maximum.value_or(0));
  if (spec.minimum && spec.maximum) {
    return spec.exclusive_minimum ? Messages::tr("Must be greater than %1 and at most %2.").arg(low, high)
                                  : Messages::tr("Must be from %1 to %2.").arg(low, high);
  }
  if (spec.minimum) return spec.exclusive_minimum ? Messages::tr("Must be greater than %1.").arg(low) : Messages::tr("Must be at least %1.").arg(low);
  return spec.maximum ? Messages::tr("Must be at most %1.").arg(high) : QString();
}

bool inRange(const catalogue::ParamSpec& spec, double value) {
  const bool low = spec.minimum && (spec.exclusive_minimum ? value <= *spec.minimum : value < *spec.minimum);
  return !low && !(spec.maximum && value > *spec.maximum);
}

// Empty: nothing wrong that a few words explain.
QString numberFault(const catalogue::ParamSpec& spec, const Json& value) {
  using catalogue::ParamKind;
  if (spec.kind != ParamKind::Integer && spec.kind != ParamKind::Real) return {};
  if (!value.is_number()) return spec.kind == ParamKind::Integer ? Messages::tr("Must be a whole number.") : Messages::tr("Must be a number.");
  if (!inRange(spec, value.get<double>())) return rangeText(spec);
  return spec.kind == ParamKind::Integer && !value.is_number_integer() ? Messages::tr("Must be a whole number.") : QString();
}

QString listFault(const catalogue::ParamSpec& spec, const Json& value) {
  if (!value.is_array()) return {};
  if (value.size() < spec.min_items || value.size() > spec.max_items) {
    if (spec.min_items == spec.max_items) return Messages::tr("Must have %n value(s).", nullptr, int(spec.min_items));
    return value.size() < spec.min_items ? Messages::tr("Must have at least %n value(s).", nullptr, int(spec.min_items))
                                         : Messages::tr("Must have at most %n value(s).", nullptr, int(spec.max_items));
  }
  for (const auto& item : value) {
    const QString fault = spec.items.empty() ? QString() : numberFault(spec.items[0], item);
    if (!fault.isEmpty()) return Messages::tr("Each: %1").arg(fault);
  }
  return {};
}

QString unionFault(const catalogue::ParamSpec& spec, const Json& value) {
  for (const auto& item : spec.items) {
    const QString fault = numberFault(item, value);
    if (!fault.isEmpty()) return fault;
  }
  return {};
}

}  // namespace

QString problemText(const catalogue::ParamSpec* spec, const Json& value, const recipe::Problem& problem) {
  QString text;
  if (spec != nullptr) {
    const bool empty = value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty());
    if (empty && spec->required) return Messages::tr("Is needed.");
    if (spec->kind == catalogue::ParamKind::List)
      text = listFault(*spec, value);
    else if (spec->kind == catalogue::ParamKind::Union)
      text = unionFault(*spec, value);
    else
      text = numberFault(*spec, value);
    if (!text.isEmpty() && !spec->required && spec->fallback.is_null()) text += " " + Messages::tr("Leave empty for none.");
  }
  if (!text.isEmpty()) return text;
  text = QString::fromStdString(problem.error.what);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  if (!problem.error.hint.empty()) text += ": " + QString::fromStdString(problem.error.hint);
  return text;
}

QString firstSentence(const QString& help) {
  for (int i = 0; i < help.size(); ++i) {
    if (help[i] == QChar(u'。')) return help.left(i);
    if (help[i] == '.' && i + 1 < help.size() && help[i + 1] == ' ') return help.left(i);
  }
  return help.endsWith('.') ? help.chopped(1) : help;
}

}  // namespace trainyard::ui
