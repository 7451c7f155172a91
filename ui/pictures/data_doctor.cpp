#include "ui/pictures/data_doctor.h"

#include <sys/resource.h>

#include <QCoreApplication>
#include <QPointer>
#include <algorithm>
#include <thread>

#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kLookEveryMs = 150;
constexpr int kNice = 10;
constexpr double kTooEarly_s = 0.7;  // for a guess at the time left

}  // namespace

// Shared with the thread; it joins when the last owner lets go, which is never the thread itself.
struct DataDoctor::Job {
  std::atomic<bool> cancelled = false;
  std::atomic<uint64_t> done = 0, total = 0;
  std::thread thread;
  ~Job() {
    cancelled = true;
    if (thread.joinable()) thread.join();
  }
};

DataDoctor::DataDoctor(RecipeDocument* recipe, DatasetScan* dataset, std::function<bool()> busy, QObject* parent)
    : QObject(parent), recipe_(recipe), dataset_(dataset), busy_(std::move(busy)) {
  scan_ = [](const recipe::Data& data, uint64_t seed, const data::ScanOptions& options) { return data::scan(data, seed, options); };
  timer_.setInterval(kLookEveryMs);
  connect(&timer_, &QTimer::timeout, this, &DataDoctor::look);
  connect(dataset_, &DatasetScan::changed, this, &DataDoctor::consider);
  consider();
}

DataDoctor::~DataDoctor() {
  dismiss();
  ending_.clear();
}

double DataDoctor::secondsLeft() const {
  const double spent = since_.isValid() ? double(since_.elapsed()) / 1000 : 0;
  if (state_ != State::Running || done_ == 0 || total_ == 0 || spent < kTooEarly_s) return -1;
  return spent * double(total_ - std::min(done_, total_)) / double(done_);
}

void DataDoctor::consider() {
  if (dataset_->state() == DatasetScan::State::Reading) return;
  const auto& facts = dataset_->facts();
  if (facts == scanned_) return;
  if (facts == nullptr) {
    dismiss();
    scanned_.reset();
    report_.reset();
    state_ = State::Nothing;
    Q_EMIT changed();
    return;
  }
  start();
}

void DataDoctor::start() {
  dismiss();
  error_.reset();
  scanned_ = dataset_->facts();
  const Json source = {recipe_->value("data.format"), recipe_->value("data.path")};
  // Other pictures: what was said about the former ones does not count. Exclusions and another split keep it until the new report is here.
  if (source != source_) report_.reset();
  source_ = source;
  const auto data = recipe_->dataPart();
  if (!data) {
    state_ = State::Failed;
    error_ = data.error();
    Q_EMIT changed();
    return;
  }
  data::ScanOptions options;
  if (busy_ && busy_()) options.threads = std::max(1, int(std::thread::hardware_concurrency()) / 2);
  const auto job = std::make_shared<Job>();
  Job* raw = job.get();
  options.cancelled = &raw->cancelled;
  options.progress = [raw](uint64_t done, uint64_t total) {
    raw->done = done;
    raw->total = total;
  };
  const Json seed = recipe_->value("run.seed");
  const auto number = seed.is_number_integer() ? seed.get<uint64_t>() : 0;
  state_ = State::Running;
  done_ = 0;
  total_ = scanned_->dataset->size();
  since_.start();
  timer_.start();
  job_ = job;
  job->thread = std::thread([self = QPointer(this), raw, scan = scan_, data = *data, number, options] {
    // On Linux the threads that the scan starts take over the niceness of this one.
    ::setpriority(PRIO_PROCESS, 0, kNice);
    auto report = scan(data, number, options);
    Result<std::shared_ptr<const data::ScanReport>> found = tl::unexpected(Error{});
    if (report) {
      found = std::make_shared<const data::ScanReport>(std::move(*report));
    } else {
      found = tl::unexpected(report.error());
    }
    QMetaObject::invokeMethod(
        qApp,
        [self, raw, found = std::move(found)] {
          if (!self.isNull()) self->finished(raw, found);
        },
        Qt::QueuedConnection);
  });
  Q_EMIT changed();
}

void DataDoctor::finished(const Job* job, const Result<std::shared_ptr<const data::ScanReport>>& found) {
  std::erase_if(ending_, [job](const auto& one) { return one.get() == job; });
  if (job_.get() != job) return;
  job_.reset();
  timer_.stop();
  if (found) {
    state_ = State::Ready;
    report_ = *found;
  } else if (found.error().code == ErrorCode::Interrupted) {
    state_ = State::Stopped;
  } else {
    state_ = State::Failed;
    error_ = found.error();
  }
  Q_EMIT changed();
}

void DataDoctor::look() {
  if (!job_) return;
  done_ = job_->done;
  if (job_->total > 0) total_ = job_->total;
  Q_EMIT progressed();
}

void DataDoctor::dismiss() {
  timer_.stop();
  if (!job_) return;
  job_->cancelled = true;
  // Joined when it has said that it ended, so that the window does not wait for it.
  ending_.push_back(std::move(job_));
}

void DataDoctor::stop() {
  if (!job_) return;
  job_->cancelled = true;
}

}  // namespace trainyard::ui
