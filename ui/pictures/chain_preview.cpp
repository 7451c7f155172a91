#include "ui/pictures/chain_preview.h"

#include <QCoreApplication>
#include <QPointer>
#include <QRegularExpression>
#include <QThreadPool>
#include <algorithm>

#include "core/augment/mix.h"
#include "ui/forms/messages.h"
#include "ui/pictures/thumbnail.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

using Shown = ChainPreview::Shown;

// Takes a step's place, so that the others keep their numbers, and does nothing.
const Json kNothing = {{"op", "random_horizontal_flip"}, {"enabled", false}};

QImage copyOf(const cv::Mat& picture) {
  if (picture.empty() || picture.depth() != CV_8U || (picture.channels() != 1 && picture.channels() != 3)) return {};
  return QImage(picture.data, picture.cols, picture.rows, qsizetype(picture.step[0]),
                picture.channels() == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888)
      .copy();
}

// "augment[3]" of "augment[3].transforms[0].size" or "augment[3] random_crop"; -1: none.
int stepIn(const QString& where, const QString& chain) {
  const QRegularExpression number("(?:^|[^a-z_])" + chain + "\\[(\\d+)\\]");
  const auto match = number.match(where);
  return match.hasMatch() ? match.captured(1).toInt() : -1;
}

// One picture's way through a chain whose steps may be wrong: each that is turns into nothing, until the rest works.
class Making {
 public:
  Making(recipe::Recipe recipe, QString chain, std::shared_ptr<const DatasetScan::Facts> facts, Shown shown)
      : recipe_(std::move(recipe)), chain_(std::move(chain)), facts_(std::move(facts)), shown_(std::move(shown)) {}

  Shown run(const std::function<bool()>& overtaken) {
    const auto picture = facts_->dataset->picture(shown_.wanted.sample);
    if (!picture) {
      shown_.problem = QString::fromStdString(picture.error().what);
      return std::move(shown_);
    }
    shown_.width = picture->cols;
    shown_.height = picture->rows;
    shown_.original = picture->cols > ChainPreview::kOriginal || picture->rows > ChainPreview::kOriginal
                          ? makePicture(*picture, {ChainPreview::kOriginal, ChainPreview::kOriginal}, 1)
                          : copyOf(*picture);
    const size_t tries = steps().size() + 1;
    for (size_t i = 0; i < tries && !overtaken(); ++i) {
      auto done = samples(overtaken);
      if (done) break;
      shown_.samples.clear();
      shown_.mixed.clear();
      if (!leaveOut(done.error())) break;
    }
    return std::move(shown_);
  }

 private:
  std::vector<recipe::Choice>& steps() { return chain_ == "augment" ? recipe_.augment : recipe_.eval_augment; }

  Result<void> samples(const std::function<bool()>& overtaken) {
    const augment::Shape stored{facts_->channels, facts_->height, facts_->width};
    TRAINYARD_TRY(const auto preview, loader::Preview::make(recipe_, stored, shown_.wanted.training));
    const auto mixer = shown_.wanted.training ? augment::Mixer::make(recipe_) : std::nullopt;
    for (int i = 0; i < shown_.wanted.count && !overtaken(); ++i) {
      const uint64_t epoch = shown_.wanted.epoch + uint64_t(i);
      TRAINYARD_TRY(cv::Mat pixels, preview.picture(*facts_->dataset, shown_.wanted.sample, epoch));
      if (mixer) shown_.mixed.push_back(mix(preview, *mixer, epoch, pixels));
      shown_.samples.push_back(copyOf(pixels));
    }
    return {};
  }

