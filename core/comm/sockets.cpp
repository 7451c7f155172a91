#include "core/comm/sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "core/comm/join_store.h"

namespace trainyard::comm {

namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const std::string& host, int port, std::string& why) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int status = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (status != 0) why = gai_strerror(status);
  return {status == 0 ? found : nullptr, &freeaddrinfo};
}

// 0, or the error's number.
int tryConnect(const addrinfo& address, std::chrono::milliseconds wait) {
  const Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return errno;
  if (connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd poll{socket.get(), POLLOUT, 0};
  if (::poll(&poll, 1, static_cast<int>(wait.count())) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length);
  return error;
}

}  // namespace

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

int Socket::release() { return std::exchange(descriptor_, -1); }

std::string endpoint(const std::string& host, int port) {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<Socket> listenOn(const std::string& host, int port) {
  std::string why;
  const Addresses addresses = resolve(host, port, why);
  const std::string where = endpoint(host, port);
  if (!addresses)
    return fail(ErrorCode::Device, "rank 0 cannot listen: the name is not known (" + why + ")", where,
                "give an address of this computer that the other machines reach");
  int error = 0;
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    Socket socket(::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    if (socket.get() >= 0) setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (socket.get() >= 0 && bind(socket.get(), address->ai_addr, address->ai_addrlen) == 0 && listen(socket.get(), SOMAXCONN) == 0) return socket;
    error = errno;
  }
  if (error == EADDRINUSE)
    return fail(ErrorCode::Device, "rank 0 cannot listen: port " + std::to_string(port) + " is in use", where,
                "choose another port on all ranks, or end the run that holds it");
  if (error == EADDRNOTAVAIL) {
    return fail(ErrorCode::Device, "rank 0 cannot listen: the address is not one of this computer's", where,
                "rank 0 must run on the machine that the rendezvous names");
  }
  return fail(ErrorCode::Device, "rank 0 cannot listen: " + std::string(std::strerror(error)), where, "choose another port on all ranks");
}

Result<void> waitForListener(const std::string& host, int port, std::chrono::duration<double> timeout) {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  std::string last;
  std::chrono::milliseconds pause = 50ms;
  for (int tries = 1;; ++tries) {
    std::string why;
    const Addresses addresses = resolve(host, port, why);
    if (!addresses) last = "the name is not known (" + why + ")";
    for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
      const auto left = timeout - (std::chrono::steady_clock::now() - start);
      const int error = tryConnect(*address, std::clamp(std::chrono::duration_cast<std::chrono::milliseconds>(left), 100ms, 5000ms));
      if (error == 0) return {};
      last = std::strerror(error);
    }
    const auto spent = std::chrono::steady_clock::now() - start;
    if (spent + 200ms >= timeout) {
      char text[64];
      std::snprintf(text, sizeof text, "tried %d times in %.3g s: ", tries, std::chrono::duration<double>(spent).count());
      return fail(ErrorCode::Device, "rank 0 does not answer: " + (text + last), endpoint(host, port),
                  "see that rank 0 runs, that the address is its own, and that no firewall is between (a plain TCP connection to that port must work)");
    }
    std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(pause, timeout - spent - 100ms));
    pause = std::min<std::chrono::milliseconds>(2 * pause, 1s);
  }
}

// A datagram socket that is connected, though nothing is sent, has the address that the way there leaves from.
std::string addressTowards(const std::string& host, int port) {
  std::string why;
  const Addresses addresses = resolve(host, port, why);
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    const Socket socket(::socket(address->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (socket.get() < 0 || connect(socket.get(), address->ai_addr, address->ai_addrlen) != 0) continue;
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    char text[NI_MAXHOST];
    if (getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &length) != 0) continue;
    if (getnameinfo(reinterpret_cast<sockaddr*>(&own), length, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0) return text;
  }
  return {};
}

}  // namespace trainyard::comm
