#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "core/base/units.h"
#include "core/hardware/readers.h"

namespace trainyard::hardware {

namespace {

double processorSeconds() {
  timespec time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

uint64_t residentBytes() {
  const auto words = splitWords(slurp("/proc/self/statm"));
  if (words.size() < 2) return 0;
  return std::strtoull(words[1].c_str(), nullptr, 10) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

ProcessMeter::Reading ProcessMeter::read() {
  static const int kThreads = usableThreads("/", affinityThreads());
  static const Memory kMemory = readMemory("/");
  const double now = steadySeconds(), cpu = processorSeconds();
  Reading reading;
  reading.memory_bytes = residentBytes();
  reading.memory_total_bytes = kMemory.limit_bytes.value_or(kMemory.total_bytes);
  if (last_time_ > 0 && now > last_time_) reading.utilization = std::clamp((cpu - last_cpu_) / ((now - last_time_) * kThreads), 0.0, 1.0);
  last_time_ = now;
  last_cpu_ = cpu;
  return reading;
}

}  // namespace trainyard::hardware
