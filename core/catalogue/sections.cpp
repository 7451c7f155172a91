#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/layers.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

std::vector<ParamSpec> runParams() {
  return {needed(param(ParamKind::Text, "name", "Name", "Names the recipe and its runs.")),
          integer("seed", "Seed", "The same seed gives the same split, order, augmentation and initial weights.", 42, 0, 9007199254740992.0)};
}

std::vector<ParamSpec> dataParams() {
  return {needed(param(ParamKind::Path, "path", "Folder or file", "Where the data is: a folder, an archive or a table. Nothing there is ever changed.")),
          either("validation", "Held out for checking",
                 "A share of the pictures (the same of each class), or a folder of its own. Automatic: the data's own validation part, else 0.1.", "auto",
                 {automatic(), above(real("", "Share", "", nullptr, 0, 0.9)), param(ParamKind::Path, "", "Folder", "")}),
          inUnit(integer("size", "Picture size", "Edge of the square picture the network gets; 0 keeps the pictures as they are.", 0, 0, 4096), "pixels"),
          choice("channels", "Colours", "What the network gets; automatic takes what the pictures have.", "auto",
                 {{"auto", "Automatic", ""}, {"grey", "Grey", ""}, {"rgb", "Colour", ""}}),
          advanced(either("test", "Set aside for the end", "A share, or a folder of its own, that is opened only when you evaluate on it. Empty: none.", nullptr,
                          {above(real("", "Share", "", nullptr, 0, 0.9)), param(ParamKind::Path, "", "Folder", "")})),
          advanced(choice("group", "Keep together", "Pictures of one group never end up in different parts.", "none",
                          {{"none", "Nothing", "Every picture for itself."},
                           {"folder", "Same folder", "The folder right above the picture."},
                           {"name", "Same name pattern", "What group_pattern finds in the file's name."},
                           {"time", "Taken within a minute", "By the camera's clock (EXIF)."},
                           {"similar", "Near-duplicates", "Pictures that look the same."}})),
          advanced(shownWhen(param(ParamKind::Text, "group_pattern", "Name pattern", "A regular expression; its first group, else the whole match, names the group: ^([^_]+)_", ""),
                             "group", {"name"})),
          advanced(list("exclude", "Left out", "Files to leave out, as the scan names them.", Json::array(), param(ParamKind::Text, "", "File", ""), 0)),
          advanced(list("exclude_classes", "Classes left out", "Names of classes to leave out.", Json::array(), param(ParamKind::Text, "", "Class", ""), 0)),
          advanced(list("background", "Background", "Red, green and blue under transparent pixels.", {255, 255, 255}, integer("", "Level", "", nullptr, 0, 255), 3, 3)),
          advanced(inUnit(above(real("max_megapixels", "Largest picture", "Larger ones are refused before they are decoded.", 179.0, 0, 4096)), "megapixels")),
          advanced(boolean("reduced_decode", "Decode large pictures smaller", "Large JPEGs are decoded at a half, quarter or eighth where the network gets less anyway.", true)),
          advanced(choice("cache", "Keep decoded", "Decode once and keep the pixels in memory; automatic when they take at most a quarter of the free memory.", "auto",
                          {{"auto", "Automatic", ""}, {"on", "Always", ""}, {"off", "Never", ""}})),
          advanced(either("workers", "Loader threads", "Threads that prepare pictures; automatic leaves a core to training.", "auto",
                          {automatic(), integer("", "Threads", "", nullptr, 1, 256)}))};
}

// A step that is off stays in the recipe and does nothing.
std::vector<ParamSpec> stepParams() { return {advanced(boolean("enabled", "On", "Off: the step is skipped.", true))}; }

std::vector<ParamSpec> modelParams() {
  return {param(ParamKind::Path, "weights", "Start from weights", "A safetensors or PyTorch file with the architecture's parameter names, or the name of published weights; empty: from scratch."),
          advanced(list("freeze", "Frozen parts", "Parameters that stay as they are, by name: conv1.*, layer1.*, *.bias.", Json::array(), param(ParamKind::Text, "", "Name pattern", ""), 0)),
          advanced(integer("classes", "Classes", "Outputs of the network; empty: as many as the data has.", nullptr, 2, 1000000))};
}

