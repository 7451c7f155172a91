#include "core/train/predictions.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/train/loss.h"

namespace trainyard::train {

namespace {

constexpr int64_t kShown = 5;

double rank(const Prediction& prediction) { return std::isnan(prediction.loss) ? INFINITY : prediction.loss; }

bool largerLoss(const Prediction& a, const Prediction& b) { return rank(a) != rank(b) ? rank(a) > rank(b) : a.index < b.index; }

std::vector<double> targetOf(data::Task task, const at::Tensor& target) {
  if (task == data::Task::Tokens) return {};
  if (task == data::Task::Classes) return {static_cast<double>(target.item<int64_t>())};
  std::vector<double> out;
  const auto values = target.accessor<float, 1>();
  for (int64_t k = 0; k < values.size(0); ++k) {
    if (task == data::Task::Numbers)
      out.push_back(values[k]);
    else if (values[k] > 0.5F)
      out.push_back(static_cast<double>(k));
  }
  return out;
}

// Of each row: columns and what they hold, the largest first; numbers in their own order.
std::pair<at::Tensor, at::Tensor> topOf(data::Task task, const at::Tensor& outputs_NK) {
  const int64_t outputs = outputs_NK.size(1);
  if (task == data::Task::Numbers) return {outputs_NK.to(at::kDouble), at::arange(outputs).expand({outputs_NK.size(0), outputs})};
  const at::Tensor probabilities = task == data::Task::Classes ? at::softmax(outputs_NK.to(at::kDouble), 1) : at::sigmoid(outputs_NK.to(at::kDouble));
  auto [values, columns] = probabilities.topk(std::min(kShown, outputs), 1);
  return {values, columns};
}

// In quotes where it has to be.
std::string csvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out(1, '"');
  for (const char letter : text) {
    if (letter == '"') out += '"';
    out += letter;
  }
  return out + '"';
}

void addField(std::string& line, const std::string& field) {
  line += ',';
  line += field;
}

std::string nameOf(int64_t index, const std::vector<std::string>& names) {
  return static_cast<size_t>(index) < names.size() ? names[static_cast<size_t>(index)] : std::to_string(index);
}

std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace

std::vector<Prediction> predictionsOf(data::Task task, const std::vector<uint64_t>& samples, const at::Tensor& outputs, const at::Tensor& targets,
                                      const at::Tensor& losses) {
  std::vector<Prediction> predictions(samples.size());
  const at::Tensor targets_here = targets.cpu();
  at::Tensor losses_N = losses.cpu().to(at::kDouble), values, columns;
  if (task == data::Task::Tokens) {
    losses_N = losses_N.sum(1) / targets_here.ne(kIgnored).sum(1).clamp_min(1);
  } else {
    std::tie(values, columns) = topOf(task, outputs.cpu());
  }
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    Prediction& prediction = predictions[i];
    prediction.index = samples[i];
    prediction.loss = losses_N[row].item<double>();
    prediction.target = targetOf(task, targets_here[row]);
    if (!values.defined()) continue;
    const auto value = values.accessor<double, 2>()[row];
    const auto column = columns.accessor<int64_t, 2>()[row];
    for (int64_t k = 0; k < value.size(0); ++k) prediction.top.emplace_back(column[k], value[k]);
  }
  return predictions;
}

Json toJson(const Prediction& prediction, const Input& input) {
  Json target = Json::array(), top = Json::array();
  const bool numbers = input.task == data::Task::Numbers;
  for (const double value : prediction.target) target.push_back(numbers ? jsonNumber(value) : Json(static_cast<int64_t>(value)));
  if (input.task == data::Task::Classes) target = target[0];
  for (const auto& [index, value] : prediction.top) top.push_back({{"index", index}, {numbers ? "value" : "probability", jsonNumber(value)}});
  return {
      {"index", prediction.index}, {"name", input.dataset->name(prediction.index)}, {"target", target}, {"top", top}, {"loss", jsonNumber(prediction.loss)}};
}

std::string csvHeader(data::Task task, const std::vector<std::string>& names) {
  std::string line = "file";
  if (task == data::Task::Numbers) {
    for (const auto& name : names) {
      addField(line, csvField(std::string("target ").append(name)));
      addField(line, csvField(std::string("predicted ").append(name)));
    }
  } else if (task != data::Task::Tokens) {
    addField(line, "target");
    for (size_t k = 1; k <= std::min<size_t>(kShown, names.size()); ++k) {
      addField(line, std::string("class ").append(std::to_string(k)));
      addField(line, std::string("probability ").append(std::to_string(k)));
    }
  }
  addField(line, "loss");
  return line + '\n';
}

std::string csvLine(const Prediction& prediction, const Input& input, const std::vector<std::string>& names) {
  std::string line = csvField(input.dataset->name(prediction.index));
  if (input.task == data::Task::Numbers) {
    for (size_t k = 0; k < prediction.top.size(); ++k) {
      addField(line, numberText(prediction.target[k]));
      addField(line, numberText(prediction.top[k].second));
    }
  } else if (input.task != data::Task::Tokens) {
    std::string target;
    for (const double index : prediction.target) {
      if (!target.empty()) target += ';';
      target += nameOf(static_cast<int64_t>(index), names);
    }
    addField(line, csvField(target));
    for (const auto& [index, probability] : prediction.top) {
      addField(line, csvField(nameOf(index, names)));
      addField(line, numberText(probability));
    }
  }
  addField(line, numberText(prediction.loss));
  return line + '\n';
}

void Worst::add(Prediction prediction) {
  if (heap_.size() == most_) {
    if (most_ == 0 || !largerLoss(prediction, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), largerLoss);
    heap_.pop_back();
  }
  heap_.push_back(std::move(prediction));
  std::push_heap(heap_.begin(), heap_.end(), largerLoss);
}

std::vector<Prediction> Worst::take() {
  std::sort(heap_.begin(), heap_.end(), largerLoss);
  return std::exchange(heap_, {});
}

}  // namespace trainyard::train
