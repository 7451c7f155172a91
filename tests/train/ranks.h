#pragma once
// Whole runs on several CPU ranks of this process, on small data made here.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <map>

#include "core/train/checkpoint.h"
#include "tests/train/digits.h"

namespace trainyard::train {

inline std::vector<std::string> operator+(std::vector<std::string> left, const std::vector<std::string>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

inline std::vector<std::string> onCpus(const std::string& strategy, int count) {
  std::string devices = "\"cpu\"";
  for (int i = 1; i < count; ++i) devices += ", \"cpu\"";
  return {"parallel.strategy=\"" + strategy + "\"", "parallel.devices=[" + devices + "]"};
}

// What a run came to.
struct Numbers {
  std::vector<double> losses;  // of each step
  std::vector<Json> evaluations;
  std::map<std::string, at::Tensor> weights;
};

class RanksBench {
 public:
  fs::path path(const std::string& name) const { return fs::path(dir_.path().toStdString()) / name; }

  // 20 samples a step, 101 in all: the last step of an epoch has one.
  recipe::Recipe pictures(const std::vector<std::string>& overrides, int edge = 8, int held_out = 499) {
    const fs::path folder = path("pictures " + std::to_string(edge) + " " + std::to_string(held_out));
    if (!fs::exists(folder)) {
      fs::create_directory(folder);
      writeIdx(folder / "train", 101, edge);
      writeIdx(folder / "t10k", held_out, edge);
    }
    return load({"data.format=\"idx\"", "data.path=\"" + folder.string() + "\"", "model.arch=\"mlp\""}, overrides);
  }

  recipe::Recipe text(const std::vector<std::string>& overrides) {
    const fs::path file = path("text.txt");
    std::string all;
    uint32_t state = 7;
    while (all.size() < 125 * 16) all += std::string(1, static_cast<char>('a' + draw(state) % 9)) + (draw(state) % 4 == 0 ? " " : "the ");
    if (!fs::exists(file)) (void)replaceFile(file, all);
    return load({"data.format=\"text\"", "data.context=16", "data.path=\"" + file.string() + "\"", "data.validation=0.2", "model.arch=\"gpt\"", "model.layers=3", "model.width=32", "model.heads=2"}, overrides);
  }

  static Numbers numbersOf(const fs::path& run) {
    Numbers numbers;
    for (const auto& event : eventsOf(run)) {
      if (event.type == "step") numbers.losses.push_back(numberFrom(event.fields["loss"]));
      if (event.type == "eval") numbers.evaluations.push_back(event.fields);
    }
    const auto newest = loadNewest({run});
    if (!newest || !*newest) qFatal("there is no checkpoint in %s", run.c_str());
    for (const auto& [name, tensor] : (*newest)->model.tensors()) numbers.weights[name] = tensor.clone();
    return numbers;
  }

  Numbers train(const recipe::Recipe& recipe, const std::string& name) {
    fs::remove_all(path(name));
    const auto report = trainyardEngine()->train(recipe, path(name), {});
    if (!report) qFatal("%s: %s", name.c_str(), toText(report.error()).c_str());
    return numbersOf(path(name));
  }

 private:
  static uint32_t draw(uint32_t& state) { return (state = state * 1664525u + 1013904223u) >> 16; }

  // Ten classes, each a pattern under noise.
  static void writeIdx(const fs::path& stem, int count, int edge) {
    const auto header = [](std::initializer_list<int> numbers) {
      std::string bytes;
      for (const int number : numbers) {
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
      }
      return bytes;
    };
    std::string images = header({0x803, count, edge, edge}), labels = header({0x801, count});
    uint32_t state = 11;
    for (int i = 0; i < count; ++i) {
      const int label = i % 7 == 0 ? 3 : i % 10;  // classes of unequal sizes
      for (int k = 0; k < edge * edge; ++k) images += static_cast<char>((k * 37 + label * (k % 11) * 17) % 128 + static_cast<int>(draw(state) % 120));
      labels += static_cast<char>(label);
    }
    (void)replaceFile(stem.string() + "-images-idx3-ubyte", images);
    (void)replaceFile(stem.string() + "-labels-idx1-ubyte", labels);
  }

  recipe::Recipe load(const std::vector<std::string>& data, const std::vector<std::string>& overrides) {
    const fs::path file = path("recipe.toml");
    (void)replaceFile(file, "[run]\nname = \"ranks\"\nseed = 5\n[data]\nworkers = 1\n[train]\nepochs = 9\nbatch_size = 20\nlog_every = 1\nthreads = 1\n[optimizer]\ntype = \"sgd\"\nlr = 0.05\n[parallel]\ndevices = [\"cpu\"]\ntimeout = 20\n");
    auto loaded = recipe::load(file, data + overrides);
    if (!loaded) qFatal("%s", toText(loaded.error()).c_str());
    return std::move(*loaded);
  }

  QTemporaryDir dir_;
};

// "" where they agree, else what does not.
inline std::string difference(const Numbers& got, const Numbers& wanted, double of_losses = 1e-5, double of_weights = 1e-4, double of_metrics = 1e-6) {
  if (got.losses.size() != wanted.losses.size()) return std::to_string(got.losses.size()) + " steps instead of " + std::to_string(wanted.losses.size());
  for (size_t i = 0; i < got.losses.size(); ++i) {
    if (!(std::abs(got.losses[i] - wanted.losses[i]) <= of_losses)) return "loss of step " + std::to_string(i + 1) + ": " + std::to_string(got.losses[i]) + " instead of " + std::to_string(wanted.losses[i]);
  }
  if (got.weights.size() != wanted.weights.size()) return std::to_string(got.weights.size()) + " tensors";
  for (const auto& [name, tensor] : wanted.weights) {
    if (got.weights.count(name) == 0 || got.weights.at(name).sizes() != tensor.sizes()) return name + " is missing";
    const double apart = (got.weights.at(name).to(at::kDouble) - tensor.to(at::kDouble)).abs().max().item<double>();
    if (!(apart <= of_weights)) return name + " is " + std::to_string(apart) + " apart";
  }
  if (got.evaluations.size() != wanted.evaluations.size()) return std::to_string(got.evaluations.size()) + " evaluations";
  for (size_t i = 0; i < got.evaluations.size(); ++i) {
    const Json &mine = got.evaluations[i], &theirs = wanted.evaluations[i];
    if (mine["samples"] != theirs["samples"]) return "evaluated " + compactJson(mine["samples"]) + " samples instead of " + compactJson(theirs["samples"]);
    if (!(std::abs(numberFrom(mine["loss"]) - numberFrom(theirs["loss"])) <= of_losses)) return "evaluated loss " + compactJson(mine["loss"]) + " instead of " + compactJson(theirs["loss"]);
    for (const auto& [name, value] : theirs["metrics"].items()) {
      if (value.is_null() && mine["metrics"][name].is_null()) continue;
      const double a = numberFrom(mine["metrics"][name]), b = numberFrom(value);
      if (!(std::abs(a - b) <= of_metrics * std::max(1.0, std::abs(b)))) return name + " " + std::to_string(a) + " instead of " + std::to_string(b);
    }
  }
  return "";
}

}  // namespace trainyard::train
