#include "ui/pages/train/device_list.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "core/catalogue/catalogue.h"
#include "ui/forms/messages.h"
#include "ui/forms/simple_fields.h"
#include "ui/pages/computer/inspection.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kLookEvery_ms = 2000;
constexpr int kSteps = 1000;  // of a bar
constexpr int kBarWidth = 90, kBoxWidth = 110, kRanksWidth = 64;
constexpr int kMostRanks = 64;
constexpr int kControlHeight = 28;

const catalogue::ParamSpec& ranksSpec() {
  static const catalogue::ParamSpec kSpec = [] {
    catalogue::ParamSpec spec;
    spec.kind = catalogue::ParamKind::Integer;
    spec.fallback = 1;
    spec.minimum = 1;
    spec.maximum = kMostRanks;
    return spec;
  }();
  return kSpec;
}

bool isGpu(const QString& device) { return device.startsWith(QLatin1String("cuda:")); }

const hardware::Gpu* gpuOf(const hardware::Inventory& inventory, const QString& device) {
  const auto found =
      std::find_if(inventory.gpus.begin(), inventory.gpus.end(), [&](const hardware::Gpu& gpu) { return device == QStringLiteral("cuda:%1").arg(gpu.index); });
  return found == inventory.gpus.end() ? nullptr : &*found;
}

int percent(double share) { return int(std::lround(100 * share)); }

}  // namespace

DeviceList::DeviceList(Context& context, QWidget* parent) : QWidget(parent), context_(context), inspection_(new Inspection(this)) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(6);
  grid_ = new QGridLayout;
  grid_->setHorizontalSpacing(12);
  grid_->setVerticalSpacing(2);
  grid_->setColumnMinimumWidth(0, kBoxWidth);
  grid_->setColumnStretch(1, 2);
  grid_->setColumnStretch(3, 3);
  all->addLayout(grid_);
  buildRanks();
  all->addWidget(ranks_row_);
  problem_ = makeLabel("error", this, true);
  all->addWidget(problem_);
  timer_.setInterval(kLookEvery_ms);
  connect(&timer_, &QTimer::timeout, this, [this] { inspection_->look(); });
  connect(inspection_, &Inspection::changed, this, &DeviceList::place);
  connect(context_.recipe, &RecipeDocument::changed, this, &DeviceList::place);
  retranslate();
}

void DeviceList::buildRanks() {
  ranks_row_ = new QWidget(this);
  auto* row = new QHBoxLayout(ranks_row_);
  row->setContentsMargins(kBoxWidth + 12, 0, 0, 0);
  row->setSpacing(12);
  ranks_title_ = new QLabel(ranks_row_);
  ranks_ = new NumberField(ranksSpec(), ranks_row_);
  ranks_->setFixedWidth(kRanksWidth);
  ranks_->setObjectName("cpuRanks");
  ranks_note_ = makeLabel("secondary", ranks_row_, true);
  row->addWidget(ranks_title_);
  row->addWidget(ranks_);
  row->addWidget(ranks_note_, 1);
  connect(ranks_, &Field::edited, this, [this](const Json& value) {
    const bool fine = value.is_number_integer() && value.get<int64_t>() >= 1 && value.get<int64_t>() <= kMostRanks;
    ranks_->setInvalid(!fine);
    if (!fine) return;
    QStringList devices;
    for (int i = 0; i < value.get<int>(); ++i) devices << QStringLiteral("cpu");
    put(devices);
  });
}

QStringList DeviceList::chosen() const {
  QStringList devices;
  const Json value = context_.recipe->value("parallel.devices");
  if (!value.is_array()) return devices;
  for (const Json& item : value) {
    if (item.is_string()) devices << QString::fromStdString(item.get<std::string>());
  }
  return devices;
}

void DeviceList::addRow(const QString& device) {
  const int at = int(rows_.size());
  Row row{new QCheckBox(this), new PathLabel(this), new QProgressBar(this), makeLabel("secondary", this)};
  row.box->setObjectName(QStringLiteral("device-") + device);
  row.box->setMinimumHeight(kControlHeight);
  row.bar->setRange(0, kSteps);
  row.bar->setTextVisible(false);
  row.bar->setFixedWidth(kBarWidth);
  row.name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setLook(row.name, "look", "secondary");
  connect(row.box, &QCheckBox::clicked, this, [this, device](bool on) { toggle(device, on); });
  grid_->addWidget(row.box, at, 0);
  // Nothing is known of "auto" but its words: its bar and figures stay hidden.
  grid_->addWidget(row.name, at, 1, 1, device == QLatin1String("auto") ? 3 : 1);
  grid_->addWidget(row.bar, at, 2, Qt::AlignVCenter);
  grid_->addWidget(row.figures, at, 3);
  rows_[device] = row;
}

// Devices of the recipe that are not here (it may be from another machine) are shown all the same.
void DeviceList::place() {
  QStringList wanted = {QStringLiteral("auto")};
  if (const auto& seen = inspection_->seen()) {
    for (const auto& gpu : seen->inventory.gpus) wanted << QStringLiteral("cuda:%1").arg(gpu.index);
  }
  for (const QString& device : chosen()) {
    if (!wanted.contains(device) && device != QLatin1String("cpu")) wanted << device;
  }
  wanted << QStringLiteral("cpu");
  if (wanted != order_) {
    clearLayout(grid_);
    rows_.clear();
    order_ = wanted;
    for (const QString& device : order_) addRow(device);
  }
  refresh();
}

