#include "ui/pages/computer/computer_page.h"

#include <QLocale>

#include "ui/pages/computer/advice_text.h"
#include "ui/recipe_document.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/meter.h"

namespace trainyard::ui {
namespace {

constexpr int kLookEveryMs = 2000;

Dot::Tone tone(hardware::Level level) {
  switch (level) {
    case hardware::Level::Good:
      return Dot::Tone::Good;
    case hardware::Level::Fair:
      return Dot::Tone::Caution;
    case hardware::Level::Poor:
      return Dot::Tone::Bad;
  }
  return Dot::Tone::None;
}

double share(uint64_t part, uint64_t whole) { return whole > 0 ? double(part) / double(whole) : -1; }

}  // namespace

ComputerPage::ComputerPage(Context& context, QWidget* parent) : Page(context, parent), inspection_(new Inspection(this)) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  columns_ = new Columns(this);
  all->addWidget(columns_);
  title_ = makeLabel("page", columns_);
  verdict_ = makeLabel("section", columns_, true);
  system_ = makeLabel("secondary", columns_, true);
  for (QLabel* label : {title_, verdict_, system_}) columns_->left()->addWidget(label);
  for (Card** card : {&gpus_, &processor_, &memory_, &disks_}) {
    *card = new Card(columns_);
    columns_->left()->addWidget(*card);
  }
  columns_->finish();
  timer_.setInterval(kLookEveryMs);
  connect(&timer_, &QTimer::timeout, this, &ComputerPage::look);
  connect(inspection_, &Inspection::changed, this, &ComputerPage::refresh);
  ComputerPage::retranslate();
}

void ComputerPage::look() {
  const auto data = context_.recipe->dataPart();
  inspection_->look(data ? QString::fromStdString(displayPath(data->path)) : QString());
}

void ComputerPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  look();
  timer_.start();
}

void ComputerPage::hideEvent(QHideEvent* event) {
  timer_.stop();
  Page::hideEvent(event);
}

void ComputerPage::addAdvice(Card* card, const char* part) {
  for (const auto& advice : inspection_->seen()->advice) {
    if (advice.part != part) continue;
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* dot = new Dot(card);
    dot->setTone(tone(advice.level));
    auto* text = new QLabel(adviceText(advice), card);
    text->setWordWrap(true);
    row->addWidget(dot, 0, Qt::AlignVCenter);
    row->addWidget(text, 1);
    card->body()->addLayout(row);
  }
}

void ComputerPage::refresh() {
  const auto& seen = inspection_->seen();
  for (Card* card : {gpus_, processor_, memory_, disks_}) card->setVisible(seen != nullptr);
  if (!seen) {
    verdict_->setText(tr("Looking…"));
    return;
  }
  verdict_->setText(computerVerdict(seen->advice));
  system_->setText(QString::fromStdString(seen->inventory.system));
  for (Card* card : {gpus_, processor_, memory_, disks_}) clearLayout(card->body());
  fillGpus();
  fillProcessor();
  fillMemory();
  fillDisks();
}

void ComputerPage::fillGpus() {
  const auto& inventory = inspection_->seen()->inventory;
  gpus_->setAside(inventory.gpus.empty()
                      ? QString()
                      : tr("driver %1, CUDA %2").arg(QString::fromStdString(inventory.gpus[0].driver), QString::fromStdString(inventory.gpus[0].cuda)));
  for (const auto& gpu : inventory.gpus) {
    QStringList figures = {tr("%1 of %2").arg(formatSize(gpu.memory_used_bytes), formatSize(gpu.memory_total_bytes))};
    if (gpu.utilization) figures << tr("%1 % busy").arg(int(*gpu.utilization * 100));
    if (gpu.temperature_c) figures << tr("%1 °C").arg(int(*gpu.temperature_c));
    if (gpu.power_w) figures << tr("%1 W").arg(int(*gpu.power_w));
    if (gpu.memory_bandwidth_gb_s) figures << tr("%1 GB/s").arg(int(*gpu.memory_bandwidth_gb_s));
    auto* meter = new Meter(gpus_);
    meter->set(tr("GPU %1: %2").arg(gpu.index).arg(QString::fromStdString(gpu.name)), share(gpu.memory_used_bytes, gpu.memory_total_bytes),
               figures.join(" · "));
    gpus_->body()->addWidget(meter);
    for (const auto& holder : gpu.holders) {
      auto* line = makeLabel("secondary", gpus_);
      line->setText(tr("%1 holds %2 (process %3)").arg(QString::fromStdString(holder.program), formatSize(holder.bytes)).arg(holder.pid));
      gpus_->body()->addWidget(line);
    }
  }
  addAdvice(gpus_, "gpu");
  if (!inventory.gpus.empty() || inventory.gpu_note.empty()) return;
  auto* note = makeLabel("secondary", gpus_, true);
  note->setText(QString::fromStdString(inventory.gpu_note));
  gpus_->body()->addWidget(note);
}

