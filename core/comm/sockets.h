#pragma once
// The few sockets that the rendezvous needs.
#include <chrono>
#include <string>

#include "core/base/result.h"

namespace trainyard::comm {

// An owned descriptor.
class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(other.release()) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket();
  int get() const { return descriptor_; }
  int release();

 private:
  int descriptor_;
};

// "host:port", "[fd00::1]:port"
std::string endpoint(const std::string& host, int port);

// Listens on that address of this computer and no other. Error Device: a name that is not known, an address that is not this computer's, a port in use.
Result<Socket> listenOn(const std::string& host, int port);

// Connects and closes again, in the end once a second, until it works or `timeout` is over. Error Device says how often it tried and what came of it.
Result<void> waitForListener(const std::string& host, int port, std::chrono::duration<double> timeout);

}  // namespace trainyard::comm
