#include "ui/models/runs_model.h"

#include <QCoreApplication>
#include <QFile>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <cmath>

#include "core/base/files.h"
#include "core/base/units.h"
#include "core/catalogue/catalogue.h"
#include "ui/models/run_text.h"
#include "ui/models/summary_cache.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kRefresh_ms = 1000;
constexpr double kShareOfTime = 0.03;  // reading may take this much of one core

QString dirName(const runs::RunSummary& run) { return QFile::decodeName(run.dir.c_str()); }

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same(const runs::RunSummary& a, const runs::RunSummary& b) {
  return a.name == b.name && a.seen.state.state == b.seen.state.state && a.seen.unexpected_end == b.seen.unexpected_end && same(a.started, b.started) &&
         same(a.seconds, b.seconds) && a.step == b.step && a.steps_total == b.steps_total && a.epoch == b.epoch && a.epochs == b.epochs && a.arch == b.arch &&
         a.metric == b.metric && same(a.best, b.best) && same(a.last_loss, b.last_loss) && a.problem == b.problem;
}

double progressOf(const runs::RunSummary& run) {
  return run.steps_total > 0 ? std::clamp(static_cast<double>(run.step) / static_cast<double>(run.steps_total), 0.0, 1.0) : 0;
}

QVariant alignment(int column) {
  const bool number = column == RunsModel::Best || column == RunsModel::LastLoss || column == RunsModel::Duration;
  return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

RunsModel::RunsModel(QObject* parent) : QAbstractTableModel(parent), cache_(std::make_shared<SummaryCache>()) {
  timer_.setSingleShot(true);
  timer_.setTimerType(Qt::CoarseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] { read(); });
}

RunsModel::~RunsModel() = default;

void RunsModel::setActive(bool active) {
  watchers_ = std::max(0, watchers_ + (active ? 1 : -1));
  if (active)
    refresh();
  else if (watchers_ == 0)
    timer_.stop();
}

void RunsModel::refresh() {
  if (reading_)
    again_ = true;
  else
    timer_.start(0);
}

void RunsModel::read() {
  if (reading_) return;
  reading_ = true;
  again_ = false;
  QThreadPool::globalInstance()->start([self = QPointer<RunsModel>(this), cache = cache_] {
    const double begun = steadySeconds();
    auto found = cache->list(runsHome());
    const double took_s = steadySeconds() - begun;
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, took_s, found = std::move(found)]() mutable {
          if (!self) return;
          self->reading_ = false;
          self->setRuns(std::move(found));
          if (self->again_)
            self->timer_.start(0);
          else if (self->watchers_ > 0)
            self->timer_.start(std::max(kRefresh_ms, static_cast<int>(took_s * 1000 / kShareOfTime)));
        },
        Qt::QueuedConnection);
  });
}

void RunsModel::setRuns(std::vector<runs::RunSummary> fresh) {
  loaded_ = true;
  const auto has = [](const std::vector<runs::RunSummary>& list, const fs::path& dir) {
    return std::any_of(list.begin(), list.end(), [&](const runs::RunSummary& run) { return run.dir == dir; });
  };
  for (int row = static_cast<int>(runs_.size()) - 1; row >= 0; --row) {
    if (has(fresh, at(row).dir)) continue;
    const bool was_checked = checked_.remove(dirName(at(row)));
    beginRemoveRows({}, row, row);
    runs_.erase(runs_.begin() + row);
    endRemoveRows();
    if (was_checked) Q_EMIT checkedChanged();
  }
  for (int row = 0; row < static_cast<int>(fresh.size()); ++row) {
    auto& run = fresh[static_cast<size_t>(row)];
    const auto place = static_cast<size_t>(row);
    if (place < runs_.size() && runs_[place].dir == run.dir) {
      if (same(runs_[place], run)) continue;
      runs_[place] = std::move(run);
      Q_EMIT dataChanged(index(row, 0), index(row, kColumns - 1));
      continue;
    }
    const int old = rowOf(dirName(run));
    if (old >= 0) {  // it stands elsewhere: the order changed
      beginRemoveRows({}, old, old);
      runs_.erase(runs_.begin() + old);
      endRemoveRows();
    }
    beginInsertRows({}, row, row);
    runs_.insert(runs_.begin() + row, std::move(run));
    endInsertRows();
  }
  Q_EMIT refreshed();
}

