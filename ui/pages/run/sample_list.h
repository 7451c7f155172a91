#pragma once
// Pictures that a run was checked on, with what it answered and how sure it was. Thumbnails are made when they are looked at, on a worker
// thread, from the run's own data. GUI thread.
#include <QAbstractListModel>
#include <QListView>
#include <QPixmap>
#include <QSet>
#include <QStyledItemDelegate>
#include <QThreadPool>
#include <memory>
#include <optional>

#include "core/recipe/recipe.h"
#include "ui/pages/run/run_samples.h"

namespace trainyard::ui {

class SampleModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { AnswerRole = Qt::UserRole + 1, TargetRole, ProbabilityRole, WrongRole };
  static constexpr int kThumbWidth = 104, kThumbHeight = 80;

  explicit SampleModel(QObject* parent = nullptr);
  ~SampleModel() override;
  void setSource(const std::optional<recipe::Data>& data);  // where the pictures are
  void setSamples(const RunSamples& samples);
  void setFilter(int truth, int answer);  // -1, -1: all
  void setScale(qreal device_pixel_ratio) { scale_ = device_pixel_ratio; }
  bool idle() const { return pending_.isEmpty(); }
  const Sample& sample(int row) const { return samples_.samples[rows_[size_t(row)]]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  struct Source;  // shared with the worker
  void fill();
  QString className(int index) const { return index >= 0 ? samples_.classes.value(index, QString::number(index)) : QString(); }
  void request(size_t sample) const;
  void arrived(const std::shared_ptr<Source>& source, const QString& name, const QImage& image);

  RunSamples samples_;
  std::vector<size_t> rows_;
  int truth_ = -1, answer_ = -1;
  qreal scale_ = 1;
  std::shared_ptr<Source> source_;
  QHash<QString, QPixmap> thumbs_;  // by name: a few thousand at most
  mutable QSet<QString> pending_;
  mutable QThreadPool worker_;
};

class SampleDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// A grid of them.
class SampleGrid : public QListView {
  Q_OBJECT
 public:
  explicit SampleGrid(QWidget* parent = nullptr);
  SampleModel* samples() const { return model_; }

 private:
  SampleModel* model_;
};

}  // namespace trainyard::ui
