#pragma once
// Inside the data room: what the rows of a CSV are to be learned as: one class, any number of labels, or numbers.
#include <span>
#include <string>
#include <vector>

#include "core/data/csv.h"
#include "core/data/dataset.h"

namespace trainyard::data {

struct TargetWish {
  std::vector<size_t> columns;  // at least one; several: one number, or one label that is 0 or 1, each
  std::string task = "auto";    // auto | classes | labels | numbers
  std::string separator;        // between the labels in one cell; empty: one label a cell
  int classes = 0;              // labels are whole numbers from 0 to classes - 1; 0: the labels there are, sorted
  size_t most_numbered = 0;     // task auto: more different whole numbers than this are numbers, not classes; 0: no limit
};

// `task`: auto takes labels where there is a separator or every column holds just 0 and 1; classes for texts and whole numbers; else numbers.
// Classes are sorted by name, whole numbers by value.
class CsvTargets {
 public:
  Task task() const { return task_; }
  const std::vector<std::string>& classes() const { return classes_; }
  int label(size_t row) const { return task_ == Task::Classes ? labels_[row] : 0; }
  void fill(size_t row, std::span<float> out) const;
  bool equal(size_t row, size_t other) const;

 private:
  friend class TargetReader;
  Task task_ = Task::Classes;
  std::vector<std::string> classes_;
  std::vector<int> labels_;    // Classes: one a row; Labels: those of all rows behind each other
  std::vector<size_t> ends_;   // Labels: where each row's end
  std::vector<float> values_;  // Numbers: row by row
};

// Error Data with file and line: no label, text among numbers, a number that is no class, a label that is neither 0 nor 1; Error Recipe for wishes
// that exclude each other.
Result<CsvTargets> readTargets(const Csv& csv, const TargetWish& wish);

// Whether a column's cells are numbers, with text in it: at most a tenth of them. Those are mistakes.
bool isNumberColumn(size_t numbers, size_t texts);
// The error about them. `row`: the first.
Error textAmongNumbers(const Csv& csv, size_t row, size_t column, std::string hint);

}  // namespace trainyard::data
