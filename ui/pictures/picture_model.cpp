#include "ui/pictures/picture_model.h"

#include <QCoreApplication>
#include <QMutex>
#include <QPointer>
#include <algorithm>

#include "ui/pictures/thumbnail.h"

namespace trainyard::ui {
namespace {

constexpr int kKept = 3000;       // thumbnails
constexpr size_t kWaiting = 400;  // requests; older ones have scrolled out of sight
constexpr int kWorkers = 2;
constexpr uint64_t kShuffleSeed = 1;

std::vector<uint64_t> matching(const DatasetScan::Facts& facts, const std::vector<data::Part>& parts, const PictureModel::Filter& filter) {
  const data::Dataset& dataset = *facts.dataset;
  QHash<QString, int> places;
  if (filter.only) {
    for (int i = 0; i < filter.only->size(); ++i) places.insert(filter.only->at(i), i);
  }
  std::vector<uint64_t> rows;
  std::vector<std::pair<int, uint64_t>> placed;
  // Folders come class by class: shuffled, the first screen shows what the data is like.
  for (const uint64_t index : data::epochOrder(dataset.size(), kShuffleSeed, 0)) {
    if (filter.label >= 0 && dataset.label(index) != filter.label) continue;
    if (filter.part != data::Part::Unassigned && parts[index] != filter.part) continue;
    if (filter.name.isEmpty() && !filter.only) {
      rows.push_back(index);
      continue;
    }
    const QString name = QString::fromStdString(dataset.name(index));
    if (!filter.name.isEmpty() && !name.contains(filter.name, Qt::CaseInsensitive)) continue;
    if (!filter.only) {
      rows.push_back(index);
    } else if (const auto place = places.constFind(name); place != places.constEnd()) {
      placed.emplace_back(*place, index);
    }
  }
  std::sort(placed.begin(), placed.end());
  for (const auto& [place, index] : placed) rows.push_back(index);
  return rows;
}

}  // namespace

struct PictureModel::Requests {
  struct Entry {
    uint64_t generation, index;
    std::shared_ptr<const DatasetScan::Facts> facts;
    std::shared_ptr<const loader::Preview> preview;
    qreal scale;
  };
  QMutex mutex;
  std::vector<Entry> stack;
};

PictureModel::PictureModel(QObject* parent) : QAbstractListModel(parent), thumbs_(kKept), requests_(std::make_shared<Requests>()) {
  workers_.setMaxThreadCount(kWorkers);
  workers_.setThreadPriority(QThread::LowestPriority);
}

PictureModel::~PictureModel() {
  {
    QMutexLocker lock(&requests_->mutex);
    requests_->stack.clear();
  }
  workers_.waitForDone();
}

void PictureModel::setFacts(std::shared_ptr<const DatasetScan::Facts> facts) {
  if (facts == facts_) return;
  beginResetModel();
  facts_ = std::move(facts);
  rows_.clear();
  forgetThumbs();
  std::vector<data::Part> parts(facts_ ? facts_->dataset->size() : 0, data::Part::Train);
  if (facts_) {
    for (const uint64_t index : facts_->parts.validation) parts[index] = data::Part::Validation;
    for (const uint64_t index : facts_->parts.test) parts[index] = data::Part::Test;
  }
  parts_ = std::make_shared<const std::vector<data::Part>>(std::move(parts));
  endResetModel();
  filterNow();
}

void PictureModel::forgetThumbs() {
  ++generation_;
  {
    QMutexLocker lock(&requests_->mutex);
    requests_->stack.clear();
  }
  row_of_.clear();
  thumbs_.clear();
  pending_.clear();
}

void PictureModel::setPreview(std::shared_ptr<const loader::Preview> preview) {
  if (preview == nullptr && preview_ == nullptr) return;
  preview_ = std::move(preview);
  forgetThumbs();
  if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(int(rows_.size()) - 1), {Qt::DecorationRole, BrokenRole});
}

void PictureModel::setFilter(const Filter& filter) {
  filter_ = filter;
  filterNow();
}