  // As the loader does: with the sample before it in its update, the first with the last.
  ChainPreview::Mixed mix(const loader::Preview& preview, const augment::Mixer& mixer, uint64_t epoch, cv::Mat& pixels) const {
    const auto& train = facts_->parts.train;
    const auto own = std::lower_bound(train.begin(), train.end(), shown_.wanted.sample);
    if (own == train.end() || *own != shown_.wanted.sample) return {};
    const auto order = data::epochOrder(train.size(), recipe_.run.seed, epoch);
    const auto position = uint64_t(std::find(order.begin(), order.end(), uint64_t(own - train.begin())) - order.begin());
    const uint64_t batch = recipe_.train.batch_size, step = position / batch, first = step * batch;
    const uint64_t last = std::min<uint64_t>(first + batch, order.size()) - 1;
    const uint64_t partner = train[order[position > first ? position - 1 : last]];
    const auto other = preview.picture(*facts_->dataset, partner, epoch);
    if (!other || other->size() != pixels.size()) return {};
    const augment::Mix mixed = mixer.draw(recipe_.run.seed, epoch, step, preview.shape());
    cv::Mat ours, theirs;
    pixels.convertTo(ours, CV_32F);
    other->convertTo(theirs, CV_32F);
    const size_t floats = ours.total() * size_t(ours.channels());
    augment::apply(mixed, preview.shape(), {ours.ptr<float>(), floats}, {theirs.ptr<float>(), floats});
    ours.convertTo(pixels, CV_8U);
    const int label = facts_->dataset->label(partner);
    const bool named = facts_->dataset->task() == data::Task::Classes && size_t(label) < facts_->dataset->classes().size();
    return {double(mixed.share), QString::fromStdString(named ? facts_->dataset->classes()[size_t(label)] : facts_->dataset->name(partner))};
  }

  bool leaveOut(const Error& error) {
    const int step = stepIn(QString::fromStdString(error.where), chain_);
    QString text = QString::fromStdString(error.what);
    if (!error.hint.empty()) text += ": " + QString::fromStdString(error.hint);
    if (step < 0 || size_t(step) >= steps().size()) {
      shown_.faults.push_back({error.where == "data.size" ? QStringLiteral("data.size") : QString(), text});
      return false;
    }
    shown_.faults.push_back({QString("%1[%2]").arg(chain_).arg(step), text});
    steps()[size_t(step)] = {"random_horizontal_flip", {{"enabled", false}, {"p", 0.0}}};
    return true;
  }

  recipe::Recipe recipe_;
  QString chain_;
  std::shared_ptr<const DatasetScan::Facts> facts_;
  Shown shown_;
};

}  // namespace

ChainPreview::ChainPreview(RecipeDocument* recipe, QObject* parent) : QObject(parent), recipe_(recipe) {}

ChainPreview::~ChainPreview() { ++*newest_; }

void ChainPreview::request(const std::shared_ptr<const DatasetScan::Facts>& facts, const Wanted& wanted) {
  const uint64_t number = ++*newest_;
  Shown shown;
  shown.wanted = wanted;
  // Steps whose values are wrong, first by the check of the recipe.
  Json given = recipe_->given();
  const Json apart = valueAt(given, "eval_augment");
  const QString chain = wanted.training || !apart.is_array() || apart.empty() ? "augment" : "eval_augment";
  for (const auto& problem : recipe_->problems()) {
    const QString key = QString::fromStdString(problem.key);
    const int step = stepIn(key, chain);
    if (!key.startsWith(chain) || step < 0 || size_t(step) >= given[chain.toStdString()].size()) continue;
    const QString owner = key.contains('.') ? key.left(key.lastIndexOf('.')) : key;
    shown.faults.push_back({owner, problemText(specAt(recipe_->document(), key), recipe_->value(key), problem)});
    given[chain.toStdString()][size_t(step)] = kNothing;
  }
  auto recipe = recipe_->partOf(given, {"run", "data", "augment", "eval_augment"});
  if (!recipe) {
    busy_ = false;
    shown.faults.push_back({{}, QString::fromStdString(recipe.error().what)});
    shown_ = std::move(shown);
    Q_EMIT changed();
    return;
  }
  shown.seed = recipe->run.seed;
  // Whatever else is wrong in [train]: mixing alone wants it.
  const Json batch = recipe_->value("train.batch_size");
  recipe->train.batch_size = batch.is_number_integer() && batch.get<int64_t>() > 0 ? batch.get<uint64_t>() : 1;
  busy_ = true;
  QThreadPool::globalInstance()->start(
      [self = QPointer(this), newest = newest_, number, making = Making(std::move(*recipe), chain, facts, std::move(shown))]() mutable {
        const auto overtaken = [&] { return *newest != number; };
        if (overtaken()) return;
        Shown made = making.run(overtaken);
        QMetaObject::invokeMethod(
            qApp,
            [self, newest, number, made = std::move(made)]() mutable {
              if (self.isNull() || *newest != number) return;
              self->busy_ = false;
              self->shown_ = std::move(made);
              Q_EMIT self->changed();
            },
            Qt::QueuedConnection);
      });
}

}  // namespace trainyard::ui
