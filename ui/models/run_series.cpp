#include "ui/models/run_series.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {
namespace {

constexpr size_t kReportsKept = 10;  // of the ranks' times

}  // namespace

void Curve::add(double at_step, double at_epoch, double at_seconds, double what) {
  step.push_back(at_step);
  epoch.push_back(at_epoch);
  seconds.push_back(at_seconds);
  value.push_back(what);
}

void Curve::dropAfter(double last_step) {
  const auto keep = std::upper_bound(step.begin(), step.end(), last_step) - step.begin();
  for (auto* list : {&step, &epoch, &seconds, &value}) list->resize(keep);
}

void RunSeries::clear() {
  const std::string name = metric_name;
  *this = RunSeries();
  metric_name = name;
}

void RunSeries::add(const std::vector<runs::Event>& events) {
  for (const auto& event : events) add(event);
}

void RunSeries::add(const runs::Event& event) {
  if (event.type == "run_started") started = event.time;
  if (started == 0) started = event.time;
  if (event.type == "resumed") onResumed(event);
  last_time = std::max(last_time, event.time);
  if (event.type == "run_started" || event.type == "resumed") {
    const auto whole = [&](const char* key, int64_t& into) {
      const double value = event.number(key);
      if (std::isfinite(value)) into = static_cast<int64_t>(value);
    };
    if (event.fields.contains("devices") && event.fields.at("devices").is_array()) {
      device_names.clear();
      for (const auto& name : event.fields.at("devices")) {
        if (name.is_string()) device_names.push_back(name.get<std::string>());
      }
    }
    whole("steps_total", steps_total);
    whole("epochs", epochs);
    whole("samples", samples);
    whole("parameters", parameters);
  }
  if (event.step) step = event.type == "resumed" ? *event.step : std::max(step, *event.step);
  if (std::isnan(paused_at_)) seconds = std::max(0.0, last_time - started - clock_offset_);
  if (event.type == "step")
    onStep(event);
  else if (event.type == "eval")
    onEval(event);
  else if (event.type == "device")
    onDevice(event);
  else if (event.type == "ranks")
    onRanks(event);
  else if (event.type == "checkpoint")
    mark(RunMarkKind::Checkpoint, event);
  else if (event.type == "set")
    mark(RunMarkKind::Set, event);
  else if ((event.type == "paused" || event.type == "released") && std::isnan(paused_at_)) {
    mark(RunMarkKind::Pause, event);
    paused_at_ = event.time;
  } else if (event.type == "continued") {
    if (!std::isnan(paused_at_)) clock_offset_ += event.time - paused_at_;
    paused_at_ = qQNaN();
    mark(RunMarkKind::Resume, event);
  }
}

void RunSeries::onResumed(const runs::Event& event) {
  const auto last_step = static_cast<double>(event.step.value_or(0));
  for (Curve* curve : {&loss, &rate, &speed, &waiting, &gradient, &loss_scale, &eval_loss, &metric, &average_loss, &average_metric}) curve->dropAfter(last_step);
  for (auto* curves : {&memory, &use}) {
    for (auto& [device, curve] : *curves) curve.dropAfter(last_step);
  }
  rank_reports_.clear();  // it may go on with other devices
  std::erase_if(marks, [&](const RunMark& one) { return one.step > last_step; });
  std::erase_if(evals, [&](const EvalRow& row) { return static_cast<double>(row.step) > last_step; });
  findBest();
  if (last_time > 0) clock_offset_ += event.time - (std::isnan(paused_at_) ? last_time : paused_at_);
  paused_at_ = qQNaN();
  last_time = event.time;
  mark(RunMarkKind::Resume, event);
}