void DeviceList::fillRow(const QString& device, Row& row) {
  const auto& seen = inspection_->seen();
  QString name, figures;
  double share = -1;
  if (device == QLatin1String("auto")) {
    row.box->setText(tr("Automatic"));
    name = tr("The first GPU, else the CPU");
  } else if (device == QLatin1String("cpu")) {
    row.box->setText(tr("CPU"));
    if (seen) {
      const auto& memory = seen->inventory.memory;
      const uint64_t total = memory.limit_bytes.value_or(memory.total_bytes);
      const uint64_t used = total > memory.available_bytes ? total - memory.available_bytes : 0;
      name = QString::fromStdString(seen->inventory.processor.name);
      figures =
          tr("%1 of %2").arg(formatSize(used), formatSize(total)) + QStringLiteral(" · ") + tr("%n thread(s)", nullptr, seen->inventory.processor.threads);
      share = total > 0 ? double(used) / double(total) : -1;
    }
  } else {
    row.box->setText(isGpu(device) ? tr("GPU %1").arg(device.mid(5)) : device);
    const hardware::Gpu* gpu = seen ? gpuOf(seen->inventory, device) : nullptr;
    if (gpu != nullptr) {
      name = QString::fromStdString(gpu->name);
      QStringList parts = {tr("%1 of %2").arg(formatSize(gpu->memory_used_bytes), formatSize(gpu->memory_total_bytes))};
      if (gpu->utilization) parts << tr("%1 % busy").arg(percent(*gpu->utilization));
      figures = parts.join(QStringLiteral(" · "));
      share = gpu->memory_total_bytes > 0 ? double(gpu->memory_used_bytes) / double(gpu->memory_total_bytes) : -1;
    } else if (seen) {
      name = tr("not in this computer");
    }
  }
  row.name->setPath(name);
  row.figures->setText(figures);
  row.figures->setToolTip(tr("Memory in use by all programs"));
  row.figures->setVisible(!figures.isEmpty());
  row.bar->setVisible(share >= 0);
  row.bar->setValue(int(std::clamp(share, 0.0, 1.0) * kSteps));
}

void DeviceList::refresh() {
  const QStringList devices = chosen();
  for (const QString& device : order_) {
    Row& row = rows_[device];
    fillRow(device, row);
    const QSignalBlocker quiet(row.box);
    row.box->setChecked(devices.contains(device));
  }
  const auto cpus = devices.count(QStringLiteral("cpu"));
  ranks_row_->setVisible(cpus > 0);
  if (cpus > 0) ranks_->setValue(Json(int64_t(cpus)));
  const recipe::Problem* problem = context_.recipe->problemAt("parallel.devices");
  problem_->setVisible(problem != nullptr);
  if (problem != nullptr) {
    problem_->setText(problemText(specAt(context_.recipe->document(), "parallel.devices"), context_.recipe->value("parallel.devices"), *problem));
  }
}

void DeviceList::toggle(const QString& device, bool on) {
  QStringList devices;
  if (isGpu(device)) {
    for (const QString& other : chosen()) {
      if (isGpu(other) && other != device) devices << other;
    }
    if (on) devices << device;
    // In the order of the rows, whatever the order of the clicks.
    std::sort(devices.begin(), devices.end(), [this](const QString& a, const QString& b) { return order_.indexOf(a) < order_.indexOf(b); });
  } else if (on) {
    devices << device;
  }
  if (devices.isEmpty()) devices << QStringLiteral("auto");
  put(devices);
  refresh();  // the box that was clicked may have to stay as it was
}

void DeviceList::put(const QStringList& devices) {
  Json list = Json::array();
  for (const QString& device : devices) list.push_back(device.toStdString());
  RecipeDocument& recipe = *context_.recipe;
  const bool several = devices.size() > 1, several_before = chosen().size() > 1;
  const Json strategy = recipe.value("parallel.strategy");
  Json given = recipe.given();
  putAt(given, "parallel.devices", list);
  if (several && strategy == Json("single")) {
    putAt(given, "parallel.strategy", "data");
  } else if (!several && several_before && strategy.is_string() && strategy != Json("single")) {
    const auto* old = catalogue::find(catalogue::strategies(), strategy.get<std::string>());
    for (const auto& spec : old != nullptr ? old->params : std::vector<catalogue::ParamSpec>()) {
      putAt(given, QStringLiteral("parallel.") + QString::fromStdString(spec.key), nullptr);
    }
    putAt(given, "parallel.strategy", nullptr);
  }
  recipe.replaceAll(given);
}

QStringList DeviceList::shown() const { return order_; }

QCheckBox* DeviceList::box(const QString& device) const {
  const auto found = rows_.find(device);
  return found == rows_.end() ? nullptr : found->second.box;
}

QString DeviceList::figures(const QString& device) const {
  const auto found = rows_.find(device);
  return found == rows_.end() ? QString() : found->second.figures->text();
}

void DeviceList::focusFirst() {
  const QStringList devices = chosen();
  QCheckBox* wanted = devices.isEmpty() ? nullptr : box(devices.front());
  (wanted != nullptr ? wanted : box(QStringLiteral("auto")))->setFocus(Qt::OtherFocusReason);
}

void DeviceList::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  inspection_->look();
  timer_.start();
}

void DeviceList::hideEvent(QHideEvent* event) {
  timer_.stop();
  QWidget::hideEvent(event);
}

void DeviceList::retranslate() {
  ranks_title_->setText(tr("CPU ranks"));
  ranks_->setAccessibleName(ranks_title_->text());
  ranks_note_->setText(tr("More than one does what several GPUs would, on shares of the cores: to try a strategy out."));
  place();
}

}  // namespace trainyard::ui
