#include "core/train/monitor.h"

#include "core/hardware/hardware.h"

namespace trainyard::train {

namespace {

Json gpuFields(const hardware::Gpu& gpu) {
  Json fields{{"device", "cuda:" + std::to_string(gpu.index)}, {"memory_used_bytes", gpu.memory_used_bytes}, {"memory_total_bytes", gpu.memory_total_bytes}};
  if (gpu.utilization) fields["utilization"] = *gpu.utilization;
  if (gpu.power_w) fields["power_w"] = *gpu.power_w;
  if (gpu.temperature_c) fields["temperature_c"] = *gpu.temperature_c;
  return fields;
}

}  // namespace

Monitor::Monitor(EventSink& sink, DeviceName device) : sink_(sink), device_(device), thread_([this](const std::stop_token& stop) { work(stop); }) {}

Monitor::~Monitor() = default;

void Monitor::work(const std::stop_token& stop) {
  hardware::ProcessMeter meter;
  (void)meter.read();
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; }) || stop.stop_requested()) return;
    }
    const auto reading = meter.read();
    sink_.emit("device", {{"device", "cpu"}, {"memory_used_bytes", reading.memory_bytes}, {"memory_total_bytes", reading.memory_total_bytes}, {"utilization", reading.utilization}});
    if (!device_.cuda) continue;
    for (const auto& gpu : hardware::readGpus()) {
      if (gpu.index == device_.index) sink_.emit("device", gpuFields(gpu));
    }
  }
}

}  // namespace trainyard::train
