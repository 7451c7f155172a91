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
  // Means, standard deviations (of the population; 1 where a column never varies) and categories of the rows `train`; missing numbers get the
  // mean, missing or new categories all zeros. O(rows × columns).
  static TableEncoder learn(const Dataset& table, std::span<const uint64_t> train);
  // Error Data when it is not what toJson() wrote.
  static Result<TableEncoder> fromJson(const Json& json);
  Json toJson() const;

  // For another table, whose columns may stand in another order and whose categories may be others: found by name. Error Data naming a column that
  // is missing or of another kind. What fromJson() gives encodes rows of the table it was learned on as it is.
  Result<TableEncoder> forTable(const std::vector<Column>& columns) const;

  size_t width() const { return width_; }  // floats that encode() writes
  // What each of them is: "age", "colour = red".
  std::vector<std::string> names() const;
  // `row` as Dataset::row() of a table with the same columns; `out` has width() elements. Error Data when the columns differ in number.
  Result<void> encode(std::span<const float> row, std::span<float> out) const;

 private:
  struct Encoded {
    std::string name;
    std::vector<std::string> categories;  // those of the training rows; each has a place in the output
    std::vector<int> places;              // of the table's categories in `categories`; -1: a new one. Empty: numeric
    double mean = 0, std = 1;
    size_t from = 0;  // index in the row
    bool numeric() const { return places.empty(); }
  };
  void measure();

  std::vector<Encoded> columns_;
  size_t row_ = 0;  // columns of the table
  size_t width_ = 0;
};

}  // namespace trainyard::data