void PictureModel::filterNow() {
  const uint64_t generation = ++filter_generation_;
  if (!facts_) {
    filtering_ = false;
    Q_EMIT filtered();
    return;
  }
  filtering_ = true;
  workers_.start([self = QPointer(this), generation, facts = facts_, filter = filter_, parts = parts_] {
    std::vector<uint64_t> rows = matching(*facts, *parts, filter);
    QMetaObject::invokeMethod(
        qApp,
        [self, generation, rows = std::move(rows)]() mutable {
          if (self.isNull() || self->filter_generation_ != generation) return;
          self->beginResetModel();
          self->rows_ = std::move(rows);
          self->row_of_.clear();
          self->filtering_ = false;
          self->endResetModel();
          Q_EMIT self->filtered();
        },
        Qt::QueuedConnection);
  });
}

int PictureModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

const PictureModel::Thumb* PictureModel::thumb(uint64_t index) const { return thumbs_.object(index); }

QVariant PictureModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || size_t(index.row()) >= rows_.size() || !facts_) return {};
  const uint64_t sample = rows_[size_t(index.row())];
  const data::Dataset& dataset = *facts_->dataset;
  const auto name = [&] {
    const int label = dataset.label(sample);
    return label >= 0 && size_t(label) < dataset.classes().size() ? QString::fromStdString(dataset.classes()[size_t(label)]) : QString();
  };
  switch (role) {
    case Qt::DisplayRole:
    case ClassRole:
      return name();
    case Qt::ToolTipRole: {
      const Thumb* made = thumb(sample);
      const QString problem = made != nullptr ? made->problem : QString();
      const data::Part part = (*parts_)[sample];
      const QString where = part == data::Part::Validation ? " · " + tr("validation") : part == data::Part::Test ? " · " + tr("set aside") : QString();
      return QString::fromStdString(dataset.name(sample)) + "\n" + name() + where + (problem.isEmpty() ? QString() : "\n" + problem);
    }
    case IndexRole:
      return QVariant::fromValue(quint64(sample));
    case NameRole:
      return QString::fromStdString(dataset.name(sample));
    case PartRole:
      return int((*parts_)[sample]);
    case BrokenRole:
      return thumb(sample) != nullptr && !thumb(sample)->problem.isEmpty();
    case Qt::DecorationRole:
      if (const Thumb* made = thumb(sample)) return made->pixmap;
      row_of_[sample] = index.row();
      request(sample);
      return {};
    default:
      return {};
  }
}

void PictureModel::request(uint64_t index) const {
  if (pending_.contains(index)) return;
  pending_.insert(index);
  {
    QMutexLocker lock(&requests_->mutex);
    requests_->stack.push_back({generation_, index, facts_, preview_, scale_});
    if (requests_->stack.size() > kWaiting) {
      pending_.remove(requests_->stack.front().index);
      requests_->stack.erase(requests_->stack.begin());
    }
  }
  workers_.start([self = QPointer(const_cast<PictureModel*>(this)), requests = requests_] {
    Requests::Entry entry;
    {
      QMutexLocker lock(&requests->mutex);
      if (requests->stack.empty()) return;
      entry = requests->stack.back();
      requests->stack.pop_back();
    }
    const data::Dataset& dataset = *entry.facts->dataset;
    const auto picture = entry.preview ? entry.preview->picture(dataset, entry.index, 0) : dataset.picture(entry.index);
    const QImage image = picture ? makeThumbnail(*picture, QSize(kThumbWidth, kThumbHeight), entry.scale) : QImage();
    const QString problem = picture ? QString() : QString::fromStdString(picture.error().what);
    QMetaObject::invokeMethod(
        qApp,
        [self, entry, image, problem] {
          if (!self.isNull()) self->arrived(entry.generation, entry.index, image, problem);
        },
        Qt::QueuedConnection);
  });
}

void PictureModel::arrived(uint64_t generation, uint64_t index, const QImage& image, const QString& problem) {
  if (generation != generation_) return;
  pending_.remove(index);
  thumbs_.insert(index, new Thumb{QPixmap::fromImage(image), problem});
  const int row = row_of_.take(index);
  if (size_t(row) < rows_.size() && rows_[size_t(row)] == index) Q_EMIT dataChanged(this->index(row), this->index(row), {Qt::DecorationRole, BrokenRole});
}

}  // namespace trainyard::ui
