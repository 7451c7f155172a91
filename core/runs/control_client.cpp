#include <sys/socket.h>
#include <sys/time.h>

#include <array>

#define ASIO_STANDALONE
#include <asio/io_context.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/read_until.hpp>
#include <asio/write.hpp>

#include "core/base/files.h"
#include "core/runs/control.h"
#include "core/runs/run_directory.h"
#include "core/runs/socket_folder.h"

namespace trainyard::runs {

namespace {

using Protocol = asio::local::stream_protocol;
using Milliseconds = std::chrono::milliseconds;
constexpr size_t kLongestAnswer = 16 << 20;

tl::unexpected<Error> noAnswer(const std::string& what, const fs::path& socket) {
  return fail(ErrorCode::Failed, "the run does not answer: " + what, displayPath(socket), "it may have just ended; trainyard runs show RUN tells its state");
}

ErrorCode codeNamed(const std::string& name) {
  for (const ErrorCode code : {ErrorCode::Usage, ErrorCode::Recipe, ErrorCode::Data, ErrorCode::OutOfMemory, ErrorCode::Device, ErrorCode::Interrupted}) {
    if (codeName(code) == name) return code;
  }
  return ErrorCode::Failed;
}

Error errorIn(const Json& answer) {
  const Json error = answer.value("error", Json::object());
  const auto text = [&](const char* key) {
    return error.is_object() && error.contains(key) && error.at(key).is_string() ? error.at(key).get<std::string>() : std::string();
  };
  const std::string what = text("what");
  return {codeNamed(text("code")), what.empty() ? "the run refused" : what, text("where"), text("hint")};
}

// Linux blocks a connect to a local socket whose queue is full: this is the limit of that, too.
void limitConnect(Protocol::socket& socket, Milliseconds timeout) {
  const timeval limit{timeout.count() / 1000, timeout.count() % 1000 * 1000};
  ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

Result<std::string> exchange(const fs::path& path, const std::string& line, Milliseconds timeout) try {
  asio::io_context context;
  Protocol::socket socket(context);
  asio::error_code problem;
  socket.open(Protocol(), problem);
  if (!problem) limitConnect(socket, timeout);
  if (!problem) socket.connect(Protocol::endpoint(path.native()), problem);
  if (problem) return noAnswer(problem.message(), path);

  std::string answer;
  bool done = false;
  asio::async_write(socket, asio::buffer(line), [&](const asio::error_code& write_problem, size_t) {
    problem = write_problem;
    if (problem) return;
    asio::async_read_until(socket, asio::dynamic_buffer(answer, kLongestAnswer), '\n', [&](const asio::error_code& read_problem, size_t size) {
      problem = read_problem;
      done = !problem;
      if (done) answer.resize(size - 1);
    });
  });
  context.run_for(timeout);
  if (done) return answer;
  if (problem) return noAnswer(problem == asio::error::eof ? "it closed the connection" : problem.message(), path);
  return noAnswer("nothing came within " + std::to_string(timeout.count()) + " ms", path);
} catch (const std::system_error& problem) {
  return noAnswer(problem.what(), path);
}

}  // namespace

Result<Json> sendControl(const fs::path& socket, const Json& request, Milliseconds timeout) {
  TRAINYARD_CHECK(checkSocketPath(socket));
  TRAINYARD_TRY(const std::string line, exchange(socket, compactJson(request) + "\n", timeout));
  Json answer = Json::parse(line, nullptr, false);
  if (!answer.is_object() || !answer.contains("ok") || !answer.at("ok").is_boolean()) return noAnswer("what came is not an answer of ours", socket);
  if (!answer.at("ok").get<bool>()) return tl::unexpected(errorIn(answer));
  return answer;
}

Result<Json> control(const fs::path& run_dir, const Json& request, Milliseconds timeout) {
  TRAINYARD_TRY(const SeenState seen, readState(Layout{run_dir}));
  const std::string name(stateName(seen.state.state));
  const bool live = seen.state.state == State::Starting || seen.state.state == State::Running || seen.state.state == State::Paused;
  if (!live) {
    return fail(ErrorCode::Usage, seen.unexpected_end ? "the run ended unexpectedly; nothing can be changed in it" : "the run is not live: it is " + name,
                displayPath(run_dir), "trainyard resume continues a run that has ended");
  }
  if (seen.state.socket.empty())
    return fail(ErrorCode::Failed, "the run is " + name + " and does not listen yet", displayPath(run_dir), "try again in a moment");
  return sendControl(seen.state.socket, request, timeout);
}

}  // namespace trainyard::runs
