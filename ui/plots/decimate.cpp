#include "ui/plots/decimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace trainyard::ui {
namespace {

struct Slice {
  qsizetype begin = 0, end = 0;
};

Slice slice(const QVector<double>& x, double from, double to) {
  const auto begin = std::lower_bound(x.begin(), x.end(), from) - x.begin();
  const auto end = std::upper_bound(x.begin(), x.end(), to) - x.begin();
  return {begin, std::max(begin, end)};
}

int columnOf(double x, double from, double to, int columns) {
  const double width = to - from;
  if (width <= 0) return 0;
  return std::clamp(static_cast<int>((x - from) / width * columns), 0, columns - 1);
}

void appendColumn(const QVector<double>& x, const QVector<double>& y, qsizetype begin, qsizetype end, Points& out) {
  if (end - begin <= 2) {
    for (auto i = begin; i < end; ++i) {
      out.x.push_back(x[i]);
      out.y.push_back(y[i]);
    }
    return;
  }
  qsizetype low = -1, high = -1;
  for (auto i = begin; i < end; ++i) {
    if (!std::isfinite(y[i])) continue;
    if (low < 0 || y[i] < y[low]) low = i;
    if (high < 0 || y[i] > y[high]) high = i;
  }
  if (low < 0) low = high = begin;
  const auto first = std::min(low, high), second = std::max(low, high);
  out.x.push_back(x[first]);
  out.y.push_back(y[first]);
  if (second == first) return;
  out.x.push_back(x[second]);
  out.y.push_back(y[second]);
}

}  // namespace

Points decimate(const QVector<double>& x, const QVector<double>& y, double x_from, double x_to, int columns) {
  Points out;
  const auto size = std::min(x.size(), y.size());
  if (size == 0 || columns <= 0) return out;
  auto [begin, end] = slice(x, x_from, x_to);
  end = std::min(end, size);
  out.x.reserve(std::min<qsizetype>(end - begin, 2 * columns) + 2);
  out.y.reserve(out.x.capacity());
  if (begin > 0) appendColumn(x, y, begin - 1, begin, out);
  for (auto i = begin; i < end;) {
    const int column = columnOf(x[i], x_from, x_to, columns);
    auto next = i + 1;
    while (next < end && columnOf(x[next], x_from, x_to, columns) == column) ++next;
    appendColumn(x, y, i, next, out);
    i = next;
  }
  if (end < size) appendColumn(x, y, end, end + 1, out);
  return out;
}

ValueRange fullRange(const QVector<double>& x, const QVector<double>& y, double x_from, double x_to) {
  ValueRange range;
  const auto [begin, end] = slice(x, x_from, x_to);
  for (auto i = begin; i < std::min(end, y.size()); ++i) {
    if (std::isfinite(y[i])) range = united(range, {y[i], y[i], true});
  }
  return range;
}

ValueRange robustRange(const QVector<double>& x, const QVector<double>& y, double x_from, double x_to) {
  const auto [begin, end] = slice(x, x_from, x_to);
  std::vector<double> values;
  values.reserve(static_cast<size_t>(std::max<qsizetype>(0, end - begin)));
  for (auto i = begin; i < std::min(end, y.size()); ++i) {
    if (std::isfinite(y[i])) values.push_back(y[i]);
  }
  if (values.empty()) return {};
  const auto rank = [&](double share) {
    const auto index = std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(values.size()))) - 1);
    std::nth_element(values.begin(), values.begin() + index, values.end());
    return values[static_cast<size_t>(index)];
  };
  const double p1 = rank(0.01), p99 = rank(0.99);
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  const double reach = 0.25 * (p99 - p1);
  ValueRange range{p1, p99, true};
  if (*highest <= p99 + reach) range.high = *highest;
  if (*lowest >= p1 - reach) range.low = *lowest;
  return range;
}

ValueRange united(const ValueRange& a, const ValueRange& b) {
  if (!a.valid) return b;
  if (!b.valid) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high), true};
}

QVector<Spike> spikes(const QVector<double>& x, const QVector<double>& y, double x_from, double x_to, int columns, double low, double high) {
  QVector<Spike> found;
  const auto [begin, end] = slice(x, x_from, x_to);
  int last_above = -1, last_below = -1;
  for (auto i = begin; i < std::min(end, y.size()); ++i) {
    if (std::isnan(y[i]) || (y[i] <= high && y[i] >= low)) continue;
    const bool above = y[i] > high;
    const int column = columnOf(x[i], x_from, x_to, columns);
    int& last = above ? last_above : last_below;
    if (column == last) continue;
    last = column;
    found.push_back({x[i], above});
  }
  return found;
}

qsizetype nearestIndex(const QVector<double>& x, double at) {
  if (x.isEmpty()) return -1;
  const auto after = std::lower_bound(x.begin(), x.end(), at) - x.begin();
  if (after == 0) return 0;
  if (after == x.size()) return x.size() - 1;
  return at - x[after - 1] <= x[after] - at ? after - 1 : after;
}

}  // namespace trainyard::ui