void RunSeries::onStep(const runs::Event& event) {
  const double at = static_cast<double>(step), at_epoch = epochAt(at);
  const double value = event.number("loss");
  loss.add(at, at_epoch, seconds, value);
  if (event.fields.contains("loss") && !std::isfinite(value) && (std::none_of(marks.begin(), marks.end(), [](const RunMark& one) { return one.kind == RunMarkKind::NonFinite; }) || (loss.value.size() > 1 && std::isfinite(loss.value[loss.value.size() - 2]))))
    mark(RunMarkKind::NonFinite, event);
  const auto put = [&](Curve& curve, double what) {
    if (std::isfinite(what)) curve.add(at, at_epoch, seconds, what);
  };
  put(rate, event.number("lr"));
  put(speed, event.number("samples_per_s"));
  put(gradient, event.number("grad_norm"));
  put(loss_scale, event.number("loss_scale"));
  if (event.number("skipped", 0) > 0) {
    mark(RunMarkKind::Skipped, event);
    marks.back().to = event.number("skipped");
  }
  const double wall = event.number("step_ms");
  if (wall > 0) put(waiting, std::clamp(event.number("data_wait_ms", 0) / wall, 0.0, 1.0));
}

void RunSeries::onEval(const runs::Event& event) {
  EvalRow row;
  row.step = event.step.value_or(step);
  row.epoch = event.epoch.value_or(0);
  row.split = event.fields.contains("split") && event.fields.at("split").is_string() ? event.fields.at("split").get<std::string>() : "validation";
  row.loss = event.number("loss");
  row.samples = static_cast<int64_t>(event.number("samples", 0));
  row.time = event.time;
  readMetric(event.fields.contains("metrics") ? event.fields.at("metrics") : Json::object(), row);
  evals.push_back(row);
  addToCurves(row);
  findBest();
}

void RunSeries::readMetric(const Json& metrics, EvalRow& row) {
  if (!metrics.is_object()) return;
  if (metric_name != "loss" && !metrics.contains(metric_name) && !metrics.contains("accuracy")) metric_name = "loss";
  for (const std::string& name : {metric_name, std::string("accuracy"), std::string("mae"), std::string("f1_macro")}) {
    if (!metrics.contains(name)) continue;
    shown_metric = name;
    row.metric = numberFrom(metrics.at(name));
    return;
  }
}

void RunSeries::addToCurves(const EvalRow& row) {
  const bool raw = row.split == "validation" || row.split == "val", averaged = row.split == "validation_ema";
  if (!raw && !averaged) return;
  const double at = static_cast<double>(row.step);
  (averaged ? average_loss : eval_loss).add(at, epochAt(at), seconds, row.loss);
  if (!std::isnan(row.metric)) (averaged ? average_metric : metric).add(at, epochAt(at), seconds, row.metric);
}

void RunSeries::findBest() {
  std::erase_if(marks, [](const RunMark& one) { return one.kind == RunMarkKind::Best; });
  best = qQNaN();
  best_step = best_epoch = -1;
  EvalRow* winner = nullptr;
  for (EvalRow& row : evals) {
    row.best = false;
    const double value = scoreOf(row);
    if (std::isnan(value) || (row.split != "validation" && row.split != "val")) continue;
    if (winner && (betterIsLower() ? value >= best : value <= best)) continue;
    winner = &row;
    best = value;
  }
  if (!winner) return;
  winner->best = true;
  best_step = winner->step;
  best_epoch = winner->epoch;
  const double at = static_cast<double>(best_step);
  const auto index = std::find(eval_loss.step.begin(), eval_loss.step.end(), at) - eval_loss.step.begin();
  marks.push_back({RunMarkKind::Best, at, epochAt(at), index < eval_loss.seconds.size() ? eval_loss.seconds[index] : seconds, {}, 0, 0});
}

