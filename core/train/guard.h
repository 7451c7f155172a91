#pragma once
// LibTorch's exceptions end here and become errors.
#include <c10/util/Exception.h>

#include <functional>
#include <new>
#include <string>

#include "core/base/result.h"
#include "core/comm/comm_error.h"

namespace trainyard::train {

inline Error errorFrom(const std::exception& error) {
  if (const auto* failed = dynamic_cast<const comm::CommError*>(&error)) return failed->error();
  const std::string text = error.what();
  const auto* torch = dynamic_cast<const c10::Error*>(&error);
  const bool memory = dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr || dynamic_cast<const std::bad_alloc*>(&error) != nullptr || text.find("can't allocate memory") != std::string::npos;
  if (memory) {
    return {ErrorCode::OutOfMemory, "out of memory: " + (torch ? std::string(torch->what_without_backtrace()) : text), "train.batch_size",
            "use a smaller batch, split it with train.accumulate, or use bf16"};
  }
  return {ErrorCode::Failed, torch ? torch->what_without_backtrace() : text, "", ""};
}

// LibTorch's warnings, which it would print.
class Warnings : public c10::WarningHandler {
 public:
  explicit Warnings(std::function<void(const std::string&)> tell = {}) : tell_(std::move(tell)) {}
  void process(const c10::Warning& warning) override {
    if (tell_) tell_(warning.msg());
  }

 private:
  std::function<void(const std::string&)> tell_;
};

// Runs `work`, which gives a Result.
template <class Work>
auto guarded(Work&& work, std::function<void(const std::string&)> warned = {}) -> decltype(work()) {
  Warnings warnings(std::move(warned));
  const c10::WarningUtils::WarningHandlerGuard guard(&warnings);
  std::optional<Error> failure;
  try {
    return work();
  } catch (const std::exception& error) {
    failure = errorFrom(error);
  }
  return tl::unexpected(std::move(*failure));
}

}  // namespace trainyard::train
