#pragma once
// SIGINT and SIGTERM, which ask a verb to end.

namespace trainyard::cli {

// `handler` may only do what is safe in a signal handler. System calls under way are taken up again.
void onInterrupt(void (*handler)(int));

}  // namespace trainyard::cli
