#include "ui/pages/run/run_samples.h"

#include <QFile>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/files.h"
#include "core/runs/run_directory.h"

namespace trainyard::ui {
namespace {

constexpr double kZ95 = 1.959964;

std::string textOf(const Json& object, const char* key) {
  return object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>() : std::string();
}

int64_t wholeOf(const Json& object, const char* key, int64_t fallback) {
  return object.contains(key) && object.at(key).is_number() ? object.at(key).get<int64_t>() : fallback;
}

const Json& listOf(const Json& object, const char* key) {
  static const Json kNone = Json::array();
  return object.contains(key) && object.at(key).is_array() ? object.at(key) : kNone;
}

Sample readSample(const Json& object) {
  Sample one;
  one.index = uint64_t(std::max<int64_t>(0, wholeOf(object, "index", 0)));
  one.name = QString::fromStdString(textOf(object, "name"));
  one.target = int(wholeOf(object, "target", -1));
  one.loss = object.contains("loss") ? numberFrom(object.at("loss")) : 0;
  for (const Json& guess : listOf(object, "top")) {
    if (guess.is_object() && guess.contains("probability")) one.top.push_back({int(wholeOf(guess, "index", 0)), numberFrom(guess.at("probability"))});
  }
  return one;
}

// Square, as large as the classes are; else nothing.
std::vector<std::vector<uint64_t>> readConfusion(const Json& rows, size_t classes) {
  std::vector<std::vector<uint64_t>> matrix;
  if (rows.size() != classes) return matrix;
  for (const Json& row : rows) {
    if (!row.is_array() || row.size() != classes) return {};
    std::vector<uint64_t> counts;
    for (const Json& count : row) counts.push_back(uint64_t(std::max(0.0, numberFrom(count, 0))));
    matrix.push_back(std::move(counts));
  }
  return matrix;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : std::nan(""); }

}  // namespace

RunSamples readSamples(const QString& run_dir, bool best) {
  RunSamples read;
  const fs::path dir(QFile::encodeName(run_dir).toStdString());
  const auto text = readFile(dir / "samples" / (best ? "best.json" : "latest.json"));
  if (!text) return read;
  const Json document = Json::parse(*text, nullptr, false);
  if (!document.is_object()) return read;
  read.step = wholeOf(document, "step", 0);
  read.epoch = wholeOf(document, "epoch", -1);
  read.split = QString::fromStdString(textOf(document, "split"));
  read.task = QString::fromStdString(textOf(document, "task"));
  for (const Json& name : listOf(document, "classes")) read.classes << (name.is_string() ? QString::fromStdString(name.get<std::string>()) : QString());
  read.confusion = readConfusion(listOf(document, "confusion"), size_t(read.classes.size()));
  for (const Json& object : listOf(document, "samples")) {
    if (object.is_object()) read.samples.push_back(readSample(object));
  }
  std::stable_sort(read.samples.begin(), read.samples.end(),
                   [](const Sample& a, const Sample& b) { return std::tuple(!a.wrong(), -a.loss) < std::tuple(!b.wrong(), -b.loss); });
  return read;
}

std::vector<ClassFigures> classFigures(const RunSamples& samples) {
  const auto& matrix = samples.confusion;
  std::vector<ClassFigures> figures;
  for (size_t c = 0; c < matrix.size(); ++c) {
    ClassFigures one{samples.classes.value(qsizetype(c))};
    double named = 0;
    for (size_t i = 0; i < matrix.size(); ++i) {
      one.samples += matrix[c][i];
      named += double(matrix[i][c]);
    }
    const double right = double(matrix[c][c]);
    one.precision = ratio(right, named);
    one.recall = ratio(right, double(one.samples));
    one.f1 = ratio(2 * right, named + double(one.samples));
    figures.push_back(std::move(one));
  }
  return figures;
}

Accuracy accuracyOf(double share, uint64_t all) {
  Accuracy found;
  found.all = all;
  found.share = share;
  if (all == 0 || !std::isfinite(share)) return found;
  const double n = double(all), z = kZ95;
  found.right = uint64_t(std::llround(share * n));
  found.error = std::sqrt(share * (1 - share) / n);
  // Wilson's, which stays sensible near 0 and 1.
  const double center = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  found.low = std::max(0.0, center - half);
  found.high = std::min(1.0, center + half);
  return found;
}

Accuracy accuracyOf(const RunSamples& samples) {
  uint64_t right = 0, all = 0;
  for (size_t i = 0; i < samples.confusion.size(); ++i) {
    for (size_t j = 0; j < samples.confusion.size(); ++j) {
      all += samples.confusion[i][j];
      if (i == j) right += samples.confusion[i][j];
    }
  }
  return accuracyOf(all > 0 ? double(right) / double(all) : std::nan(""), all);
}

}  // namespace trainyard::ui
