#include "core/runs/verdict_series.h"

#include <algorithm>
#include <cmath>

#include "core/runs/verdict.h"

namespace trainyard::runs {

namespace {

constexpr size_t kFirstPoints = 20, kNoisePoints = 200, kWaitPoints = 50, kFewestWaitPoints = 10;

bool isGpu(const std::string& device) { return device.starts_with("cuda") || device.starts_with("gpu"); }

std::string textOf(const Event& event, const char* key) {
  const auto found = event.fields.find(key);
  return found != event.fields.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void addStep(RunSeries& series, const Event& event) {
  StepPoint point{event.step.value_or(0), event.time, event.number("loss"), event.number("lr"), event.number("skipped", 0)};
  point.step_ms = event.number("step_ms");
  point.wait_ms = event.number("data_wait_ms");
  point.compute_ms = event.number("compute_ms");
  point.comm_ms = event.number("comm_ms");
  point.speed = event.number("samples_per_s");
  series.steps.push_back(point);
}

void addEval(RunSeries& series, const Event& event) {
  const std::string split = textOf(event, "split");
  if (split == "train" || split == "test" || split == "validation_ema") return;
  const auto metrics = event.fields.find("metrics");
  const bool measured = metrics != event.fields.end() && metrics->is_object() && metrics->contains("accuracy");
  const double accuracy = measured ? numberFrom(metrics->at("accuracy")) : std::nan("");
  series.evals.push_back({event.step.value_or(0), event.epoch.value_or(0), event.time, event.number("loss"), accuracy, event.number("samples")});
}

void addDevice(RunSeries& series, const Event& event) {
  series.last_device_time = event.time;
  const std::string device = textOf(event, "device");
  if (isGpu(device)) series.gpus[device].push_back({event.time, event.number("utilization"), event.number("temperature_c")});
}

void startSession(RunSeries& series, const Event& event) {
  series.session_start = event.time;
  if (event.type != "continued") series.engine_start = event.time;
  series.steps_total = static_cast<int64_t>(event.number("steps_total", static_cast<double>(series.steps_total)));
  series.epochs = static_cast<int64_t>(event.number("epochs", static_cast<double>(series.epochs)));
}

void noteActivity(RunSeries& series, const Event& event) {
  const double since = std::max(series.last_activity, series.session_start);
  if (event.type != "step" && since > 0) series.longest_break = std::max(series.longest_break, event.time - since);
  series.last_activity = event.time;
}

void add(RunSeries& series, const Event& event) {
  const std::string& type = event.type;
  if (type == "step") addStep(series, event);
  if (type == "eval") addEval(series, event);
  if (type == "device") addDevice(series, event);
  if (type == "checkpoint" && event.step) series.checkpoints.emplace_back(*event.step, textOf(event, "path"));
  if (type == "run_started" || type == "resumed" || type == "continued") startSession(series, event);
  if (type == "step" || type == "eval" || type == "checkpoint") noteActivity(series, event);
}

// Warm-up ends where the learning rate no longer rises.
size_t warmUpEnd(const std::vector<StepPoint>& steps) {
  size_t i = 0;
  while (i + 1 < steps.size() && steps[i + 1].lr > steps[i].lr) ++i;
  return i;
}

void deriveLoss(RunSeries& series) {
  const auto& steps = series.steps;
  std::vector<double> losses, gaps, residuals, first;
  for (const auto& point : steps) losses.push_back(point.loss);
  for (size_t i = steps.size() > kWaitPoints ? steps.size() - kWaitPoints : 1; i < steps.size(); ++i) {
    gaps.push_back(static_cast<double>(steps[i].step - steps[i - 1].step));
  }
  const double gap = median(gaps);
  if (gap >= 1) series.stride = gap;
  const double plan = series.steps_total > 0 ? static_cast<double>(series.steps_total) : series.stride * static_cast<double>(steps.size());
  series.smoothed = smooth(losses, std::max(1.0, plan / 200 / series.stride));
  for (size_t i = losses.size() - std::min(losses.size(), kNoisePoints); i < losses.size(); ++i) residuals.push_back(losses[i] - series.smoothed[i]);
  const double middle = median(residuals);
  for (double& value : residuals) value = std::fabs(value - middle);
  series.noise = 1.48 * median(residuals);
  double sum = 0, count = 0;
  for (size_t i = 0; i < losses.size() && count < kFirstPoints; ++i) {
    if (!std::isfinite(losses[i])) continue;
    sum += losses[i];
    ++count;
  }
  series.first_loss = count > 0 ? sum / count : std::nan("");
  series.warm = warmUpEnd(steps);
}

}  // namespace

RunSeries seriesOf(std::span<const Event> events) {
  RunSeries series;
  for (const Event& event : events) add(series, event);
  if (series.session_start == 0 && !events.empty()) series.session_start = events.front().time;
  if (!series.steps.empty()) deriveLoss(series);
  return series;
}

double median(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double waitingShare(const RunSeries& series) {
  std::vector<double> shares;
  for (size_t i = series.steps.size() - std::min(series.steps.size(), kWaitPoints); i < series.steps.size(); ++i) {
    const StepPoint& point = series.steps[i];
    if (point.step_ms > 0 && std::isfinite(point.wait_ms)) shares.push_back(point.wait_ms / point.step_ms);
  }
  return shares.size() < kFewestWaitPoints ? std::nan("") : median(std::move(shares));
}

}  // namespace trainyard::runs
