#pragma once
// Mixed precision for a scope of one thread.
#include <ATen/autocast_mode.h>

#include <optional>

namespace trainyard::parallel {

// Enters autocast for the device in `type` (nothing when it is empty); the outermost guard clears the cache of cast weights when it ends.
class AutocastGuard {
 public:
  AutocastGuard(c10::DeviceType device, std::optional<at::ScalarType> type) : device_(device), active_(type.has_value()) {
    if (!active_) return;
    was_enabled_ = at::autocast::is_autocast_enabled(device_);
    was_type_ = at::autocast::get_autocast_dtype(device_);
    at::autocast::set_autocast_enabled(device_, true);
    at::autocast::set_autocast_dtype(device_, *type);
    at::autocast::increment_nesting();
  }
  ~AutocastGuard() {
    if (!active_) return;
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(device_, was_enabled_);
    at::autocast::set_autocast_dtype(device_, was_type_);
  }
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;

 private:
  c10::DeviceType device_;
  bool active_, was_enabled_ = false;
  at::ScalarType was_type_ = at::kFloat;
};

}  // namespace trainyard::parallel
