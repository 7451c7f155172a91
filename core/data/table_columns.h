#pragma once
// Tables as numbers for a network: numeric columns are standardised, categories become one number each that is 0 or 1, missing values are
// replaced. What that takes is learned on the training part alone and saved with the run.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::data {

class Dataset;

struct Column {
  std::string name;
  std::vector<std::string> categories;  // empty: numeric
  bool numeric() const { return categories.empty(); }
};

// Any thread.
class TableEncoder {
 public:
  // Means, standard deviations (1 where a column never varies) and categories of the rows `train`; missing numbers get the mean, missing or
  // new categories all zeros. O(rows × columns).
  static TableEncoder learn(const Dataset& table, std::span<const uint64_t> train);
  static Result<TableEncoder> fromJson(const Json& json);
  Json toJson() const;

  size_t width() const { return width_; }  // floats that encode() writes
  // `row` as Dataset::row() of a table with the same columns. Error Data when the columns differ in number.
  Result<void> encode(std::span<const float> row, std::span<float> out) const;

 private:
  struct Encoded {
    std::string name;
    std::vector<std::string> categories;
    double mean = 0, std = 1;
  };
  std::vector<Encoded> columns_;
  size_t width_ = 0;
};

}  // namespace trainyard::data
