#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/files.h"
#include "core/runs/descriptor.h"
#include "core/runs/event_log.h"

namespace trainyard::runs {

namespace {

constexpr size_t kChunk = 256 * 1024;
constexpr size_t kHead = 256;

tl::unexpected<Error> readError(const fs::path& file) {
  return fail(ErrorCode::Data, "cannot read the events: " + std::string(std::strerror(errno)), displayPath(file), "check the path and its permissions");
}

// Up to `size` bytes from `offset`; fewer at the end of the file.
Result<std::string> readAt(int descriptor, const fs::path& file, uint64_t offset, size_t size) {
  std::string bytes(size, '\0');
  size_t have = 0;
  while (have < size) {
    const ssize_t count = ::pread(descriptor, bytes.data() + have, size - have, static_cast<off_t>(offset + have));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return readError(file);
    if (count == 0) break;
    have += static_cast<size_t>(count);
  }
  bytes.resize(have);
  return bytes;
}

bool sameStamp(const EventReader::Stamp& a, const EventReader::Stamp& b) {
  return a.device == b.device && a.inode == b.inode && a.size == b.size && a.changed_ns == b.changed_ns;
}

// The first bytes of a log hold its start time: they tell a new file that got the old one's inode.
std::string headOf(const std::string& bytes) { return bytes.substr(0, std::min(kHead, bytes.find('\n'))); }

bool countsSteps(const Event& event) { return event.step && (event.type == "step" || event.type == "eval" || event.type == "checkpoint"); }

}  // namespace

EventReader::EventReader(fs::path file) : file_(std::move(file)) {}

Result<EventReader::News> EventReader::poll(size_t limit) {
  News news;
  if (lines_at_ == lines_.size()) TRAINYARD_CHECK(fill(news));
  while (news.events.size() < limit && lines_at_ < lines_.size()) {
    takeLines(news, limit);
    if (news.events.size() < limit) TRAINYARD_CHECK(fill(news));
  }
  return news;
}

void EventReader::takeLines(News& news, size_t limit) {
  while (lines_at_ < lines_.size() && news.events.size() < limit) {
    const size_t end = lines_.find('\n', lines_at_);
    const std::string_view line = std::string_view(lines_).substr(lines_at_, end - lines_at_);
    lines_at_ = end + 1;
    if (line.empty()) continue;
    if (auto event = fromLine(line)) {
      news.events.push_back(*std::move(event));
    } else {
      ++skipped_lines_;
    }
  }
}

Result<void> EventReader::fill(News& news) {
  lines_.clear();
  lines_at_ = 0;
  struct stat info {};
  if (::stat(file_.c_str(), &info) != 0) {
    if (errno == ENOENT) return {};
    return readError(file_);
  }
  const Stamp stamp{static_cast<uint64_t>(info.st_dev), static_cast<uint64_t>(info.st_ino), static_cast<uint64_t>(info.st_size),
                    info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec};
  if (at_end_ && sameStamp(stamp, seen_)) return {};
  const Descriptor descriptor(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) {
    if (errno == ENOENT) return {};
    return readError(file_);
  }
  TRAINYARD_CHECK(startOverIfReplaced(descriptor.get(), stamp, news));
  TRAINYARD_CHECK(readWholeLines(descriptor.get()));
  at_end_ = lines_.empty();
  seen_ = stamp;
  return {};
}

Result<void> EventReader::startOverIfReplaced(int descriptor, const Stamp& stamp, News& news) {
  TRAINYARD_TRY(const std::string bytes, readAt(descriptor, file_, 0, kHead));
  const bool first = offset_ == 0 && seen_.inode == 0;
  const bool other_file = stamp.inode != seen_.inode || stamp.device != seen_.device;
  const bool replaced = !first && (other_file || stamp.size < offset_ || (offset_ > 0 && headOf(bytes) != head_));
  if (replaced) {
    news.restarted = news.restarted || offset_ > 0;
    if (news.restarted) news.events.clear();
    offset_ = 0;
  }
  return {};
}

Result<void> EventReader::readWholeLines(int descriptor) {
  for (size_t size = kChunk;; size *= 2) {
    TRAINYARD_TRY(lines_, readAt(descriptor, file_, offset_, size));
    const bool more = lines_.size() == size;
    const size_t newline = lines_.rfind('\n');
    if (newline == std::string::npos && more) continue;
    lines_.resize(newline == std::string::npos ? 0 : newline + 1);
    if (offset_ == 0) head_ = headOf(lines_);
    offset_ += lines_.size();
    return {};
  }
}

Result<std::vector<Event>> readHistory(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return fail(ErrorCode::Data, "there are no events", displayPath(file), "the run has not started, or its file was removed");
  EventReader reader(file);
  TRAINYARD_TRY(EventReader::News news, reader.poll());
  std::vector<Event>& events = news.events;
  // From the end, so that each event is looked at once however often the run was resumed.
  std::vector<bool> undone(events.size());
  int64_t last_counted = INT64_MAX;
  for (size_t i = events.size(); i-- > 0;) {
    if (events[i].type == "resumed" && events[i].step) last_counted = std::min(last_counted, *events[i].step);
    undone[i] = countsSteps(events[i]) && *events[i].step > last_counted;
  }
  size_t kept = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    if (undone[i]) continue;
    if (kept != i) events[kept] = std::move(events[i]);
    ++kept;
  }
  events.resize(kept);
  return std::move(events);
}

void dropUndone(std::vector<Event>& events, const Event& resumed) {
  if (!resumed.step) return;
  std::erase_if(events, [&](const Event& event) { return countsSteps(event) && *event.step > *resumed.step; });
}

}  // namespace trainyard::runs
