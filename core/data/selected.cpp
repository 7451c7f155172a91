#include "core/data/selected.h"

#include <algorithm>
#include <unordered_set>

#include "core/base/units.h"
#include "core/data/view.h"

namespace trainyard::data {

namespace {

class Selected : public View {
 public:
  Selected(std::unique_ptr<Dataset> whole, std::vector<uint64_t> kept, std::vector<int> labels, std::vector<std::string> classes)
      : whole_(std::move(whole)), kept_(std::move(kept)), labels_(std::move(labels)), classes_(std::move(classes)) {}
  uint64_t size() const override { return kept_.size(); }
  Task task() const override { return whole_->task(); }
  int label(uint64_t index) const override { return task() == Task::Classes ? labels_[static_cast<size_t>(whole_->label(kept_[index]))] : 0; }
  const std::vector<std::string>& classes() const override { return classes_; }
  void target(uint64_t index, std::span<float> out) const override {
    if (classes_.size() == labels_.size()) return whole_->target(kept_[index], out);
    std::vector<float> all(labels_.size());
    whole_->target(kept_[index], all);
    for (size_t c = 0; c < labels_.size(); ++c) {
      if (labels_[c] >= 0) out[static_cast<size_t>(labels_[c])] = all[c];
    }
  }
  bool inMemory() const override { return whole_->inMemory(); }
  const std::vector<Column>* columns() const override { return whole_->columns(); }
  std::span<const float> row(uint64_t index) const override { return whole_->row(kept_[index]); }

 protected:
  At at(uint64_t index) const override { return {whole_.get(), kept_[index]}; }

 private:
  std::unique_ptr<Dataset> whole_;
  std::vector<uint64_t> kept_;
  std::vector<int> labels_;  // of whole_ → here; -1: left out
  std::vector<std::string> classes_;
};

bool hasClasses(const Dataset& dataset) { return dataset.task() == Task::Classes || dataset.task() == Task::Labels; }

Result<void> checkClasses(const Dataset& dataset, const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (std::find(dataset.classes().begin(), dataset.classes().end(), name) != dataset.classes().end()) continue;
    const std::string near = nearestWord(name, dataset.classes());
    return fail(ErrorCode::Recipe, "there is no class \"" + name + "\" to leave out", "data.exclude_classes",
                near.empty() ? "the data has " + formatCount(dataset.classes().size()) + " classes, such as " + dataset.classes().front()
                             : "did you mean \"" + near + "\"?");
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Dataset>> leaveOut(std::unique_ptr<Dataset> dataset, const recipe::Data& data, bool strict) {
  if (data.exclude.empty() && data.exclude_classes.empty()) return dataset;
  if (strict && !data.exclude_classes.empty()) {
    if (!hasClasses(*dataset)) {
      const std::string has = dataset->task() == Task::Numbers ? "the data has numbers to be predicted" : "the data is text";
      return fail(ErrorCode::Recipe, "there are no classes to leave out: " + has, "data.exclude_classes", "remove the key");
    }
    TRAINYARD_CHECK(checkClasses(*dataset, data.exclude_classes));
  }
  std::vector<int> labels;
  std::vector<std::string> classes;
  for (const auto& name : dataset->classes()) {
    const bool out = hasClasses(*dataset) && std::find(data.exclude_classes.begin(), data.exclude_classes.end(), name) != data.exclude_classes.end();
    labels.push_back(out ? -1 : static_cast<int>(classes.size()));
    if (!out) classes.push_back(name);
  }
  const std::unordered_set<std::string> excluded(data.exclude.begin(), data.exclude.end());
  std::vector<uint64_t> kept;
  for (uint64_t i = 0; i < dataset->size(); ++i) {
    const bool class_out = dataset->task() == Task::Classes && labels[static_cast<size_t>(dataset->label(i))] < 0;
    if (!class_out && (excluded.empty() || !excluded.contains(dataset->name(i)))) kept.push_back(i);
  }
  if (kept.empty() || classes.empty()) {
    return fail(ErrorCode::Data, "nothing remains: all " + formatCount(dataset->size()) + " samples are left out", displayPath(data.path),
                "take names out of data.exclude or data.exclude_classes");
  }
  return std::make_unique<Selected>(std::move(dataset), std::move(kept), std::move(labels), std::move(classes));
}

}  // namespace trainyard::data
