#pragma once
// The writer and the reader of events.jsonl.
#include <filesystem>
#include <memory>
#include <vector>

#include "core/runs/event.h"

namespace trainyard::runs {

// Appends events. Any thread may call append; each line is one write(2). Only the holder of the run's lock may have one open.
class EventWriter {
 public:
  // Opens for appending. A torn last line (no newline) is cut off first, and seq goes on after the last whole line.
  static Result<std::unique_ptr<EventWriter>> open(const std::filesystem::path& file);
  virtual ~EventWriter() = default;
  // Sets seq and time, writes the line. A failed write (disk full) is returned, and leaves no torn line behind; the next append tries anew.
  virtual Result<void> append(Event event) = 0;
  virtual Result<void> sync() = 0;  // fsync: at checkpoints and state changes only
};

// Follows a file that grows. Not thread-safe; cheap to poll (one stat) when nothing has happened.
// Cost: each whole line is parsed once over the life of the reader. Keeps nothing of an unfinished line, which the engine may cut off.
class EventReader {
 public:
  explicit EventReader(std::filesystem::path file);
  // What is new since the last call, in order, at most `limit` events. A torn last line waits until it is whole; an unreadable line is
  // skipped and counted. A file that was replaced or shortened is read from its start, and `restarted` is set: forget what came before.
  // A file that is not there (yet) has no news. Error Data when it cannot be read.
  struct News {
    std::vector<Event> events;
    bool restarted = false;
  };
  Result<News> poll(size_t limit = SIZE_MAX);
  uint64_t skippedLines() const { return skipped_lines_; }

  struct Stamp {
    uint64_t device = 0, inode = 0, size = 0;
    int64_t changed_ns = 0;
  };

 private:
  Result<void> fill(News& news);
  Result<void> startOverIfReplaced(int descriptor, const Stamp& stamp, News& news);
  Result<void> readWholeLines(int descriptor);
  void takeLines(News& news, size_t limit);

  std::filesystem::path file_;
  uint64_t offset_ = 0, skipped_lines_ = 0;  // offset_: after the last whole line that was read
  Stamp seen_;
  bool at_end_ = false;  // the file as in seen_ has no further whole line
  std::string head_;     // the first bytes of the file that is being read
  std::string lines_;    // whole lines read but not handed out yet, from lines_at_
  size_t lines_at_ = 0;
};

// All events of a run as they count now: what was recorded after the point from which a later `resumed` continued is dropped
// (a `step`, `eval` or `checkpoint` with a step beyond it). Cost: linear. Error Data when there is no such file or it cannot be read.
Result<std::vector<Event>> readHistory(const std::filesystem::path& file);

// The rule of readHistory for a live view: forget from `events` what the newly arrived `resumed` event undoes.
void dropUndone(std::vector<Event>& events, const Event& resumed);

}  // namespace trainyard::runs
