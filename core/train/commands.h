#pragma once
// Requests from the control socket, carried to the trainer, which reads them at step boundaries.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::train {

class Commands {
 public:
  // On the control thread: waits for the trainer's answer; after `patience` answers {"ok": true, "queued": true}.
  Json handle(const Json& request, std::chrono::milliseconds patience = std::chrono::seconds(8));

  struct Pending {
    Json request;
    std::shared_ptr<void> ticket;  // for answer()
  };
  // On the trainer's thread: the next request, waiting at most `wait`.
  std::optional<Pending> take(std::chrono::milliseconds wait = {});
  void answer(const Pending& pending, Json answer);
  // From now on every request is answered with this error.
  void close(const Error& error);

 private:
  struct Ticket {
    std::optional<Json> answer;
  };
  std::mutex mutex_;
  std::condition_variable arrived_, answered_;
  std::deque<Pending> queue_;
  std::optional<Error> closed_;
};

Json okAnswer(Json fields = Json::object());
Json errorAnswer(const Error& error);

}  // namespace trainyard::train