void RunSeries::onDevice(const runs::Event& event) {
  if (!event.fields.contains("device") || !event.fields.at("device").is_string()) return;
  const std::string name = event.fields.at("device").get<std::string>();
  auto it = std::find_if(devices.begin(), devices.end(), [&](const DeviceFigures& one) { return one.device == name; });
  if (it == devices.end()) it = devices.insert(devices.end(), DeviceFigures{});
  *it = {name,
         event.number("memory_used_bytes"),
         event.number("memory_total_bytes"),
         event.number("utilization"),
         event.number("power_w"),
         event.number("temperature_c"),
         event.time};
  const double at = static_cast<double>(step);
  if (std::isfinite(it->memory_used)) memory[name].add(at, epochAt(at), seconds, it->memory_used);
  if (std::isfinite(it->utilization)) use[name].add(at, epochAt(at), seconds, it->utilization);
}

void RunSeries::onRanks(const runs::Event& event) {
  if (!event.fields.contains("ranks") || !event.fields.at("ranks").is_array()) return;
  std::vector<RankTimes> report;
  for (const Json& one : event.fields.at("ranks")) {
    if (!one.is_object()) continue;
    const auto time = [&one](const char* key) { return one.contains(key) ? std::max(0.0, numberFrom(one.at(key), 0)) : 0.0; };
    RankTimes times;
    times.rank = one.contains("rank") ? static_cast<int>(numberFrom(one.at("rank"), 0)) : static_cast<int>(report.size());
    if (one.contains("device") && one.at("device").is_string()) times.device = one.at("device").get<std::string>();
    times.compute = time("compute_ms");
    times.communication = time("comm_ms");
    times.data_wait = time("data_wait_ms");
    times.idle = time("idle_ms");
    report.push_back(times);
  }
  if (report.empty()) return;
  if (!rank_reports_.empty() && rank_reports_.back().size() != report.size()) rank_reports_.clear();
  rank_reports_.push_back(std::move(report));
  if (rank_reports_.size() > kReportsKept) rank_reports_.erase(rank_reports_.begin());
}

std::vector<RankTimes> RunSeries::rankTimes() const {
  if (rank_reports_.empty()) return {};
  std::vector<RankTimes> mean = rank_reports_.back();
  for (size_t rank = 0; rank < mean.size(); ++rank) {
    for (double RankTimes::* part : {&RankTimes::compute, &RankTimes::communication, &RankTimes::data_wait, &RankTimes::idle}) {
      double sum = 0;
      for (const auto& report : rank_reports_) sum += report[rank].*part;
      mean[rank].*part = sum / static_cast<double>(rank_reports_.size());
    }
  }
  return mean;
}

void RunSeries::mark(RunMarkKind kind, const runs::Event& event) {
  RunMark one;
  one.kind = kind;
  one.step = static_cast<double>(event.step.value_or(step));
  one.epoch = epochAt(one.step);
  one.seconds = seconds;
  if (kind == RunMarkKind::Set) {
    one.key = event.fields.contains("key") && event.fields.at("key").is_string() ? event.fields.at("key").get<std::string>() : "";
    one.from = event.number("from");
    one.to = event.number("to");
    if (std::isnan(one.to) && event.fields.contains("to") && event.fields.at("to").is_string()) one.text = event.fields.at("to").get<std::string>();
  }
  marks.push_back(one);
}

double RunSeries::secondsLeft() const {
  const auto points = loss.step.size();
  if (steps_total <= 0 || points < 2) return qQNaN();
  // Over the last minute or the last 50 points, whichever is more: evaluation and checkpoints count.
  auto from = std::max<qsizetype>(0, points - 50);
  while (from > 0 && loss.seconds.last() - loss.seconds[from] < 60) --from;
  const double steps = loss.step.last() - loss.step[from], time = loss.seconds.last() - loss.seconds[from];
  return steps > 0 ? std::max(0.0, static_cast<double>(steps_total - step)) * time / steps : qQNaN();
}

double RunSeries::halfLife() const {
  if (loss.step.size() < 2) return 0;
  const double per_point = (loss.step.last() - loss.step.first()) / static_cast<double>(loss.step.size() - 1);
  const double total = steps_total > 0 ? static_cast<double>(steps_total) : loss.step.last();
  return per_point > 0 ? total / 200 / per_point : 0;
}

}  // namespace trainyard::ui