int RunsModel::rowOf(const QString& dir) const {
  const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const runs::RunSummary& run) { return dirName(run) == dir; });
  return it == runs_.end() ? -1 : static_cast<int>(it - runs_.begin());
}

QStringList RunsModel::checkedRuns() const {
  QStringList dirs;
  for (const auto& run : runs_) {
    if (checked_.contains(dirName(run))) dirs << dirName(run);
  }
  return dirs;
}

void RunsModel::setChecked(const QString& dir, bool checked) {
  const int row = rowOf(dir);
  if (row < 0 || checked_.contains(dir) == checked) return;
  if (checked)
    checked_.insert(dir);
  else
    checked_.remove(dir);
  Q_EMIT dataChanged(index(row, 0), index(row, 0), {Qt::CheckStateRole});
  Q_EMIT checkedChanged();
}

int RunsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(runs_.size()); }
int RunsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QString RunsModel::stateText(const runs::SeenState& seen) {
  if (seen.unexpected_end) return tr("Ended unexpectedly");
  switch (seen.state.state) {
    case runs::State::Queued:
      return tr("Queued");
    case runs::State::Starting:
      return tr("Starting");
    case runs::State::Running:
      return tr("Training");
    case runs::State::Paused:
      return tr("Paused");
    case runs::State::Finished:
      return tr("Finished");
    case runs::State::Failed:
      return tr("Failed");
    case runs::State::Stopped:
      return tr("Stopped");
  }
  return {};
}

QVariant RunsModel::text(const runs::RunSummary& run, int column) const {
  if (!run.problem.empty() && column > State) return column == Architecture ? QString::fromStdString(run.problem) : QString();
  switch (column) {
    case Name:
      return QString::fromStdString(run.name.empty() ? run.id : run.name);
    case State:
      return run.problem.empty() ? stateText(run.seen) : tr("Unreadable");
    case Architecture: {
      const auto* arch = catalogue::find(catalogue::architectures(), run.arch);
      return arch ? catalogueText(arch->title) : QString::fromStdString(run.arch);
    }
    case Progress:
      return run.epochs > 0 ? tr("epoch %1 of %2").arg(std::min(run.epoch + 1, run.epochs)).arg(run.epochs) : QStringLiteral("–");
    case Best:
      return metricText(run.metric, run.best);
    case LastLoss:
      return lossText(run.last_loss);
    case Started:
      return clockText(run.started);
    case Duration:
      return run.seconds > 0 ? durationText(run.seconds) : QStringLiteral("–");
  }
  return {};
}

QVariant RunsModel::sortKey(const runs::RunSummary& run, int column) const {
  const auto orLast = [](double value) { return std::isnan(value) ? -1e300 : value; };
  switch (column) {
    case Progress:
      return progressOf(run);
    case Best:
      return orLast(run.best);
    case LastLoss:
      return orLast(run.last_loss);
    case Started:
      return run.started > 0 ? QVariant(run.started) : QVariant(0.0);
    case Duration:
      return run.seconds;
    default:
      return text(run, column);
  }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto& run = at(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return text(run, index.column());
    case Qt::ToolTipRole:
      return run.problem.empty() ? dirName(run) : QString::fromStdString(run.problem);
    case Qt::CheckStateRole:
      if (index.column() != Name) return {};
      return static_cast<int>(checked_.contains(dirName(run)) ? Qt::Checked : Qt::Unchecked);
    case Qt::TextAlignmentRole:
      return alignment(index.column());
    case DirRole:
      return dirName(run);
    case StateRole:
      return static_cast<int>(run.seen.state.state);
    case SortRole:
      return sortKey(run, index.column());
    case ProgressRole:
      return progressOf(run);
    case ProblemRole:
      return QString::fromStdString(run.problem);
    default:
      return {};
  }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return alignment(section);
  if (role != Qt::DisplayRole) return {};
  const QString titles[kColumns] = {tr("Name"), tr("State"), tr("Model"), tr("Progress"), tr("Best"), tr("Last loss"), tr("Started"), tr("Duration")};
  return section >= 0 && section < kColumns ? titles[section] : QString();
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  if (index.column() == Name && at(index.row()).problem.empty()) flags |= Qt::ItemIsUserCheckable;
  return flags;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != Name || role != Qt::CheckStateRole || !at(index.row()).problem.empty()) return false;
  setChecked(dirName(at(index.row())), value.toInt() == Qt::Checked);
  return true;
}

}  // namespace trainyard::ui
