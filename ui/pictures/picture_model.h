#pragma once
// The pictures of a dataset as a list. Thumbnails are made when they are looked at, newest request first, on two worker threads; the rest
// costs one number a picture. GUI thread.
#include <QAbstractListModel>
#include <QCache>
#include <QPixmap>
#include <QSet>
#include <QStringList>
#include <QThreadPool>
#include <memory>
#include <vector>

#include "core/loader/preview.h"
#include "ui/pictures/dataset_scan.h"

namespace trainyard::ui {

class PictureModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { IndexRole = Qt::UserRole + 1, ClassRole, PartRole, BrokenRole, NameRole };
  static constexpr int kThumbWidth = 116, kThumbHeight = 88;

  explicit PictureModel(QObject* parent = nullptr);
  ~PictureModel() override;

  void setFacts(std::shared_ptr<const DatasetScan::Facts> facts);
  // Which are shown: a class (-1: all), a part, a piece of the file's name, and, unless null, only those of a list, in its order. Looked up on
  // a worker thread.
  struct Filter {
    int label = -1;
    data::Part part = data::Part::Unassigned;  // Unassigned: all
    QString name;
    std::shared_ptr<const QStringList> only;
  };
  void setFilter(const Filter& filter);
  // Pictures as the network gets them in the first epoch; null: as they are stored.
  void setPreview(std::shared_ptr<const loader::Preview> preview);
  const std::shared_ptr<const DatasetScan::Facts>& facts() const { return facts_; }
  void setScale(qreal device_pixel_ratio) { scale_ = device_pixel_ratio; }
  bool idle() const { return pending_.isEmpty() && !filtering_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 Q_SIGNALS:
  void filtered();

 private:
  struct Requests;  // shared with the workers
  struct Thumb {
    QPixmap pixmap;
    QString problem;
  };
  const Thumb* thumb(uint64_t index) const;
  void request(uint64_t index) const;
  void arrived(uint64_t generation, uint64_t index, const QImage& image, const QString& problem);
  void filterNow();
  void forgetThumbs();

  std::shared_ptr<const DatasetScan::Facts> facts_;
  std::shared_ptr<const loader::Preview> preview_;
  std::shared_ptr<const std::vector<data::Part>> parts_;  // of each sample of the dataset
  std::vector<uint64_t> rows_;                            // row → dataset index
  mutable QHash<quint64, int> row_of_;                    // rows whose thumbnail is on its way
  Filter filter_;
  uint64_t generation_ = 0, filter_generation_ = 0;
  bool filtering_ = false;
  qreal scale_ = 1;
  mutable QCache<quint64, Thumb> thumbs_;
  mutable QSet<quint64> pending_;
  std::shared_ptr<Requests> requests_;
  mutable QThreadPool workers_;
};

}  // namespace trainyard::ui
