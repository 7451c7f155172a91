#pragma once
// Once a second, a `device` event for the process and for each GPU in use.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/train/device.h"
#include "core/train/event_sink.h"

namespace trainyard::train {

class Monitor {
 public:
  Monitor(EventSink& sink, DeviceName device);
  ~Monitor();  // ends within a moment

 private:
  void work(const std::stop_token& stop);
  EventSink& sink_;
  DeviceName device_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace trainyard::train
