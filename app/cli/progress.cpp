#include "app/cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/base/units.h"

namespace trainyard::cli {

namespace {

// "cpu", "cuda:0 and cuda:1", "4 × cpu".
std::string devicesText(const Json& devices) {
  const auto names = devices.get<std::vector<std::string>>();
  const bool alike = std::all_of(names.begin(), names.end(), [&](const std::string& name) { return name == names.front(); });
  if (names.size() > 1 && alike) return std::to_string(names.size()) + " × " + names.front();
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string number(double value, const char* pattern) {
  char text[48];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

size_t terminalWidth() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress() : bar_(isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr) {}

Progress::~Progress() {
  if (drawn_) std::fputc('\n', stderr);
}

void Progress::line(const std::string& text) {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
  std::fprintf(stderr, "%s\n", text.c_str());
}

std::string Progress::summary() const {
  std::string text = "loss " + number(loss_, "%.4f");
  if (accuracy_ >= 0) text += "  accuracy " + number(accuracy_ * 100, "%.1f %%");
  text += "  " + formatCount(static_cast<uint64_t>(rate_)) + " pictures/s";
  if (memory_ > 0) text += "  " + formatBytes(static_cast<uint64_t>(memory_));
  if (step_ms_ > 0) text += "  " + formatDuration((steps_total_ - step_) * step_ms_ / 1000) + " left";
  return text;
}

void Progress::drawBar() {
  const double now = steadySeconds();
  if (now - last_draw_ < 0.1) return;
  last_draw_ = now;
  const double share = steps_total_ > 0 ? std::clamp(step_ / steps_total_, 0.0, 1.0) : 0;
  std::string text = "epoch " + std::to_string(epoch_ + 1) + "/" + number(epochs_, "%.0f") + " [";
  constexpr int kCells = 20;
  for (int i = 0; i < kCells; ++i) text += i < static_cast<int>(share * kCells) ? '#' : '.';
  text += "] " + summary();
  if (text.size() > terminalWidth() - 1) text.resize(terminalWidth() - 1);
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  drawn_ = true;
}

void Progress::show(const runs::Event& event) {
  if (event.step) step_ = static_cast<double>(*event.step);
  if (event.epoch) epoch_ = *event.epoch;
  const auto field = [&](const char* key, double fallback) { return event.number(key, fallback); };
  if (event.type == "run_started" || event.type == "resumed") {
    steps_total_ = field("steps_total", 0);
    epochs_ = field("epochs", 0);
    line((event.type == "resumed" ? "Continuing from step " + formatCount(static_cast<uint64_t>(step_)) + ": " : "") + formatCount(static_cast<uint64_t>(field("samples", 0))) + " samples, " +
         formatCount(static_cast<uint64_t>(field("parameters", 0))) + " parameters, " + formatCount(static_cast<uint64_t>(steps_total_)) + " steps, on " +
         devicesText(event.fields.value("devices", Json::array({"?"}))));
  } else if (event.type == "step") {
    loss_ = field("loss", NAN);
    rate_ = field("samples_per_s", 0);
    step_ms_ = field("step_ms", 0);
    if (bar_) drawBar();
  } else if (event.type == "eval") {
    accuracy_ = numberFrom(event.fields.value("metrics", Json::object()).value("accuracy", Json(-1)));
    if (!bar_) line("epoch " + std::to_string(epoch_ + 1) + "/" + number(epochs_, "%.0f") + "  validation loss " + number(field("loss", NAN), "%.4f") + "  " + summary());
  } else if (event.type == "device" && event.fields.value("device", "") == "cpu") {
    memory_ = field("memory_used_bytes", 0);
  } else if (event.type == "notice") {
    line(event.fields.value("severity", "") + ": " + event.fields.value("text", ""));
  } else if (event.type == "paused" || event.type == "released" || event.type == "continued") {
    line(event.type + " at step " + formatCount(static_cast<uint64_t>(step_)));
  } else if (event.type == "set") {
    line(event.fields.value("key", "") + " set from " + number(field("from", NAN), "%g") + " to " + number(field("to", NAN), "%g"));
  }
}

}  // namespace trainyard::cli