std::vector<ParamSpec> trainParams() {
  return {inUnit(integer("epochs", "Epochs", "How often training goes through all pictures.", 10, 1, 1000000), "epochs"),
          integer("batch_size", "Pictures per update", "Samples per optimizer step, over all devices and passes.", 64, 1, 10000000),
          advanced(integer("accumulate", "Split into n passes", "Cuts each update into passes that need less memory; the result is the same.", 1, 1, 10000)),
          above(real("clip_norm", "Limit sudden jumps", "Clips the norm of the gradient. Empty: no clipping.", nullptr, 0)),
          advanced(above(real("clip_value", "Limit each gradient", "Clips every single value of the gradient. Empty: no clipping.", nullptr, 0))),
          real("label_smoothing", "Label smoothing", "Share of certainty given to the other classes.", 0.0, 0, 0.999),
          choice("sampling", "Drawing of pictures", "Whether rare classes are shown more often.", "shuffle",
                 {{"shuffle", "Each once an epoch", ""}, {"balanced", "Every class equally often", "Pictures of rare classes come several times an epoch, some of frequent ones not at all."}}),
          advanced(above(real("ema_decay", "Average of the weights", "Keeps a moving average of the weights, which is evaluated and saved besides; 0.999 is usual. Empty: none.", nullptr, 0, 0.999999))),
          inUnit(integer("early_stop", "Stop when it no longer improves", "Evaluations without improvement after which training ends. Empty: it goes through all epochs.", nullptr, 1, 1000000), "evaluations"),
          advanced(real("early_stop_min_delta", "Smallest improvement", "What counts as an improvement, in units of the value that checkpoints are the best by.", 0.0, 0)),
          advanced(inUnit(integer("nonfinite_patience", "Patience with a broken loss", "Updates in a row whose loss is not finite, before training stops.", 10, 1, 1000000), "updates")),
          advanced(boolean("activation_checkpointing", "Compute activations twice", "Needs much less memory and about a third more time; the numbers are the same.", false)),
          advanced(boolean("deterministic", "Deterministic", "Only algorithms that give the same bits each time; may be slower. Without it, repeats can differ in the last digits on a GPU.", false)),
          advanced(inUnit(integer("log_every", "Record every", "Updates between two points of the curves.", 10, 1, 100000), "updates")),
          advanced(either("threads", "CPU threads", "Threads for arithmetic when training on the CPU.", "auto", {automatic(), integer("", "Threads", "", nullptr, 1, 1024)}))};
}

std::vector<ParamSpec> scheduleParams() {
  return {choice("unit", "Counts in", "What warm-up and the schedule's lengths count.", "epoch", {{"epoch", "Epochs", "The schedule moves once an epoch."}, {"step", "Updates", "The schedule moves with every update."}}),
          integer("warmup", "Warm-up", "Raises the learning rate linearly from near 0 over this many units, before the schedule.", 0, 0, 1e9)};
}

std::vector<ParamSpec> parallelParams() {
  ParamSpec device = param(ParamKind::Text, "", "Device", "\"cpu\" or \"cuda:0\"");
  return {list("devices", "Devices", "Where to train: \"cpu\", \"cuda:0\", …; automatic (\"auto\") takes the first GPU, else the CPU. \"cpu\" may stand there several times.", {"auto"}, device, 1, 1024),
          advanced(inUnit(above(real("timeout", "Patience with a silent device", "So long the others wait for a device that does not answer, before the run fails.", 30.0, 0, 86400)), "s"))};
}

std::optional<Conflict> checkDevices(const Json& parallel) {
  const auto devices = parallel.at("devices").get<std::vector<std::string>>();
  if (parallel.at("strategy") == "single" && devices.size() > 1) {
    return Conflict{"devices", "strategy \"single\" trains on one device; " + std::to_string(devices.size()) + " are listed", "name one device, or choose the strategy \"data\""};
  }
  for (size_t i = 0; i < devices.size(); ++i) {
    if (devices.size() > 1 && devices[i] == "auto") return Conflict{"devices", "\"auto\" stands for one device and cannot be listed with others", "name each device"};
    if ((devices[i] == "cpu") != (devices[0] == "cpu")) return Conflict{"devices", "\"" + devices[0] + "\" and \"" + devices[i] + "\" cannot train together", "list GPUs alone, or \"cpu\" alone"};
    if (devices[i] != "cpu" && std::find(devices.begin(), devices.begin() + i, devices[i]) != devices.begin() + i) {
      return Conflict{"devices", "\"" + devices[i] + "\" is listed twice", "list each GPU once"};
    }
  }
  return {};
}