void ComputerPage::fillProcessor() {
  const auto& cpu = inspection_->seen()->inventory.processor;
  auto* name = makeLabel("strong", processor_, true);
  name->setText(QString::fromStdString(cpu.name));
  QStringList figures = {tr("%n core(s)", nullptr, cpu.cores), tr("%n thread(s)", nullptr, cpu.threads)};
  if (cpu.sockets > 1) figures << tr("%n socket(s)", nullptr, cpu.sockets);
  if (cpu.max_ghz > 0) figures << tr("up to %1 GHz").arg(QLocale().toString(cpu.max_ghz, 'f', 1));
  if (cpu.l3_bytes > 0) figures << tr("%1 cache").arg(formatSize(cpu.l3_bytes));
  auto* line = makeLabel("secondary", processor_, true);
  line->setText(figures.join(" · "));
  QStringList sets;
  for (const auto& set : cpu.instruction_sets) sets << QString::fromStdString(set);
  auto* instructions = makeLabel("secondary", processor_, true);
  instructions->setText(tr("Instruction sets: %1").arg(sets.isEmpty() ? QStringLiteral("–") : sets.join(", ")));
  for (QLabel* label : {name, line, instructions}) processor_->body()->addWidget(label);
  addAdvice(processor_, "processor");
}

void ComputerPage::fillMemory() {
  const auto& memory = inspection_->seen()->inventory.memory;
  const uint64_t total = memory.limit_bytes.value_or(memory.total_bytes);
  const uint64_t used = total > memory.available_bytes ? total - memory.available_bytes : 0;
  auto* meter = new Meter(memory_);
  meter->set(memory.limit_bytes ? tr("Allowed to this session") : tr("Memory in use"), share(used, total),
             tr("%1 of %2").arg(formatSize(used), formatSize(total)));
  memory_->body()->addWidget(meter);
  addAdvice(memory_, "memory");
}

void ComputerPage::fillDisks() {
  for (const auto& disk : inspection_->seen()->inventory.disks) {
    auto* meter = new Meter(disks_);
    const QString kind = disk.kind == "hard disk" ? tr("hard disk")
                         : disk.kind == "network" ? tr("network")
                         : disk.kind == "unknown" ? tr("unknown kind")
                                                  : QString::fromStdString(disk.kind);
    const uint64_t used = disk.total_bytes > disk.free_bytes ? disk.total_bytes - disk.free_bytes : 0;
    meter->set(QString::fromStdString(disk.mount), share(used, disk.total_bytes),
               tr("%1 · %2 free of %3").arg(kind, formatSize(disk.free_bytes), formatSize(disk.total_bytes)));
    disks_->body()->addWidget(meter);
  }
  addAdvice(disks_, "disk");
}

void ComputerPage::retranslate() {
  title_->setText(tr("This computer"));
  gpus_->setTitle(tr("GPUs"));
  processor_->setTitle(tr("Processor"));
  memory_->setTitle(tr("Memory"));
  disks_->setTitle(tr("Disks"));
  refresh();
}

}  // namespace trainyard::ui
