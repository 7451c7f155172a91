#include "core/train/checksums.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>

namespace trainyard::train {

namespace {

constexpr size_t kBlock = size_t{8} << 20, kPage = 4096;
constexpr unsigned kMostThreads = 4;  // more than the memory has bandwidth for
constexpr const char* kHint = "the checkpoint is damaged; an older one may be whole";

std::string hex(uint64_t sum) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
  return text;
}

// Whether a part of a mapping can be read without going to the disk. Reading a mapping where the disk fails ends the process.
bool inMemory(std::span<const char> bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data()) / kPage * kPage, end = reinterpret_cast<uintptr_t>(bytes.data() + bytes.size());
  std::vector<unsigned char> pages((end - begin + kPage - 1) / kPage);
  if (::mincore(reinterpret_cast<void*>(begin), end - begin, pages.data()) != 0) return false;
  return std::all_of(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1) != 0; });
}

// The same bytes by way of read(), which gives an error where the mapping would give a signal.
Result<std::vector<char>> readPart(const fs::path& path, size_t offset, size_t bytes) {
  std::vector<char> part(bytes);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  size_t have = 0;
  ssize_t got = descriptor < 0 ? -1 : 0;
  while (descriptor >= 0 && have < bytes) {
    got = ::pread(descriptor, part.data() + have, bytes - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<size_t>(got);
  }
  const std::string reason = got < 0 ? std::strerror(errno) : "it ends early";
  if (descriptor >= 0) ::close(descriptor);
  if (have < bytes) return fail(ErrorCode::Data, "cannot read: " + reason, displayPath(path), kHint);
  return part;
}

// One block of one file.
struct Job {
  const FileToVerify* file;
  size_t offset, bytes;
  std::string sum;  // as written
};

tl::unexpected<Error> differs(const FileToVerify& file) {
  const Json& entry = file.entry;
  const uint64_t written = entry.is_object() && entry.contains("bytes") && entry["bytes"].is_number_unsigned() ? entry["bytes"].get<uint64_t>() : 0;
  return fail(ErrorCode::Data, "the checksum does not agree: " + std::to_string(file.bytes.size()) + " bytes, written were " + std::to_string(written),
              displayPath(file.path), kHint);
}

// Checkpoints of the first version have one sum for the whole file.
Result<void> addJobs(const FileToVerify& file, std::vector<Job>& jobs) {
  const Json& entry = file.entry;
  if (!entry.is_object() || !entry.contains("xxh3_64") || entry.value("bytes", Json()) != Json(file.bytes.size())) return differs(file);
  const bool one = entry["xxh3_64"].is_string();
  const Json sums = one ? Json::array({entry["xxh3_64"]}) : entry["xxh3_64"], block = one ? Json(std::max<size_t>(file.bytes.size(), 1)) : entry.value("block_bytes", Json());
  if (!sums.is_array() || !block.is_number_unsigned() || block.get<size_t>() == 0) return differs(file);
  const size_t size = block.get<size_t>(), blocks = (file.bytes.size() + size - 1) / size;
  if (sums.size() != std::max<size_t>(blocks, 1)) return differs(file);
  for (size_t i = 0; i < sums.size(); ++i) {
    if (!sums[i].is_string()) return differs(file);
    jobs.push_back({&file, i * size, std::min(size, file.bytes.size() - i * size), sums[i].get<std::string>()});
  }
  return {};
}

Result<void> verifyOne(const Job& job) {
  std::span<const char> bytes = job.file->bytes.subspan(job.offset, job.bytes);
  std::vector<char> part;
  if (!inMemory(bytes)) {
    TRAINYARD_TRY(part, readPart(job.file->path, job.offset, job.bytes));
    bytes = part;
  }
  if (hex(XXH3_64bits(bytes.data(), bytes.size())) != job.sum) return differs(*job.file);
  return {};
}

}  // namespace

struct Checksum::State {
  XXH3_state_t* hash;
};

void Checksum::Free::operator()(State* state) const {
  XXH3_freeState(state->hash);
  delete state;
}

Checksum::Checksum() : state_(new State{XXH3_createState()}) { XXH3_64bits_reset(state_->hash); }

void Checksum::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t count = std::min<size_t>(bytes.size(), kBlock - in_block_);
    XXH3_64bits_update(state_->hash, bytes.data(), count);
    bytes.remove_prefix(count);
    bytes_ += count;
    in_block_ += count;
    if (in_block_ < kBlock) break;
    sums_.push_back(hex(XXH3_64bits_digest(state_->hash)));
    XXH3_64bits_reset(state_->hash);
    in_block_ = 0;
  }
}

Json Checksum::entry() {
  if (in_block_ > 0 || sums_.empty()) sums_.push_back(hex(XXH3_64bits_digest(state_->hash)));
  return {{"bytes", bytes_}, {"block_bytes", kBlock}, {"xxh3_64", sums_}};
}

Result<void> verify(std::span<const FileToVerify> files) {
  std::vector<Job> jobs;
  for (const auto& file : files) TRAINYARD_CHECK(addJobs(file, jobs));
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::optional<std::pair<size_t, Error>> first;
  const auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++) {
      const auto result = verifyOne(jobs[i]);
      if (result) continue;
      std::scoped_lock lock(mutex);
      if (!first || i < first->first) first = {i, result.error()};
    }
  };
  {
    const size_t helpers = std::min<size_t>({jobs.size(), std::max(1U, std::thread::hardware_concurrency()), kMostThreads}) - (jobs.empty() ? 0 : 1);
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < helpers && jobs.size() > files.size(); ++i) threads.emplace_back(work);
    work();
  }
  if (first) return tl::unexpected(first->second);
  return {};
}

}  // namespace trainyard::train
