#include "ui/pictures/dataset_scan.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "core/base/units.h"
#include "core/data/test_part.h"
#include "core/loader/preview.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kAfterTypingMs = 250;

using Found = Result<std::shared_ptr<const DatasetScan::Facts>>;

Found look(const recipe::Recipe& recipe) {
  const double start = steadySeconds();
  TRAINYARD_TRY(data::Opened opened, data::openWithTestPart(recipe));
  auto facts = std::make_shared<DatasetScan::Facts>();
  if (const auto test = data::testPartOf(recipe)) facts->test_openings = test->openings.size();
  facts->dataset = opened.dataset;
  facts->parts = std::move(opened.parts);
  facts->class_counts.assign(facts->dataset->classes().size(), 0);
  for (const auto* part : {&facts->parts.train, &facts->parts.validation, &facts->parts.test}) {
    const auto counts = data::classCounts(*facts->dataset, *part);
    for (size_t i = 0; i < counts.size() && i < facts->class_counts.size(); ++i) facts->class_counts[i] += counts[i];
  }
  if (facts->dataset->columns() == nullptr && facts->dataset->task() != data::Task::Tokens) {
    if (const auto shape = loader::storedShape(*facts->dataset, facts->parts.train)) {
      facts->width = shape->width;
      facts->height = shape->height;
      facts->channels = shape->channels;
    }
  }
  facts->seconds = steadySeconds() - start;
  return facts;
}

}  // namespace

DatasetScan::DatasetScan(RecipeDocument* recipe, QObject* parent) : QObject(parent), recipe_(recipe) {
  later_.setSingleShot(true);
  later_.setInterval(kAfterTypingMs);
  connect(&later_, &QTimer::timeout, this, &DatasetScan::start);
  connect(recipe_, &RecipeDocument::changed, this, &DatasetScan::consider);
  consider();
}

void DatasetScan::scanAgain() {
  asked_ = nullptr;
  consider();
}

void DatasetScan::consider() {
  // Loader threads, size and colours do not change what is there.
  Json wanted = valueAt(recipe_->document(), "data");
  if (!wanted.is_object()) return;
  for (const auto* key : {"workers", "size", "channels", "cache", "reduced_decode"}) wanted.erase(key);
  wanted["seed"] = recipe_->value("run.seed");
  wanted["name"] = recipe_->value("run.name");  // a test part belongs to a recipe of that name
  if (wanted == asked_) return;
  asked_ = std::move(wanted);
  later_.start();
}

void DatasetScan::start() {
  const uint64_t generation = ++generation_;
  const Json path = recipe_->value("data.path");
  error_.reset();
  if (!path.is_string() || path.get_ref<const std::string&>().empty()) {
    state_ = State::Nothing;
    facts_.reset();
    Q_EMIT changed();
    return;
  }
  auto recipe = recipe_->part({"run", "data"});
  // A seed or a name that is wrong does not take the pictures away.
  if (!recipe) recipe = recipe_->part({"data"});
  if (!recipe) {
    state_ = State::Failed;
    error_ = recipe.error();
    facts_.reset();
    Q_EMIT changed();
    return;
  }
  state_ = State::Reading;
  Q_EMIT changed();
  QThreadPool::globalInstance()->start([self = QPointer(this), generation, recipe = *recipe] {
    Found found = look(recipe);
    // The pointer is only looked at on the window's thread.
    QMetaObject::invokeMethod(
        qApp,
        [self, generation, found = std::move(found)] {
          if (self.isNull() || self->generation_ != generation) return;
          self->state_ = found ? State::Ready : State::Failed;
          self->facts_ = found ? *found : nullptr;
          if (!found) self->error_ = found.error();
          Q_EMIT self->changed();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace trainyard::ui
