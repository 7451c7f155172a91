#pragma once
// A web server for one file, on a port of its own; it can misbehave. Answers one connection at a time, on a thread of its own.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace trainyard::testing {

struct Behaviour {
  bool ranges = true;            // false: a Range is ignored, and the whole file comes
  size_t break_after = SIZE_MAX; // bytes of the answer after which the connection breaks
  int status = 200;              // anything else: a refusal
  std::string redirect;          // to this path
};

class Server {
 public:
  explicit Server(std::string content) : content_(std::move(content)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), length);
    ::listen(listener_, 8);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { serve(); });
  }
  ~Server() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  std::string address(const std::string& path = "/file.pth") const { return "http://127.0.0.1:" + std::to_string(port_) + path; }
  std::string folder() const { return "http://127.0.0.1:" + std::to_string(port_); }

  // For the next connections, one each; afterwards it behaves.
  void misbehave(Behaviour next) {
    const std::lock_guard lock(mutex_);
    behaviours_.push_back(std::move(next));
  }
  // First lines and Range headers, as "GET /file.pth 100-".
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void serve() {
    while (true) {
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) return;
      answer(client);
      ::close(client);
    }
  }
  static std::string readRequest(int client) {
    std::string text;
    char buffer[2048];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t got = ::recv(client, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      text.append(buffer, static_cast<size_t>(got));
    }
    return text;
  }
  void answer(int client) {
    const std::string request = readRequest(client);
    const size_t range = request.find("Range: bytes=");
    std::string seen = request.substr(0, request.find(" HTTP"));
    size_t begin = 0;
    if (range != std::string::npos) {
      begin = std::stoul(request.substr(range + 13));
      seen += " " + request.substr(range + 13, request.find('\r', range) - range - 13);
    }
    Behaviour now;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(seen);
      if (!behaviours_.empty()) {
        now = behaviours_.front();
        behaviours_.erase(behaviours_.begin());
      }
    }
    const std::string text = response(now, begin, range != std::string::npos).substr(0, now.break_after);
    for (size_t sent = 0; sent < text.size();) {
      const ssize_t count = ::send(client, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<size_t>(count);
    }
  }
  std::string response(const Behaviour& now, size_t begin, bool ranged) const {
    if (!now.redirect.empty()) return "HTTP/1.1 302 Found\r\nLocation: " + now.redirect + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    if (now.status != 200) return "HTTP/1.1 " + std::to_string(now.status) + " No\r\nContent-Length: 5\r\nConnection: close\r\n\r\nsorry";
    if (ranged && now.ranges && begin >= content_.size()) return "HTTP/1.1 416 Range\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const bool part = ranged && now.ranges;
    const std::string body = content_.substr(part ? begin : 0);
    return std::string("HTTP/1.1 ") + (part ? "206 Partial" : "200 OK") + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
  }

  std::string content_;
  int listener_ = -1, port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Behaviour> behaviours_;
  std::vector<std::string> requests_;
  std::jthread thread_;
};

}  // namespace trainyard::testing
