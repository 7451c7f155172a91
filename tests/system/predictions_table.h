#pragma once
// What `evaluate --predictions` wrote of a network that tells classes, on samples whose names hold no comma.
#include <QTest>
#include <vector>

#include "tests/system/run_watcher.h"

namespace trainyard::system {

struct PredictionRow {
  QByteArray file, target;
  std::vector<std::pair<QByteArray, double>> top;  // class and probability, the likeliest first
  double loss = 0;
};

inline std::vector<PredictionRow> readPredictions(const QString& file) {
  QList<QByteArray> lines = readBytes(file).split('\n');
  const qsizetype columns = lines.takeFirst().split(',').size();
  if (lines.isEmpty() || !lines.takeLast().isEmpty()) qFatal("the table is torn");
  std::vector<PredictionRow> rows;
  for (const QByteArray& line : lines) {
    const QList<QByteArray> fields = line.split(',');
    if (fields.size() != columns) qFatal("%s", line.constData());
    PredictionRow row{fields.at(0), fields.at(1), {}, fields.last().toDouble()};
    for (qsizetype i = 2; i + 2 < columns; i += 2) row.top.emplace_back(fields.at(i), fields.at(i + 1).toDouble());
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace trainyard::system
