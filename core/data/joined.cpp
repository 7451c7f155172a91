#include "core/data/joined.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/units.h"
#include "core/data/csv_targets.h"
#include "core/data/view.h"

namespace trainyard::data {

namespace {

class Joined : public View {
 public:
  Joined(std::shared_ptr<const Dataset> first, std::shared_ptr<const Dataset> second, Part part, std::vector<int> labels, std::vector<float> rows)
      : first_(std::move(first)), second_(std::move(second)), part_(part), labels_(std::move(labels)), rows_(std::move(rows)) {}
  uint64_t size() const override { return first_->size() + second_->size(); }
  Part part(uint64_t index) const override { return inFirst(index) ? first_->part(index) : part_; }
  Task task() const override { return first_->task(); }
  int label(uint64_t index) const override {
    if (inFirst(index)) return first_->label(index);
    return task() == Task::Classes ? labels_[static_cast<size_t>(second_->label(index - first_->size()))] : 0;
  }
  const std::vector<std::string>& classes() const override { return first_->classes(); }
  void target(uint64_t index, std::span<float> out) const override {
    if (inFirst(index)) return first_->target(index, out);
    std::vector<float> own(labels_.size());
    second_->target(index - first_->size(), own);
    std::fill(out.begin(), out.end(), 0.0F);
    for (size_t c = 0; c < labels_.size(); ++c) {
      if (labels_[c] >= 0) out[static_cast<size_t>(labels_[c])] = own[c];
    }
  }
  bool inMemory() const override { return first_->inMemory() && second_->inMemory(); }
  const std::vector<Column>* columns() const override { return first_->columns(); }
  std::span<const float> row(uint64_t index) const override {
    if (inFirst(index)) return first_->row(index);
    const size_t width = columns()->size();
    return std::span(rows_).subspan((index - first_->size()) * width, width);
  }

 protected:
  At at(uint64_t index) const override { return inFirst(index) ? At{first_.get(), index} : At{second_.get(), index - first_->size()}; }

 private:
  bool inFirst(uint64_t index) const { return index < first_->size(); }

  std::shared_ptr<const Dataset> first_, second_;
  Part part_;
  std::vector<int> labels_;  // of second_ → of first_; -1 where no sample has it
  std::vector<float> rows_;  // of second_, in first_'s columns and categories
};

std::string partName(Part part) { return part == Part::Test ? "the test part" : "validation"; }

// Classes and labels of `held_out` that samples have.
std::vector<bool> classesUsed(const Dataset& held_out, std::vector<uint64_t>& example) {
  std::vector<bool> used(held_out.classes().size(), held_out.task() == Task::Numbers);
  example.assign(used.size(), 0);
  std::vector<float> target(used.size());
  for (uint64_t i = 0; i < held_out.size(); ++i) {
    if (held_out.task() == Task::Classes) {
      const auto c = static_cast<size_t>(held_out.label(i));
      if (!used[c]) example[c] = i;
      used[c] = true;
    } else if (held_out.task() == Task::Labels) {
      held_out.target(i, target);
      for (size_t c = 0; c < used.size(); ++c) {
        if (!used[c] && target[c] > 0) example[c] = i;
        used[c] = used[c] || target[c] > 0;
      }
    }
  }
  return used;
}

Result<std::vector<int>> matchClasses(const Dataset& first, const Dataset& held_out, Part part, const std::string& where) {
  const auto& known = first.classes();
  std::vector<uint64_t> example;
  const auto used = classesUsed(held_out, example);
  std::vector<int> labels;
  for (size_t c = 0; c < used.size(); ++c) {
    const std::string& name = held_out.classes()[c];
    const auto found = std::find(known.begin(), known.end(), name);
    labels.push_back(found == known.end() ? -1 : static_cast<int>(found - known.begin()));
    if (found == known.end() && used[c]) {
      const std::string kind = first.task() == Task::Classes ? "class" : first.task() == Task::Labels ? "label" : "number column";
      const std::string near = nearestWord(name, known);
      const std::string at = first.task() == Task::Numbers ? "" : " (" + held_out.labelPlace(example[c]) + ")";
      return fail(ErrorCode::Data, "the " + kind + " \"" + name + "\" is in " + partName(part) + " but not in training" + at, where,
                  near.empty() ? "add training samples of it, or remove it" : "did you mean \"" + near + "\"?");
    }
  }
  if (first.task() == Task::Numbers && labels.size() != known.size()) {
    return fail(ErrorCode::Data, partName(part) + " has " + std::to_string(labels.size()) + " number columns, training has " + std::to_string(known.size()),
                where, "give both the same columns");
  }
  return labels;
}

// One column of `held_out` in the values of `first`'s.
struct Matched {
  size_t from = 0;
  std::vector<float> categories;  // of the held-out column → of the first; NaN where it has none such
};

Result<std::vector<Matched>> matchColumns(const std::vector<Column>& first, const std::vector<Column>& held_out, const std::string& where) {
  std::vector<Matched> matched;
  std::vector<std::string> names;
  for (const Column& column : held_out) names.push_back(column.name);
  for (const Column& wanted : first) {
    const auto found = std::find(names.begin(), names.end(), wanted.name);
    if (found == names.end()) {
      const std::string near = nearestWord(wanted.name, names);
      return fail(ErrorCode::Data, "the column \"" + wanted.name + "\" of the training table is missing", where,
                  near.empty() ? "give both tables the same columns, or leave it out with data.ignore" : "is it \"" + near + "\" here? Give it the same name");
    }
    Matched one{static_cast<size_t>(found - names.begin()), {}};
    const Column& column = held_out[one.from];
    if (column.numeric() != wanted.numeric()) {
      return fail(ErrorCode::Data,
                  "the column \"" + wanted.name + "\" holds " + (wanted.numeric() ? "texts here but numbers" : "numbers here but texts") + " in training",
                  where, "correct it, or name it in data.categorical");
    }
    for (const auto& category : column.categories) {
      const auto known = std::find(wanted.categories.begin(), wanted.categories.end(), category);
      one.categories.push_back(known == wanted.categories.end() ? std::numeric_limits<float>::quiet_NaN()
                                                                : static_cast<float>(known - wanted.categories.begin()));
    }
    matched.push_back(std::move(one));
  }
  return matched;
}

std::vector<float> matchedRows(const Dataset& held_out, const std::vector<Matched>& matched) {
  std::vector<float> rows;
  rows.reserve(held_out.size() * matched.size());
  for (uint64_t i = 0; i < held_out.size(); ++i) {
    const auto row = held_out.row(i);
    for (const Matched& column : matched) {
      const float value = row[column.from];
      rows.push_back(column.categories.empty() || std::isnan(value) ? value : column.categories[static_cast<size_t>(value)]);
    }
  }
  return rows;
}

}  // namespace

Result<std::shared_ptr<const Dataset>> join(std::shared_ptr<const Dataset> first, std::shared_ptr<const Dataset> held_out, Part part,
                                            const std::string& where) {
  if (first->task() != held_out->task()) {
    return fail(ErrorCode::Data, partName(part) + " has " + taskName(held_out->task()) + ", training has " + taskName(first->task()), where,
                "give both the same targets");
  }
  TRAINYARD_TRY(auto labels, matchClasses(*first, *held_out, part, where));
  std::vector<float> rows;
  if (first->columns() != nullptr) {
    TRAINYARD_TRY(const auto matched, matchColumns(*first->columns(), *held_out->columns(), where));
    rows = matchedRows(*held_out, matched);
  }
  return std::make_shared<Joined>(std::move(first), std::move(held_out), part, std::move(labels), std::move(rows));
}

}  // namespace trainyard::data