std::vector<ParamSpec> checkpointParams() {
  return {inUnit(integer("every_epochs", "Save every", "Epochs between two checkpoints; one is always written at the end.", 1, 1, 1000000), "epochs"),
          integer("keep", "Keep", "How many of the newest checkpoints stay; the best is kept besides.", 3, 1, 1000000),
          choice("metric", "Best by", "What makes a checkpoint the best; where the data has no such value, the validation loss.", "accuracy",
                 {{"accuracy", "Accuracy", ""}, {"loss", "Validation loss", ""}, {"top5", "Right among five", ""}, {"f1_macro", "F1, every class alike", ""},
                  {"f1_weighted", "F1, by class size", ""}, {"auroc", "AUROC", ""}, {"average_precision", "Average precision", ""}, {"mae", "Mean absolute error", ""},
                  {"rmse", "Root mean square error", ""}, {"r2", "R²", ""}})};
}

// What applies to the parameters whose names match; the last match counts.
std::vector<ParamSpec> parametersParams() {
  return {needed(param(ParamKind::Text, "match", "Name pattern", "Parameters by name: layer4.*, fc.*, *.bias.")),
          real("lr_factor", "Learning rate ×", "Times the learning rate of all others.", 1.0, 0, 1e6),
          real("weight_decay", "Weight decay", "Empty: the optimizer's.", nullptr, 0, 1e3),
          boolean("frozen", "Frozen", "These stay as they are.", false)};
}

}  // namespace

std::span<const Descriptor> precisions() {
  static const std::vector<Descriptor> kTable = {
      {"fp32", "fp32", "Single precision everywhere.", {}},
      {"tf32", "tf32", "Single precision with shortened factors in matrix products and convolutions; faster on NVIDIA GPUs since Ampere.", {}},
      {"bf16", "bf16", "Matrix products and convolutions in bfloat16; faster where the processor or GPU has it.", {}},
      {"fp16", "fp16", "Matrix products and convolutions in half precision, with a gradient scaler; for GPUs without bfloat16.",
       {advanced(above(real("init_scale", "First loss scale", "The loss is multiplied by this, so that small gradients survive.", 65536.0, 0, 1e30))),
        advanced(above(real("growth_factor", "Growth", "The scale is multiplied by this after growth_interval updates without infinities.", 2.0, 1, 1e6))),
        advanced(above(real("backoff_factor", "Back-off", "The scale is multiplied by this when a gradient is not finite.", 0.5, 0, 0.999999))),
        advanced(inUnit(integer("growth_interval", "Growth after", "So many updates without infinities.", 2000, 1, 1e9), "updates"))}},
  };
  return kTable;
}

const Descriptor* find(std::span<const Descriptor> table, std::string_view id) {
  for (const auto& entry : table) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

std::span<const Section> sections() {
  static const std::vector<Section> kSections = {
      {"run", "Run", runParams(), "", "", {}},
      {"data", "Data", dataParams(), "format", "image-folder", formats()},
      {"augment", "Augmentation", stepParams(), "op", "", augmentations(), true},
      {"eval_augment", "Evaluation pictures", stepParams(), "op", "", augmentations(), true},
      {"model", "Model", modelParams(), "arch", "", architectures()},
      {"train", "Training", trainParams(), "", "", {}},
      {"loss", "Loss", {}, "type", "auto", losses()},
      {"optimizer", "Optimizer", {}, "type", "adamw", optimizers()},
      {"parameters", "Groups of parameters", parametersParams(), "", "", {}, true},
      {"schedule", "Learning-rate schedule", scheduleParams(), "type", "constant", schedules()},
      {"precision", "Precision", {}, "type", "fp32", precisions()},
      {"parallel", "Devices", parallelParams(), "strategy", "single", strategies(), false, checkDevices},
      {"checkpoint", "Checkpoints", checkpointParams(), "", "", {}},
  };
  return kSections;
}

const Section* findSection(std::string_view key) {
  for (const auto& section : sections()) {
    if (section.key == key) return &section;
  }
  if (key == layerSection().key) return &layerSection();
  return nullptr;
}

}  // namespace trainyard::catalogue
