#pragma once
// The layers of the recipe's network, as the engine builds it: shapes, parameters, work and memory; frozen ones can be marked.
#include <QAbstractTableModel>
#include <QTableView>
#include <QTimer>

#include "ui/context.h"
#include "ui/engine_link/engine_call.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class LayerModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Kind, Output, Parameters, Work, Memory, Frozen, Count };
  using QAbstractTableModel::QAbstractTableModel;
  void setLayers(const Json& layers);  // of `model show`
  void retranslate() { Q_EMIT headerDataChanged(Qt::Horizontal, 0, Count - 1); }
  QString name(int row) const;
  bool frozen(int row) const;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  Json layers_ = Json::array();
};

// "11.7 M", "1.8 G": counts of parameters and operations.
QString shortCount(double value);

class LayerCard : public Card {
  Q_OBJECT
 public:
  explicit LayerCard(Context& context, QWidget* parent = nullptr);
  void look();  // asks again if the recipe has changed; called while the card is to be seen
  void show(const Json& document);
  void retranslate();
  bool settled() const { return !call_.running() && !later_.isActive(); }
  LayerModel* layers() const { return model_; }
  QString totals() const { return totals_->text(); }
  void freeze(int row, bool on);

 private:
  void ask();
  void place();

  Context& context_;
  EngineCall call_;
  QTimer later_;
  Json asked_, answer_;
  QString problem_;
  LayerModel* model_;
  QTableView* view_;
  QLabel *totals_, *note_;
};

}  // namespace trainyard::ui
