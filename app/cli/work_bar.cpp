#include "app/cli/work_bar.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "core/base/units.h"

namespace trainyard::cli {

namespace {

constexpr double kBetweenLines = 5;  // s

}  // namespace

WorkBar::WorkBar(std::string things) : things_(std::move(things)), bar_(isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr) {}

WorkBar::~WorkBar() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void WorkBar::show(uint64_t done, uint64_t total) {
  const double now = steadySeconds();
  if (started_ < 0) {
    started_ = last_ = now;
    first_done_ = done;
    return;
  }
  if (!bar_ && now - last_ < kBetweenLines) return;
  last_ = now;
  std::string left;
  if (done > first_done_) left = formatDuration((now - started_) * static_cast<double>(total - done) / static_cast<double>(done - first_done_)) + " left";
  if (bar_)
    draw(done, total, left);
  else
    std::fprintf(stderr, "%s of %s %s  %s\n", formatCount(done).c_str(), formatCount(total).c_str(), things_.c_str(), left.c_str());
}

void WorkBar::draw(uint64_t done, uint64_t total, const std::string& left) {
  constexpr uint64_t kCells = 20;
  std::string cells;
  for (uint64_t i = 0; i < kCells; ++i) cells += i * total < done * kCells ? '#' : '.';
  std::fprintf(stderr, "\r\033[K[%s] %s of %s %s  %s", cells.c_str(), formatCount(done).c_str(), formatCount(total).c_str(), things_.c_str(), left.c_str());
  drawn_ = true;
}

}  // namespace trainyard::cli
