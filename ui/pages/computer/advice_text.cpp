#include "ui/pages/computer/advice_text.h"

#include <QCoreApplication>
#include <QHash>

#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

struct AdviceText {
  Q_DECLARE_TR_FUNCTIONS(AdviceText)
};

struct Sentence {
  const char* code;
  const char* text;
};

// {size} and {free} are sizes; the rest are the values as they are.
const Sentence kSentences[] = {
    {"gpu_none",
     QT_TRANSLATE_NOOP("AdviceText", "No GPU to train on. Training uses the processor: fine for small networks and small pictures, slow for large ones.")},
    {"gpu_silent", QT_TRANSLATE_NOOP("AdviceText", "The GPU does not answer: {note}.")},
    {"gpu_too_old",
     QT_TRANSLATE_NOOP("AdviceText", "Compute capability {capability} is too old: 7.5 (Turing, 2018) or newer is needed. Training uses the processor.")},
    {"gpu_driver_old", QT_TRANSLATE_NOOP("AdviceText", "Driver {driver} supports CUDA {cuda}; 13.0 is needed. Update the driver to 580 or newer.")},
    {"gpu_small", QT_TRANSLATE_NOOP("AdviceText", "Enough for small networks and small batches; bf16 nearly halves what a model needs.")},
    {"gpu_fair", QT_TRANSLATE_NOOP("AdviceText", "Enough for usual picture networks; large models want 16 GB and more.")},
    {"gpu_narrow", QT_TRANSLATE_NOOP("AdviceText", "Room for large models, but its memory is slow: training cards move 600 GB/s and more.")},
    {"gpu_good", QT_TRANSLATE_NOOP("AdviceText", "Enough memory and bandwidth for large models.")},
    {"gpu_busy", QT_TRANSLATE_NOOP("AdviceText", "{used_bytes} of {memory_bytes} are in use by other programs.")},
    {"processor_good", QT_TRANSLATE_NOOP("AdviceText", "Enough cores to prepare pictures for several GPUs.")},
    {"processor_fair", QT_TRANSLATE_NOOP("AdviceText", "Enough cores to keep one GPU supplied; several GPUs want 16 and more.")},
    {"processor_poor", QT_TRANSLATE_NOOP("AdviceText", "Preparing pictures and training share few cores; a fast GPU may have to wait for data.")},
    {"processor_bf16",
     QT_TRANSLATE_NOOP("AdviceText", "It computes bf16 in hardware ({set}): precision bf16 trains about twice as fast as fp32 on the processor.")},
    {"processor_old", QT_TRANSLATE_NOOP("AdviceText", "It has no AVX2: training on this processor is very slow.")},
    {"memory_good", QT_TRANSLATE_NOOP("AdviceText", "Enough for large models and data sets.")},
    {"memory_fair", QT_TRANSLATE_NOOP("AdviceText", "Enough for usual networks; 64 GB is the guidance for large models.")},
    {"memory_poor", QT_TRANSLATE_NOOP("AdviceText", "Keep networks and batches small; 64 GB is the guidance for large models.")},
    {"memory_busy", QT_TRANSLATE_NOOP("AdviceText", "Only {available_bytes} are free now; close other programs before a large run.")},
    {"disk_good", QT_TRANSLATE_NOOP("AdviceText", "{mount} is on an SSD: fast enough for data and checkpoints.")},
    {"disk_slow", QT_TRANSLATE_NOOP("AdviceText", "{mount} is on a hard disk: many small pictures load slowly; keep training data on an SSD.")},
    {"disk_network", QT_TRANSLATE_NOOP("AdviceText", "{mount} is on the network: copy data that is used often to a local SSD.")},
    {"disk_unknown", QT_TRANSLATE_NOOP("AdviceText", "{mount} is on a disk of unknown kind. An SSD is the guidance.")},
    {"disk_full", QT_TRANSLATE_NOOP("AdviceText", "Only {free_bytes} are free on {mount}; checkpoints need room.")},
};

QString valueFor(const std::string& key, const Json& value) {
  if (key.ends_with("_bytes") && value.is_number()) return formatSize(value.get<quint64>());
  return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

QString adviceText(const hardware::Advice& advice) {
  for (const auto& sentence : kSentences) {
    if (advice.code != sentence.code) continue;
    QString text = AdviceText::tr(sentence.text);
    for (const auto& [key, value] : advice.values.items()) text.replace("{" + QString::fromStdString(key) + "}", valueFor(key, value));
    return text;
  }
  return QString::fromStdString(advice.text);
}

hardware::Level computerLevel(const std::vector<hardware::Advice>& advice) {
  // The best GPU decides; without one the computer still trains.
  auto best = hardware::Level::Poor;
  for (const auto& one : advice) {
    if (one.part == "gpu" && one.code != "gpu_busy" && one.level < best) best = one.level;
  }
  return best;
}

QString computerVerdict(const std::vector<hardware::Advice>& advice) {
  bool gpu = false;
  for (const auto& one : advice)
    gpu = gpu || (one.part == "gpu" && one.code != "gpu_none" && one.code != "gpu_silent" && one.code != "gpu_too_old" && one.code != "gpu_driver_old");
  if (!gpu) return AdviceText::tr("Ready for small networks: training uses the processor.");
  switch (computerLevel(advice)) {
    case hardware::Level::Good:
      return AdviceText::tr("Ready for large models.");
    case hardware::Level::Fair:
      return AdviceText::tr("Ready for the usual picture networks.");
    case hardware::Level::Poor:
      return AdviceText::tr("Ready for small networks and small batches.");
  }
  return {};
}

}  // namespace trainyard::ui
