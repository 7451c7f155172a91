#include "ui/pages/model/layer_table.h"

#include <QHeaderView>
#include <QMenu>
#include <cmath>

#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kAskAfter_ms = 400;

double numberAt(const Json& object, const char* key) { return object.contains(key) ? numberFrom(object.at(key), 0) : 0; }

QString textAt(const Json& object, const char* key) {
  return object.contains(key) && object.at(key).is_string() ? QString::fromStdString(object.at(key).get<std::string>()) : QString();
}

// "64 × 56 × 56"
QString sizesText(const Json& sizes) {
  QStringList parts;
  if (sizes.is_array()) {
    for (const Json& size : sizes) parts << QString::number(qlonglong(numberFrom(size, 0)));
  }
  return parts.join(QStringLiteral(" × "));
}

}  // namespace

QString shortCount(double value) {
  static constexpr std::pair<double, const char*> kUnits[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [unit, suffix] : kUnits) {
    if (value >= unit) return QString::number(value / unit, 'f', value / unit < 100 ? 1 : 0) + QLatin1String(suffix);
  }
  return QString::number(std::llround(value));
}

void LayerModel::setLayers(const Json& layers) {
  beginResetModel();
  layers_ = layers.is_array() ? layers : Json::array();
  endResetModel();
}

QString LayerModel::name(int row) const { return textAt(layers_[size_t(row)], "name"); }
bool LayerModel::frozen(int row) const {
  const Json& layer = layers_[size_t(row)];
  return layer.contains("frozen") && layer.at("frozen") == Json(true);
}

int LayerModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(layers_.size()); }
int LayerModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(Count); }

QVariant LayerModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || size_t(index.row()) >= layers_.size() || !layers_[size_t(index.row())].is_object()) return {};
  const Json& layer = layers_[size_t(index.row())];
  const bool text = index.column() == Name || index.column() == Kind || index.column() == Output || index.column() == Frozen;
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (text ? Qt::AlignLeft : Qt::AlignRight));
  const double parameters = numberAt(layer, "parameters"), work = numberAt(layer, "multiply_adds"), memory = numberAt(layer, "activation_bytes");
  if (role == Qt::ToolTipRole) {
    if (index.column() == Parameters) return formatNumber(std::llround(parameters));
    if (index.column() == Work) return formatNumber(std::llround(work));
    return {};
  }
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Name: return name(index.row());
    case Kind: return textAt(layer, "kind");
    case Output: return layer.contains("output") ? sizesText(layer.at("output")) : QString();
    case Parameters: return parameters > 0 ? shortCount(parameters) : QStringLiteral("–");
    case Work: return work > 0 ? shortCount(work) : QStringLiteral("–");
    case Memory: return memory > 0 ? formatSize(quint64(memory)) : QStringLiteral("–");
    default: return frozen(index.row()) ? tr("frozen") : QString();
  }
}

QVariant LayerModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= Count) return {};
  const QString titles[] = {tr("Layer"), tr("Kind"), tr("Output"), tr("Parameters"), tr("Multiply-adds"), tr("Memory"), QString()};
  if (role == Qt::DisplayRole) return titles[section];
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (section >= Parameters && section <= Memory ? Qt::AlignRight : Qt::AlignLeft));
  if (role == Qt::ToolTipRole && section == Memory) return tr("What the layer's output takes, for one picture.");
  return {};
}

LayerCard::LayerCard(Context& context, QWidget* parent) : Card(parent), context_(context), model_(new LayerModel(this)) {
  totals_ = makeLabel("strong", this, true);
  totals_->setObjectName("layerTotals");
  note_ = makeLabel("secondary", this, true);
  view_ = new QTableView(this);
  view_->setModel(model_);
  view_->setShowGrid(false);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setAlternatingRowColors(true);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setDefaultSectionSize(26);
  view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view_->horizontalHeader()->setHighlightSections(false);
  view_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  body()->addWidget(totals_);
  body()->addWidget(note_);
  body()->addWidget(view_, 1);
  later_.setSingleShot(true);
  later_.setInterval(kAskAfter_ms);
  connect(&later_, &QTimer::timeout, this, &LayerCard::ask);
  connect(&call_, &EngineCall::finished, this, &LayerCard::show);
  connect(&call_, &EngineCall::failed, this, [this](const Error& error) {
    problem_ = QString::fromStdString(error.what + (error.where.empty() ? "" : " – " + error.where) + (error.hint.empty() ? "" : " – " + error.hint));
    answer_ = {};
    place();
  });
  connect(view_, &QTableView::customContextMenuRequested, this, [this](const QPoint& where) {
    const QModelIndex index = view_->indexAt(where);
    if (!index.isValid()) return;
    QMenu menu(this);
    const int row = index.row();
    menu.addAction(tr("Freeze %1").arg(model_->name(row)), this, [this, row] { freeze(row, true); })->setEnabled(!model_->frozen(row));
    menu.addAction(tr("Freeze everything before it"), this, [this, row] {
      for (int i = 0; i < row; ++i) freeze(i, true);
    });
    menu.addAction(tr("Let it learn"), this, [this, row] { freeze(row, false); })->setEnabled(model_->frozen(row));
    menu.exec(view_->viewport()->mapToGlobal(where));
  });
}

void LayerCard::freeze(int row, bool on) {
  Json patterns = context_.recipe->value("model.freeze");
  if (!patterns.is_array()) patterns = Json::array();
  const Json pattern = model_->name(row).toStdString() + ".*";
  const auto found = std::find(patterns.begin(), patterns.end(), pattern);
  if (on && found == patterns.end()) patterns.push_back(pattern);
  if (!on && found != patterns.end()) patterns.erase(found);
  context_.recipe->set("model.freeze", patterns.empty() ? Json() : patterns);
}

void LayerCard::look() {
  if (context_.recipe->document() != asked_) later_.start();
}

void LayerCard::ask() {
  asked_ = context_.recipe->document();
  problem_.clear();
  const auto whole = context_.recipe->whole();
  if (!whole) {
    call_.cancel();
    answer_ = {};
    problem_ = QString::fromStdString(whole.error().what);
    return place();
  }
  call_.startWith(whole->document, {}, {QStringLiteral("model"), QStringLiteral("show"), QStringLiteral("RECIPE")});
  place();
}

void LayerCard::show(const Json& document) {
  answer_ = document;
  place();
}

void LayerCard::place() {
  const bool known = answer_.is_object() && answer_.contains("layers");
  model_->setLayers(known ? answer_.at("layers") : Json::array());
  view_->setVisible(known);
  QString totals;
  if (known) {
    const double parameters = numberAt(answer_, "parameters"), trainable = numberAt(answer_, "trainable");
    totals = tr("%1 parameters (%2), %3 multiply-adds a picture").arg(shortCount(parameters), formatSize(quint64(numberAt(answer_, "bytes"))), shortCount(numberAt(answer_, "multiply_adds")));
    if (trainable < parameters) totals += QStringLiteral(" · ") + tr("%1 of them learn").arg(shortCount(trainable));
  }
  totals_->setText(totals);
  totals_->setVisible(known);
  setLook(note_, "look", problem_.isEmpty() ? "secondary" : "error");
  note_->setText(!problem_.isEmpty() ? problem_ : known ? tr("Right-click a layer to freeze it.") : tr("Building the network…"));
}

void LayerCard::retranslate() {
  setTitle(tr("Layers"));
  model_->retranslate();
  place();
}

}  // namespace trainyard::ui
