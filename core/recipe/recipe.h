#pragma once
// What to train: the recipe as plain structs, filled only from a document that has passed validation (all defaults written out).
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::recipe {

// An entry of a catalogue with its own keys: {"adamw", {lr: 0.001, …}}. `params` holds every key of the table but the selector.
struct Choice {
  std::string id;
  Json params = Json::object();
  double number(const char* key, double fallback = 0) const { return params.contains(key) ? numberFrom(params.at(key), fallback) : fallback; }
  bool flag(const char* key) const { return params.value(key, false); }
};

struct Run {
  std::string name;
  uint64_t seed = 0;
};

struct Data {
  Choice format;        // id: image-folder, idx, …; params: path and the format's own keys
  fs::path path;        // "~" expanded
  Json validation;      // "auto" | share 0…0.9 | path
  Json test;            // null: none | share 0…0.9 | path; opened only by an explicit evaluation
  std::string group = "none";                // none | folder | name | time | similar: samples that no split may part
  std::string group_pattern;                 // group "name": a regular expression on the file's name
  std::vector<std::string> exclude;          // samples left out, as Dataset::name gives them
  std::vector<std::string> exclude_classes;  // class names left out; the classes behind them move up
  std::array<int, 3> background{255, 255, 255};  // RGB under transparent pixels
  double max_megapixels = 179;               // larger pictures are refused before decoding
  bool reduced_decode = true;                // large JPEGs may be decoded at 1/2, 1/4, 1/8
  std::string cache = "auto";                // auto | on | off: decode once, keep the pixels
  int size = 0;         // edge of the square picture the network gets; 0: as the data is
  int channels = 0;     // 1, 3; 0: as the data is
  int workers = 0;      // loader threads; 0: auto
};

struct Model {
  Choice arch;
  fs::path weights;     // empty: from scratch; a file, or the name of published weights
  std::vector<std::string> freeze;  // name patterns with * and ?
  int classes = 0;      // 0: the data's
};

struct Train {
  uint64_t epochs = 1;
  uint64_t batch_size = 1;   // samples per optimizer step, over all devices and accumulation
  uint64_t accumulate = 1;
  double clip_norm = 0;      // 0: no clipping
  double clip_value = 0;     // 0: no clipping
  double label_smoothing = 0;
  uint64_t log_every = 10;
  int threads = 0;           // intra-op threads on a CPU; 0: auto
  bool balanced_sampling = false;
  double ema_decay = 0;      // 0: no average of the weights
  uint64_t early_stop = 0;   // evaluations without improvement; 0: never
  double early_stop_min_delta = 0;
  uint64_t nonfinite_patience = 10;  // updates in a row
  bool activation_checkpointing = false;
  bool deterministic = false;
};

// [[parameters]]: of parameters whose names match; the last match counts.
struct ParameterRule {
  std::string match;  // with * and ?
  double lr_factor = 1;
  std::optional<double> weight_decay;  // empty: the optimizer's
  bool frozen = false;
};

struct Schedule {
  Choice choice;
  bool per_epoch = true;  // unit
  uint64_t warmup = 0;    // in units
};

struct Parallel {
  std::vector<std::string> devices;  // "cpu", "cuda:0"; "cpu" may stand there several times
  Choice strategy;                   // "single", "data", "pipeline", "sharded"
  double timeout_s = 30;             // so long a silent device is waited for
};

struct Checkpoint {
  uint64_t every_epochs = 1;
  uint64_t keep = 3;
  std::string metric;  // "loss", or the name of a metric
};

struct Recipe {
  Json document;  // the whole recipe, every default written out, in the order of the sections
  Run run;
  Data data;
  std::vector<Choice> augment;       // params hold "enabled" besides the step's own keys
  std::vector<Choice> eval_augment;  // empty: derived from augment
  Model model;
  Train train;
  Choice loss;
  Choice optimizer;
  std::vector<ParameterRule> parameters;
  Schedule schedule;
  Choice precision;  // "fp32", "tf32", "bf16", "fp16"
  Parallel parallel;
  Checkpoint checkpoint;
};

// One thing wrong with a recipe.
struct Problem {
  std::string key;  // "train.batch_size", "augment[1].size"
  Error error;      // code Recipe; where: "file:line:column: key" as far as known
};

// Where keys stand in a TOML file: key path → {line, column}, both from 1.
struct Position { int line = 0, column = 0; };
using Positions = std::vector<std::pair<std::string, Position>>;

struct Checked {
  Json document;                  // input with defaults filled in where they were missing
  std::vector<Problem> problems;  // empty: valid, and toRecipe may be called
};

// Checks `document` (as read, defaults missing) against the catalogue. `file` and `positions` only serve the messages.
Checked check(const Json& document, const std::string& file = {}, const Positions& positions = {});

// From a checked document without problems.
Recipe toRecipe(const Json& document);

// Text → document. Error Recipe with line and column for unreadable TOML and duplicate keys.
struct Parsed { Json document; Positions positions; };
Result<Parsed> parseToml(std::string_view text, const std::string& file);

// The document as TOML, tables and keys in order.
std::string writeToml(const Json& document);

// "train.epochs=3" sets the key in the document, "schedule={type="cosine"}" a whole table; values are TOML, else text. Error Usage.
Result<void> applyOverride(Json& document, std::string_view assignment);

// Reads, applies overrides, checks; the first problem is the error (the rest counted in its hint). Relative paths in [data] path,
// [data] validation and [model] weights are taken from the recipe's folder, and stand absolute in the document.
Result<Recipe> load(const fs::path& file, const std::vector<std::string>& overrides = {});

// A good start for what lies at `path`: used when somebody drops a folder, an archive or a table. Draft with name, format, architecture, sizes
// and augmentation.
Json draftFor(const fs::path& path, std::string_view format = "image-folder");

}  // namespace trainyard::recipe
