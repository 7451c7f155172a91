#include "core/train/commands.h"

namespace trainyard::train {

Json okAnswer(Json fields) {
  Json answer{{"ok", true}};
  answer.update(fields);
  return answer;
}

Json errorAnswer(const Error& error) { return {{"ok", false}, {"error", toJson(error)}}; }

Json Commands::handle(const Json& request, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (closed_) return errorAnswer(*closed_);
  auto ticket = std::make_shared<Ticket>();
  queue_.push_back({request, ticket});
  arrived_.notify_one();
  answered_.wait_for(lock, patience, [&] { return ticket->answer.has_value(); });
  return ticket->answer.value_or(okAnswer({{"queued", true}}));
}

std::optional<Commands::Pending> Commands::take(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  if (wait.count() > 0) arrived_.wait_for(lock, wait, [&] { return !queue_.empty(); });
  if (queue_.empty()) return std::nullopt;
  Pending pending = std::move(queue_.front());
  queue_.pop_front();
  return pending;
}

void Commands::answer(const Pending& pending, Json answer) {
  std::scoped_lock lock(mutex_);
  std::static_pointer_cast<Ticket>(pending.ticket)->answer = std::move(answer);
  answered_.notify_all();
}

void Commands::close(const Error& error) {
  std::scoped_lock lock(mutex_);
  closed_ = error;
  for (const auto& pending : queue_) std::static_pointer_cast<Ticket>(pending.ticket)->answer = errorAnswer(error);
  queue_.clear();
  answered_.notify_all();
}

}  // namespace trainyard::train
