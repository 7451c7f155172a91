#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <list>
#include <thread>

#define ASIO_STANDALONE
#include <asio/io_context.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/read_until.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>

#include "core/base/files.h"
#include "core/runs/control.h"
#include "core/runs/socket_folder.h"

namespace trainyard::runs {

namespace {

using Protocol = asio::local::stream_protocol;
constexpr size_t kLongestLine = 1 << 20;
constexpr size_t kMostClients = 64;
constexpr auto kCheckEvery = std::chrono::milliseconds(500);
constexpr auto kPauseAfterFailedAccept = std::chrono::milliseconds(100);

Json refusal(ErrorCode code, const std::string& what, const std::string& hint) {
  return {{"ok", false}, {"error", toJson(Error{code, what, "control", hint})}};
}

Json answerTo(const std::string& line, const ControlServer::Handler& handle) {
  const Json request = Json::parse(line, nullptr, false);
  if (!request.is_object() || !request.contains("command") || !request.at("command").is_string()) {
    return refusal(ErrorCode::Usage, "not a request", "send one JSON object per line, such as {\"command\":\"pause\"}");
  }
  try {
    return handle(request);
  } catch (const std::exception& problem) {
    return refusal(ErrorCode::Failed, std::string("the request failed: ") + problem.what(), "");
  }
}

// One client: reads a line, answers it, reads the next.
class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(Protocol::socket socket, const ControlServer::Handler& handle) : socket_(std::move(socket)), handle_(handle) {}

  void read() {
    asio::async_read_until(socket_, asio::dynamic_buffer(received_, kLongestLine), '\n',
                           [self = shared_from_this()](const asio::error_code& problem, size_t size) { self->received(problem, size); });
  }

  void close() {
    asio::error_code ignored;
    socket_.close(ignored);
  }

  bool closed() const { return !socket_.is_open(); }

 private:
  void received(const asio::error_code& problem, size_t size) {
    if (problem == asio::error::not_found) {
      return answer(refusal(ErrorCode::Usage, "the line is longer than " + std::to_string(kLongestLine) + " bytes", "send one short JSON object per line"),
                    false);
    }
    if (problem) return close();
    const std::string line = received_.substr(0, size - 1);
    received_.erase(0, size);
    answer(answerTo(line, handle_), true);
  }

  void answer(const Json& json, bool go_on) {
    sending_ = compactJson(json) + "\n";
    asio::async_write(socket_, asio::buffer(sending_), [self = shared_from_this(), go_on](const asio::error_code& problem, size_t) {
      if (problem || !go_on) return self->close();
      self->read();
    });
  }

  Protocol::socket socket_;
  const ControlServer::Handler& handle_;
  std::string received_, sending_;
};

class Server : public ControlServer {
 public:
  Server(fs::path path, Handler handle) : path_(std::move(path)), handle_(std::move(handle)), acceptor_(context_), check_(context_), retry_(context_) {}

  ~Server() override {
    context_.stop();
    if (thread_.joinable()) thread_.join();
    if (stillOurs()) ::unlink(path_.c_str());
  }

  Result<void> start() {
    TRAINYARD_CHECK(bind());
    accept();
    checkLater();
    // Signals are for the threads of the program.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::jthread([this] { context_.run(); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return {};
  }

 private:
  // Somebody who listens there is left alone; what a killed engine left behind is removed.
  Result<void> bind() {
    TRAINYARD_CHECK(checkFolder());
    asio::error_code problem;
    Protocol::socket probe(context_);
    probe.connect(Protocol::endpoint(path_.native()), problem);
    if (!problem) return fail(ErrorCode::Failed, "another process listens on the control socket", displayPath(path_), "stop it first");
    struct stat info {};
    if (::lstat(path_.c_str(), &info) == 0 && S_ISSOCK(info.st_mode)) ::unlink(path_.c_str());

    Protocol::acceptor fresh(context_);
    fresh.open(Protocol(), problem);
    if (!problem) ::fcntl(fresh.native_handle(), F_SETFD, FD_CLOEXEC);
    // On Linux the file gets the descriptor's mode: no moment with a wider one.
    if (!problem) ::fchmod(fresh.native_handle(), 0600);
    if (!problem) fresh.bind(Protocol::endpoint(path_.native()), problem);
    if (!problem) fresh.listen(Protocol::acceptor::max_listen_connections, problem);
    if (!problem && (::chmod(path_.c_str(), 0600) != 0 || ::lstat(path_.c_str(), &info) != 0)) problem = asio::error_code(errno, asio::system_category());
    if (problem) return fail(ErrorCode::Failed, "cannot listen on the control socket: " + problem.message(), displayPath(path_));
    device_ = info.st_dev;
    inode_ = info.st_ino;
    acceptor_ = std::move(fresh);
    return {};
  }

  // A cleaner of /tmp may have taken the folder as well; what somebody else put in its place is not used.
  Result<void> checkFolder() const {
    const fs::path folder = path_.parent_path();
    struct stat info {};
    if (::lstat(folder.c_str(), &info) != 0) return makePrivateFolder(folder);
    if (S_ISDIR(info.st_mode) && info.st_uid == ::geteuid()) return {};
    return fail(ErrorCode::Failed, "the folder of the control socket is not yours", displayPath(folder), "use the path that socketPath gives");
  }

  bool stillOurs() const {
    struct stat info {};
    return ::lstat(path_.c_str(), &info) == 0 && info.st_dev == device_ && info.st_ino == inode_;
  }

  void accept() {
    acceptor_.async_accept([this](const asio::error_code& problem, Protocol::socket socket) {
      if (problem == asio::error::operation_aborted) return;
      if (problem) return acceptLater();
      ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
      admit(std::move(socket));
      accept();
    });
  }

  // Out of descriptors, most likely: do not spin.
  void acceptLater() {
    retry_.expires_after(kPauseAfterFailedAccept);
    retry_.async_wait([this](const asio::error_code& problem) {
      if (!problem) accept();
    });
  }

  void admit(Protocol::socket socket) {
    clients_.remove_if([](const std::shared_ptr<Client>& client) { return client->closed(); });
    if (clients_.size() >= kMostClients) {
      clients_.front()->close();
      clients_.pop_front();
    }
    clients_.push_back(std::make_shared<Client>(std::move(socket), handle_));
    clients_.back()->read();
  }

  void checkLater() {
    check_.expires_after(kCheckEvery);
    check_.async_wait([this](const asio::error_code& problem) {
      if (problem) return;
      struct stat info {};
      if (::lstat(path_.c_str(), &info) != 0 && errno == ENOENT && bind()) {
        retry_.cancel();
        accept();
      }
      checkLater();
    });
  }

  const fs::path path_;
  const Handler handle_;
  asio::io_context context_{1};
  Protocol::acceptor acceptor_;
  asio::steady_timer check_, retry_;
  std::list<std::shared_ptr<Client>> clients_;  // oldest first
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::jthread thread_;
};

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::listen(const fs::path& socket, Handler handle) try {
  TRAINYARD_CHECK(checkSocketPath(socket));
  auto server = std::make_unique<Server>(socket, std::move(handle));
  TRAINYARD_CHECK(server->start());
  return server;
} catch (const std::system_error& problem) {
  return fail(ErrorCode::Failed, "cannot listen on the control socket: " + std::string(problem.what()), displayPath(socket));
}

}  // namespace trainyard::runs
