#include "ui/pages/train/parameter_groups.h"

#include <QHBoxLayout>
#include <QHeaderView>

#include "ui/forms/messages.h"
#include "ui/forms/number_text.h"
#include "ui/forms/simple_fields.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kRowHeight = 28;
constexpr int kMostRowsShown = 6;
const char* const kKeys[] = {"match", "lr_factor", "weight_decay", "frozen"};

QString cellText(const Json& rule, const char* key) {
  if (!rule.is_object() || !rule.contains(key)) return {};
  const Json& value = rule.at(key);
  return value.is_number() ? numberText(value.get<double>()) : value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
}

}  // namespace

ParameterGroups::ParameterGroups(Context& context, QWidget* parent) : Card(parent), context_(context) {
  note_ = makeLabel("secondary", this, true);
  table_ = new QTableWidget(0, Count, this);
  table_->setObjectName("parameterGroups");
  table_->setShowGrid(false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(kRowHeight);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setHighlightSections(false);
  problem_ = makeLabel("error", this, true);
  add_ = makeButton(this);
  add_->setObjectName("addGroup");
  remove_ = makeButton(this);
  remove_->setObjectName("removeGroup");
  auto* row = new QHBoxLayout;
  row->addWidget(add_);
  row->addWidget(remove_);
  row->addStretch(1);
  body()->addWidget(note_);
  body()->addWidget(table_);
  body()->addWidget(problem_);
  body()->addLayout(row);
  connect(add_, &QPushButton::clicked, this, &ParameterGroups::add);
  connect(remove_, &QPushButton::clicked, this, &ParameterGroups::removeCurrent);
  connect(table_, &QTableWidget::cellChanged, this, &ParameterGroups::store);
  connect(table_, &QTableWidget::currentCellChanged, this, [this] { remove_->setEnabled(table_->currentRow() >= 0); });
  connect(context_.recipe, &RecipeDocument::changed, this, &ParameterGroups::refresh);
}

Json ParameterGroups::rules() const {
  const Json given = context_.recipe->given().value("parameters", Json::array());
  return given.is_array() ? given : Json::array();
}

void ParameterGroups::refresh() {
  const Json rules = this->rules();
  filling_ = true;
  table_->setRowCount(int(rules.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const Json& rule = rules[size_t(row)];
    for (int column = 0; column < Count; ++column) {
      QTableWidgetItem* cell = table_->item(row, column);
      if (cell == nullptr) {
        cell = new QTableWidgetItem;
        if (column == Frozen) cell->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        table_->setItem(row, column, cell);
      }
      if (column == Frozen) {
        const bool frozen = rule.is_object() && rule.contains("frozen") && rule.at("frozen") == Json(true);
        cell->setCheckState(frozen ? Qt::Checked : Qt::Unchecked);
      } else {
        cell->setText(cellText(rule, kKeys[column]));
      }
    }
  }
  filling_ = false;
  table_->setVisible(!rules.empty());
  remove_->setVisible(!rules.empty());
  remove_->setEnabled(table_->currentRow() >= 0);
  const int rows = std::min(kMostRowsShown, table_->rowCount());
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() + rows * kRowHeight + 4);
  problem_->hide();
  for (const auto& problem : context_.recipe->problems()) {
    if (problem.key.rfind("parameters[", 0) != 0) continue;
    const QString key = QString::fromStdString(problem.key);
    problem_->setText(tr("Line %1: %2").arg(key.section('[', 1).section(']', 0, 0).toInt() + 1).arg(
        problemText(specAt(context_.recipe->document(), key), context_.recipe->value(key), problem)));
    problem_->show();
    break;
  }
}

// A step of undo of its own.
void ParameterGroups::replace(const Json& rules) {
  Json given = context_.recipe->given();
  putAt(given, "parameters", rules.empty() ? Json() : rules);
  context_.recipe->replaceAll(given);
}

void ParameterGroups::add() {
  Json next = rules();
  next.push_back({{"match", "*.bias"}, {"lr_factor", 1.0}});
  replace(next);
  table_->setCurrentCell(table_->rowCount() - 1, Match);
  table_->editItem(table_->currentItem());
}

void ParameterGroups::removeCurrent() {
  Json next = rules();
  const int row = table_->currentRow();
  if (row < 0 || size_t(row) >= next.size()) return;
  next.erase(size_t(row));
  replace(next);
}

void ParameterGroups::store(int row, int column) {
  if (filling_) return;
  Json next = rules();
  if (size_t(row) >= next.size()) return;
  Json& rule = next[size_t(row)];
  const QTableWidgetItem* cell = table_->item(row, column);
  const QString text = cell->text().trimmed();
  if (column == Frozen)
    rule["frozen"] = cell->checkState() == Qt::Checked;
  else if (column == Match)
    rule["match"] = text.toStdString();
  else if (text.isEmpty())
    rule.erase(kKeys[column]);
  else
    rule[kKeys[column]] = numberJson(text, false);
  context_.recipe->set("parameters", next);
}

bool ParameterGroups::reveal(const QString& key) {
  if (!key.startsWith("parameters")) return false;
  table_->setCurrentCell(key.section('[', 1).section(']', 0, 0).toInt(), Match);
  table_->setFocus(Qt::OtherFocusReason);
  return true;
}

void ParameterGroups::retranslate() {
  setTitle(tr("Groups of parameters"));
  note_->setText(tr("Other rates for some parts of the network: a lower one for layers that know a lot already. * stands for anything; the last line that "
                    "matches counts."));
  table_->setHorizontalHeaderLabels({catalogueText("Name pattern"), catalogueText("Learning rate ×"), catalogueText("Weight decay"), catalogueText("Frozen")});
  add_->setText(tr("Add a group"));
  remove_->setText(tr("Remove"));
  refresh();
}

}  // namespace trainyard::ui
