#pragma once
// How far some work is: a bar with the time left on a terminal, now and then a plain line elsewhere (and under NO_COLOR). Everything goes to stderr.
#include <cstdint>
#include <string>

namespace trainyard::cli {

class WorkBar {
 public:
  explicit WorkBar(std::string things);  // "pictures"
  ~WorkBar();                            // takes the bar away
  void show(uint64_t done, uint64_t total);

 private:
  void draw(uint64_t done, uint64_t total, const std::string& left);

  std::string things_;
  bool bar_, drawn_ = false;
  double started_ = -1, last_ = 0;
  uint64_t first_done_ = 0;
};

}  // namespace trainyard::cli
