#include "app/cli/signals.h"

#include <unistd.h>

#include <csignal>

namespace trainyard::cli {

namespace {

std::atomic<int> stop_requests{0};

}  // namespace

const std::atomic<int>& countInterrupts() {
  onInterrupt([](int) {
    if (stop_requests.fetch_add(1) > 0) _exit(130);
  });
  return stop_requests;
}

void onInterrupt(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace trainyard::cli
