#include "ui/pages/train/strategy_plan.h"

#include <algorithm>

#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kAskAfter_ms = 400;

const Json& at(const Json& object, const char* key) {
  static const Json kNothing;
  return object.is_object() && object.contains(key) ? object.at(key) : kNothing;
}

double numberAt(const Json& object, const char* key, double fallback = 0) { return numberFrom(at(object, key), fallback); }

QString textOf(const Json& value) { return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString(); }

QStringList textsOf(const Json& list) {
  QStringList texts;
  if (list.is_array()) {
    for (const Json& item : list) texts << textOf(item);
  }
  return texts;
}

// What makes no difference to memory and speed is left out, so that it causes no new question.
Json whatCounts(const Json& document) {
  Json counts = document;
  if (!counts.is_object()) return counts;
  for (const char* section : {"run", "schedule", "checkpoint"}) counts.erase(section);
  if (counts.contains("train") && counts["train"].is_object()) {
    for (const char* key : {"epochs", "early_stop", "early_stop_min_delta", "log_every", "nonfinite_patience"}) counts["train"].erase(key);
  }
  return counts;
}

QString wordsOf(const Error& error) {
  QStringList parts;
  for (const std::string& part : {error.what, error.where, error.hint}) {
    if (!part.empty()) parts << QString::fromStdString(part);
  }
  return parts.join(QStringLiteral(" – "));
}

}  // namespace

const StrategyFigures* PlanFigures::strategy(const QString& id) const {
  const auto found = std::find_if(strategies.begin(), strategies.end(), [&](const StrategyFigures& one) { return one.id == id; });
  return found == strategies.end() ? nullptr : &*found;
}

PlanFigures readPlan(const Json& answer) {
  PlanFigures plan;
  for (const Json& one : at(answer, "strategies")) {
    plan.strategies.push_back({textOf(at(one, "id")), int(numberAt(one, "devices")), numberAt(one, "memory_bytes"), numberAt(one, "speed_up"),
                               at(one, "possible") != Json(false), textOf(at(one, "why"))});
  }
  for (const Json& one : at(answer, "blocks")) plan.blocks.push_back({textOf(at(one, "name")), numberAt(one, "cost_share"), numberAt(one, "parameters")});
  for (const Json& one : at(answer, "stages")) plan.stages.push_back({textsOf(at(one, "blocks")), numberAt(one, "memory_bytes")});
  plan.devices = textsOf(at(answer, "devices"));
  plan.idle_share = numberAt(answer, "idle_share", qQNaN());
  plan.micro_batches = int(numberAt(answer, "micro_batches"));
  plan.passes = int(numberAt(answer, "passes"));
  plan.rank_batch = int(numberAt(answer, "rank_batch"));
  for (const Json& one : at(answer, "notes")) {
    plan.notes.push_back({textOf(at(one, "code")), textOf(at(one, "text")), numberAt(one, "samples"), numberAt(one, "devices"), numberAt(one, "each")});
  }
  return plan;
}

StrategyPlan::StrategyPlan(Context& context, QObject* parent) : QObject(parent), context_(context) {
  later_.setSingleShot(true);
  later_.setInterval(kAskAfter_ms);
  connect(&later_, &QTimer::timeout, this, &StrategyPlan::ask);
  connect(context_.recipe, &RecipeDocument::changed, this, &StrategyPlan::look);
  connect(context_.recipe, &RecipeDocument::loaded, this, &StrategyPlan::look);
  connect(&call_, &EngineCall::finished, this, [this](const Json& document) {
    figures_ = readPlan(document);
    problem_.clear();
    Q_EMIT changed();
  });
  connect(&call_, &EngineCall::failed, this, [this](const Error& error) {
    figures_ = {};
    problem_ = wordsOf(error);
    Q_EMIT changed();
  });
}

void StrategyPlan::setActive(bool on) {
  active_ = on;
  if (on) look();
}

void StrategyPlan::look() {
  if (!active_ || whatCounts(context_.recipe->document()) == asked_) return;
  later_.start();
  Q_EMIT changed();
}

void StrategyPlan::ask() {
  asked_ = whatCounts(context_.recipe->document());
  const auto whole = context_.recipe->whole();
  if (whole) {
    problem_.clear();
    call_.startWith(whole->document, {}, {QStringLiteral("plan"), QStringLiteral("RECIPE")});
  } else {
    call_.cancel();
    figures_ = {};
    problem_ = tr("Known once every value is fine: %1").arg(QString::fromStdString(whole.error().what));
  }
  Q_EMIT changed();
}

}  // namespace trainyard::ui
