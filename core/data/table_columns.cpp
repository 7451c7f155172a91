#include "core/data/table_columns.h"

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/data/dataset.h"

namespace trainyard::data {

namespace {

std::vector<std::string> namesOf(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

}  // namespace

TableEncoder TableEncoder::learn(const Dataset& table, std::span<const uint64_t> train) {
  const std::vector<Column>& columns = *table.columns();
  std::vector<double> sums(columns.size()), squares(columns.size()), counts(columns.size());
  std::vector<std::vector<char>> seen(columns.size());
  for (size_t c = 0; c < columns.size(); ++c) seen[c].resize(columns[c].categories.size());
  for (const uint64_t index : train) {
    const auto row = table.row(index);
    for (size_t c = 0; c < columns.size(); ++c) {
      if (std::isnan(row[c])) continue;
      if (!columns[c].numeric()) seen[c][static_cast<size_t>(row[c])] = 1;
      sums[c] += row[c];
      ++counts[c];
    }
  }
  TableEncoder encoder;
  for (size_t c = 0; c < columns.size(); ++c) {
    Encoded one;
    one.name = columns[c].name;
    one.from = c;
    if (counts[c] > 0 && columns[c].numeric()) one.mean = sums[c] / counts[c];
    for (size_t k = 0; k < seen[c].size(); ++k) {
      one.places.push_back(seen[c][k] ? static_cast<int>(one.categories.size()) : -1);
      if (seen[c][k]) one.categories.push_back(columns[c].categories[k]);
    }
    encoder.columns_.push_back(std::move(one));
  }
  // A second pass: the difference of large sums would lose the digits that matter.
  for (const uint64_t index : train) {
    const auto row = table.row(index);
    for (size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].numeric() && !std::isnan(row[c])) squares[c] += (row[c] - encoder.columns_[c].mean) * (row[c] - encoder.columns_[c].mean);
    }
  }
  for (size_t c = 0; c < columns.size(); ++c) {
    const double deviation = counts[c] > 0 ? std::sqrt(squares[c] / counts[c]) : 0;
    const double rounding = 1e-12 * std::abs(encoder.columns_[c].mean);  // what is left of a column that never varies
    if (columns[c].numeric() && deviation > rounding) encoder.columns_[c].std = deviation;
  }
  encoder.row_ = columns.size();
  encoder.measure();
  return encoder;
}

void TableEncoder::measure() {
  width_ = 0;
  for (const Encoded& column : columns_) width_ += column.numeric() ? 1 : column.categories.size();
}

std::vector<std::string> TableEncoder::names() const {
  std::vector<std::string> names;
  for (const Encoded& column : columns_) {
    if (column.numeric()) names.push_back(column.name);
    for (const auto& category : column.categories) names.push_back(column.name + " = " + category);
  }
  return names;
}

Json TableEncoder::toJson() const {
  Json columns = Json::array();
  for (const Encoded& column : columns_) {
    if (column.numeric())
      columns.push_back({{"name", column.name}, {"mean", column.mean}, {"std", column.std}});
    else
      columns.push_back({{"name", column.name}, {"categories", column.categories}, {"places", column.places}});
  }
  return Json{{"columns", std::move(columns)}};
}

Result<TableEncoder> TableEncoder::fromJson(const Json& json) {
  const auto damaged = [](const std::string& what) { return fail(ErrorCode::Data, "the table's columns are damaged: " + what, "columns", "start a new run"); };
  if (!json.is_object() || !json.contains("columns") || !json.at("columns").is_array()) return damaged("there is no list of columns");
  TableEncoder encoder;
  for (const Json& entry : json.at("columns")) {
    Encoded column;
    column.from = encoder.columns_.size();
    const std::string place = "number " + std::to_string(column.from + 1);
    if (!entry.is_object() || !entry.contains("name") || !entry.at("name").is_string()) return damaged(place + " has no name");
    column.name = entry.at("name").get<std::string>();
    if (!entry.contains("places")) {
      column.mean = numberFrom(entry.value("mean", Json()));
      column.std = numberFrom(entry.value("std", Json()));
      if (!std::isfinite(column.mean) || !std::isfinite(column.std) || column.std <= 0) return damaged(place + " has no mean and standard deviation");
      encoder.columns_.push_back(std::move(column));
      continue;
    }
    const auto isText = [](const Json& value) { return value.is_string(); };
    const auto isPlace = [&](const Json& value) {
      return value.is_number_integer() && value.get<int64_t>() >= -1 && value.get<int64_t>() < static_cast<int64_t>(entry.at("categories").size());
    };
    if (!entry.contains("categories") || !entry.at("categories").is_array() ||
        !std::all_of(entry.at("categories").begin(), entry.at("categories").end(), isText) || !entry.at("places").is_array() || entry.at("places").empty() ||
        !std::all_of(entry.at("places").begin(), entry.at("places").end(), isPlace)) {
      return damaged(place + " has no categories");
    }
    column.categories = entry.at("categories").get<std::vector<std::string>>();
    column.places = entry.at("places").get<std::vector<int>>();
    encoder.columns_.push_back(std::move(column));
  }
  encoder.row_ = encoder.columns_.size();
  encoder.measure();
  return encoder;
}

Result<TableEncoder> TableEncoder::forTable(const std::vector<Column>& columns) const {
  TableEncoder encoder = *this;
  const auto names = namesOf(columns);
  for (Encoded& one : encoder.columns_) {
    const auto found = std::find(names.begin(), names.end(), one.name);
    if (found == names.end()) {
      const std::string near = nearestWord(one.name, names);
      return fail(ErrorCode::Data, "the column \"" + one.name + "\" that was learned from is missing", one.name,
                  near.empty() ? "give the table the columns that training had" : "is it \"" + near + "\" here? Give it the same name");
    }
    one.from = static_cast<size_t>(found - names.begin());
    const Column& column = columns[one.from];
    if (column.numeric() != one.numeric()) {
      return fail(ErrorCode::Data,
                  "the column \"" + one.name + "\" holds " + (one.numeric() ? "texts here but numbers" : "numbers here but texts") + " in training", one.name,
                  "give the table the columns that training had");
    }
    if (one.numeric()) continue;
    one.places.clear();
    for (const auto& category : column.categories) {
      const auto known = std::find(one.categories.begin(), one.categories.end(), category);
      one.places.push_back(known == one.categories.end() ? -1 : static_cast<int>(known - one.categories.begin()));
    }
  }
  encoder.row_ = columns.size();
  return encoder;
}

Result<void> TableEncoder::encode(std::span<const float> row, std::span<float> out) const {
  if (row.size() != row_) {
    return fail(ErrorCode::Data, "the table has " + std::to_string(row.size()) + " columns; training had " + std::to_string(row_), "columns",
                "give the table the columns that training had");
  }
  size_t at = 0;
  for (const Encoded& column : columns_) {
    const float value = row[column.from];
    if (column.numeric()) {
      out[at++] = std::isnan(value) ? 0.0F : static_cast<float>((value - column.mean) / column.std);
      continue;
    }
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(at), column.categories.size(), 0.0F);
    const auto category = static_cast<size_t>(std::isnan(value) ? 0.0F : value);
    const int place = std::isnan(value) || category >= column.places.size() ? -1 : column.places[category];
    if (place >= 0) out[at + static_cast<size_t>(place)] = 1;
    at += column.categories.size();
  }
  return {};
}

}  // namespace trainyard::data
