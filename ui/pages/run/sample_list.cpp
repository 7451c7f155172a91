#include "ui/pages/run/sample_list.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <QPointer>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "core/data/dataset.h"
#include "ui/models/run_text.h"
#include "ui/pictures/thumbnail.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {

// Opened by the first picture that is asked for.
struct SampleModel::Source {
  explicit Source(recipe::Data given) : data(std::move(given)) {}

  QImage thumbnail(const Sample& sample, const QSize& size, qreal scale) {
    const std::scoped_lock guard(mutex);
    if (!tried) {
      tried = true;
      if (auto opened = data::open(data)) dataset = std::move(*opened);
    }
    if (!dataset || dataset->columns() != nullptr) return {};
    const auto index = find(sample);
    if (!index) return {};
    const auto picture = dataset->picture(*index);
    return picture ? makeThumbnail(*picture, size, scale) : QImage();
  }

 private:
  // The data may have grown since: the name decides.
  std::optional<uint64_t> find(const Sample& sample) {
    const std::string name = sample.name.toStdString();
    if (sample.index < dataset->size() && dataset->name(sample.index) == name) return sample.index;
    if (by_name.empty()) {
      for (uint64_t i = 0; i < dataset->size(); ++i) by_name.emplace(dataset->name(i), i);
    }
    const auto found = by_name.find(name);
    return found == by_name.end() ? std::nullopt : std::optional(found->second);
  }

  const recipe::Data data;
  std::mutex mutex;
  bool tried = false;
  std::unique_ptr<data::Dataset> dataset;
  std::unordered_map<std::string, uint64_t> by_name;
};

SampleModel::SampleModel(QObject* parent) : QAbstractListModel(parent) { worker_.setMaxThreadCount(1); }

SampleModel::~SampleModel() {
  worker_.clear();
  worker_.waitForDone();
}

void SampleModel::setSource(const std::optional<recipe::Data>& data) {
  worker_.clear();
  pending_.clear();
  thumbs_.clear();
  source_ = data ? std::make_shared<Source>(*data) : nullptr;
  fill();
}

void SampleModel::setSamples(const RunSamples& samples) {
  beginResetModel();
  samples_ = samples;
  rows_.clear();
  endResetModel();
  fill();
}

void SampleModel::setFilter(int truth, int answer) {
  truth_ = truth;
  answer_ = answer;
  fill();
}

void SampleModel::fill() {
  beginResetModel();
  rows_.clear();
  for (size_t i = 0; i < samples_.samples.size(); ++i) {
    const Sample& one = samples_.samples[i];
    const bool wanted = truth_ < 0 || (one.target == truth_ && !one.top.empty() && one.top.front().index == answer_);
    if (wanted) rows_.push_back(i);
  }
  endResetModel();
}

int SampleModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

QVariant SampleModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || size_t(index.row()) >= rows_.size()) return {};
  const Sample& one = sample(index.row());
  const QString answer = one.top.empty() ? QString() : className(one.top.front().index);
  switch (role) {
    case Qt::DecorationRole: {
      const auto found = thumbs_.constFind(one.name);
      if (found != thumbs_.constEnd()) return *found;
      request(rows_[size_t(index.row())]);
      return {};
    }
    case AnswerRole:
      return answer;
    case TargetRole:
      return className(one.target);
    case ProbabilityRole:
      return one.top.empty() ? qQNaN() : one.top.front().probability;
    case WrongRole:
      return one.wrong();
    case Qt::AccessibleTextRole:
      return one.wrong() ? tr("%1, not %2").arg(answer, className(one.target)) : answer;
    case Qt::ToolTipRole: {
      QString text = QString("<b>%1</b>").arg(one.name.toHtmlEscaped());
      for (const Guess& guess : one.top) text += QString("<br>%1: %2").arg(className(guess.index).toHtmlEscaped(), percentText(guess.probability));
      if (one.target >= 0) text += "<br>" + tr("Labelled: %1").arg(className(one.target).toHtmlEscaped());
      return text;
    }
    default:
      return {};
  }
}

void SampleModel::request(size_t sample) const {
  const Sample& one = samples_.samples[sample];
  if (!source_ || pending_.contains(one.name)) return;
  pending_.insert(one.name);
  const QPointer<SampleModel> self(const_cast<SampleModel*>(this));
  worker_.start([self, source = source_, one, scale = scale_] {
    const QImage image = source->thumbnail(one, {kThumbWidth, kThumbHeight}, scale);
    QMetaObject::invokeMethod(
        qApp,
        [self, source, name = one.name, image] {
          if (self) self->arrived(source, name, image);
        },
        Qt::QueuedConnection);
  });
}

void SampleModel::arrived(const std::shared_ptr<Source>& source, const QString& name, const QImage& image) {
  if (source != source_) return;
  pending_.remove(name);
  thumbs_[name] = QPixmap::fromImage(image);
  if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(int(rows_.size()) - 1), {Qt::DecorationRole});
}

QSize SampleDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {SampleModel::kThumbWidth, SampleModel::kThumbHeight + 4 + 2 * QFontMetrics(textFont(TextSize::Axis)).height()};
}

void SampleDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QPalette palette = QApplication::palette();
  const QRectF frame(option.rect.left(), option.rect.top(), SampleModel::kThumbWidth, SampleModel::kThumbHeight);
  painter->save();
  painter->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  QPainterPath path;
  path.addRoundedRect(frame, 4, 4);
  painter->fillPath(path, palette.color(QPalette::Button));
  painter->setClipPath(path);
  const QPixmap pixmap = index.data(Qt::DecorationRole).value<QPixmap>();
  if (!pixmap.isNull()) painter->drawPixmap(frame.topLeft(), pixmap);
  painter->setClipping(false);
  const bool marked = option.state & (QStyle::State_Selected | QStyle::State_HasFocus);
  painter->setPen(QPen(palette.color(marked ? QPalette::Link : QPalette::Mid), marked ? 2 : 1));
  painter->drawPath(path);
  painter->setFont(textFont(TextSize::Axis));
  const QFontMetrics metrics = painter->fontMetrics();
  const bool wrong = index.data(SampleModel::WrongRole).toBool();
  const QString answer = index.data(SampleModel::AnswerRole).toString(), target = index.data(SampleModel::TargetRole).toString();
  const QRectF first(frame.left(), frame.bottom() + 4, frame.width(), metrics.height());
  painter->setPen(palette.color(wrong ? QPalette::BrightText : QPalette::WindowText));
  const QString probability = percentText(index.data(SampleModel::ProbabilityRole).toDouble(), 0);
  const int room = int(frame.width()) - metrics.horizontalAdvance(probability) - 6;
  painter->drawText(first, Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(answer, Qt::ElideRight, room));
  painter->setPen(palette.color(QPalette::PlaceholderText));
  painter->drawText(first, Qt::AlignRight | Qt::AlignTop, probability);
  if (wrong) {
    const QString text = tr("not %1").arg(target);
    painter->drawText(first.translated(0, metrics.height()), Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(text, Qt::ElideRight, int(frame.width())));
  }
  painter->restore();
}

SampleGrid::SampleGrid(QWidget* parent) : QListView(parent), model_(new SampleModel(this)) {
  setModel(model_);
  setItemDelegate(new SampleDelegate(this));
  setViewMode(QListView::IconMode);
  setResizeMode(QListView::Adjust);
  setMovement(QListView::Static);
  setUniformItemSizes(true);
  setSpacing(5);
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setSelectionMode(QAbstractItemView::SingleSelection);
  model_->setScale(devicePixelRatioF());
}

}  // namespace trainyard::ui
