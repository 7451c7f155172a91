#pragma once
// SIGINT and SIGTERM, which ask a verb to end.
#include <atomic>

namespace trainyard::cli {

// From now on counts them; the second one ends the process at once. For verbs that look at the count between two steps.
const std::atomic<int>& countInterrupts();

// `handler` may only do what is safe in a signal handler. System calls under way are taken up again.
void onInterrupt(void (*handler)(int));

}  // namespace trainyard::cli
