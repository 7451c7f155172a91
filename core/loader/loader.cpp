#include "core/loader/loader.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <opencv2/core/utility.hpp>
#include <thread>

#include "core/base/units.h"
#include "core/loader/fetch.h"
#include "core/loader/plan.h"

namespace trainyard::loader {

namespace {

constexpr size_t kAlignment = 64;

std::shared_ptr<std::byte> plainMemory(size_t bytes) {
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment));
  return {memory, [](std::byte* pointer) { std::free(pointer); }};
}

constexpr uint64_t kChunk = 8;  // pictures to decode that one worker takes at a time

// What the loader and the leases share; it lives as long as the last of them.
struct Ring {
  std::mutex mutex;
  std::condition_variable work_ready, batch_ready;
  std::vector<std::shared_ptr<std::byte>> memory;  // per slot; allocated when it is first filled
  std::vector<size_t> free;
  std::atomic<bool> stopped = false;  // set under the mutex

  void giveBack(size_t slot) {
    const std::scoped_lock lock(mutex);
    free.push_back(slot);
    work_ready.notify_one();
  }
};

// A micro-batch under way. Workers take chunks of it.
struct Filling {
  Job job;
  size_t slot = 0;
  std::shared_ptr<const std::vector<uint64_t>> order;
  std::vector<uint64_t> samples;  // those that were taken in the end
  uint64_t chunks = 0, handed = 0, finished = 0;
  std::optional<Error> error;
  uint64_t error_chunk = 0;

  bool done() const { return finished == chunks; }
};

struct Chunk {
  std::shared_ptr<Filling> filling;
  uint64_t index = 0;
};

class RingLoader : public Loader {
 public:
  RingLoader(Fetcher fetcher, uint64_t samples, Options options)
      : options_(std::move(options)),
        samples_(samples),
        fetcher_(std::move(fetcher)),
        planner_(samples, options_),
        chunk_(fetcher_.inMemory() ? std::max<uint64_t>(planner_.largest(), 1) : kChunk),
        consumed_(options_.start),
        ring_(std::make_shared<Ring>()) {
    if (!options_.allocate) options_.allocate = plainMemory;
    const auto workers = static_cast<size_t>(std::max(options_.workers, 1));
    // The trainer holds a step's micro-batches at once; pictures to decode are shared out in chunks and need fewer slots ahead.
    const size_t held = std::max<uint64_t>(options_.accumulate, 1);
    const size_t wanted = options_.slots > 0 ? static_cast<size_t>(options_.slots) : held + (fetcher_.inMemory() ? workers + 1 : 3);
    const size_t slots = std::max(wanted, held + 1);
    ring_->memory.resize(slots);
    for (size_t slot = slots; slot > 0; --slot) ring_->free.push_back(slot - 1);
    if (samples_ == 0) return;
    for (size_t i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }

  ~RingLoader() override {
    stop();
    threads_.clear();  // joins
  }

  Result<std::optional<Batch>> next() override {
    if (samples_ == 0) {
      consumed_ = {consumed_.epoch + 1, 0};
      return std::nullopt;
    }
    std::unique_lock lock(ring_->mutex);
    ring_->batch_ready.wait(lock, [this] { return ring_->stopped || (!ahead_.empty() && ahead_.front()->done()); });
    if (failure_) return tl::unexpected(*failure_);
    if (ring_->stopped) return fail(ErrorCode::Interrupted, "loading was stopped", "loader");
    const std::shared_ptr<Filling> filled = std::move(ahead_.front());
    ahead_.pop_front();
    if (filled->error) {
      failure_ = std::move(filled->error);
      stopLocked();
      return tl::unexpected(*failure_);
    }
    lock.unlock();
    const Job& job = filled->job;
    if (job.end_of_epoch) {
      consumed_ = {job.epoch + 1, 0};
      return std::nullopt;
    }
    consumed_ = {job.epoch, job.last_of_step ? job.step_end : job.step_first};
    return batchFrom(*filled);
  }

  Cursor consumed() const override { return consumed_; }

  void stop() noexcept override {
    const std::scoped_lock lock(ring_->mutex);
    stopLocked();
  }

 private:
  void stopLocked() noexcept {
    ring_->stopped = true;
    ring_->work_ready.notify_all();
    ring_->batch_ready.notify_all();
  }

  // Micro-batches are begun in order, each with its slot: so the one that next() waits for always has one.
  std::optional<Chunk> take() {
    std::unique_lock lock(ring_->mutex);
    const auto has_chunk = [this] { return current_ && current_->handed < current_->chunks; };
    ring_->work_ready.wait(lock, [&] { return ring_->stopped || has_chunk() || !ring_->free.empty(); });
    if (ring_->stopped) return std::nullopt;
    if (!has_chunk()) begin();
    return Chunk{current_, current_->handed++};
  }

  void begin() {
    Job job = planner_.next();
    while (job.end_of_epoch) {
      ahead_.push_back(std::make_shared<Filling>());
      ahead_.back()->job = job;
      if (ahead_.size() == 1) ring_->batch_ready.notify_one();
      job = planner_.next();
    }
    if (!order_ || order_epoch_ != job.epoch) {
      order_ = std::make_shared<const std::vector<uint64_t>>(fetcher_.order(job.epoch));
      order_epoch_ = job.epoch;
    }
    current_ = std::make_shared<Filling>();
    current_->job = job;
    current_->slot = ring_->free.back();
    current_->order = order_;
    current_->samples.resize(job.count);
    current_->chunks = std::max<uint64_t>((job.count + chunk_ - 1) / chunk_, 1);
    ring_->free.pop_back();
    if (!ring_->memory[current_->slot]) allocate();
    ahead_.push_back(current_);
    if (current_->chunks > 1) ring_->work_ready.notify_all();
  }

  void allocate() {
    const size_t bytes = inputBytes() + planner_.largest() * sizeof(int64_t);
    auto& memory = ring_->memory[current_->slot];
    try {
      memory = options_.allocate(bytes);
    } catch (const std::exception&) {
      memory.reset();
    }
    if (!memory)
      current_->error = {ErrorCode::OutOfMemory, "there is no memory for a batch of " + formatBytes(bytes), "loader",
                         "use a smaller train.batch_size or raise train.accumulate"};
  }

  void work() {
    cv::setNumThreads(0);
    while (const auto chunk = take()) {
      Filling& filling = *chunk->filling;
      Result<void> filled = filling.error && filling.error->code == ErrorCode::OutOfMemory ? Result<void>() : fill(*chunk);
      const std::scoped_lock lock(ring_->mutex);
      if (!filled && (!filling.error || chunk->index < filling.error_chunk)) {
        filling.error = std::move(filled.error());
        filling.error_chunk = chunk->index;
      }
      ++filling.finished;
      if (filling.done() && !ahead_.empty() && ahead_.front().get() == &filling) ring_->batch_ready.notify_one();
    }
  }

  size_t inputBytes() const { return (planner_.largest() * fetcher_.pictureFloats() * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment; }

  Result<void> fill(const Chunk& chunk) {
    Filling& filling = *chunk.filling;
    const uint64_t first = chunk.index * chunk_, count = std::min(chunk_, filling.job.count - first);
    const size_t floats = fetcher_.pictureFloats();
    std::byte* memory = ring_->memory[filling.slot].get();
    const Piece piece{filling.job.epoch, std::span(filling.order->data() + filling.job.first + first, count),
                      std::span(reinterpret_cast<float*>(memory) + first * floats, count * floats),
                      std::span(reinterpret_cast<int64_t*>(memory + inputBytes()) + first, count), std::span(filling.samples.data() + first, count)};
    try {
      return fetcher_.fetch(piece, ring_->stopped);
    } catch (const std::bad_alloc&) {
      return fail(ErrorCode::OutOfMemory, "there is no memory to decode a picture", "loader");
    } catch (const std::exception& error) {
      return fail(ErrorCode::Failed, std::string("a loader thread failed: ") + error.what(), "loader");
    }
  }

  Batch batchFrom(Filling& filled) {
    const Job& job = filled.job;
    const augment::Shape shape = fetcher_.shape();
    const auto n = static_cast<int64_t>(job.count);
    const int64_t c = shape.channels, h = shape.height, w = shape.width;
    std::byte* memory = ring_->memory[filled.slot].get();
    Batch batch;
    batch.epoch = job.epoch;
    batch.step = job.step;
    batch.micro = job.micro;
    batch.inputs = {memory, Element::F32, {n, c, h, w}, {h * w * c, 1, w * c, c}};
    batch.targets = {memory + inputBytes(), Element::I64, {n}, {1}};
    batch.weight = static_cast<double>(n);
    batch.step_weight = static_cast<double>(job.step_end - job.step_first);
    batch.last_of_step = job.last_of_step;
    batch.samples = std::move(filled.samples);
    batch.lease = std::shared_ptr<void>(memory, [ring = ring_, slot = filled.slot](void*) { ring->giveBack(slot); });
    return batch;
  }

  Options options_;
  const uint64_t samples_;
  const Fetcher fetcher_;
  Planner planner_;
  const uint64_t chunk_;
  Cursor consumed_;
  const std::shared_ptr<Ring> ring_;
  // Under the ring's mutex:
  std::shared_ptr<Filling> current_;            // chunks are taken from this one
  std::deque<std::shared_ptr<Filling>> ahead_;  // begun and not yet handed out, in order
  std::shared_ptr<const std::vector<uint64_t>> order_;
  uint64_t order_epoch_ = 0;
  std::optional<Error> failure_;
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace

std::unique_ptr<Loader> make(std::shared_ptr<const data::Dataset> dataset, std::vector<uint64_t> indices, std::shared_ptr<const Preparer> preparer,
                             Options options, std::function<void(const Error&)> on_broken) {
  const uint64_t samples = indices.size();
  Fetcher fetcher(std::move(dataset), std::move(indices), std::move(preparer), options.seed, options.shuffle, std::move(on_broken));
  return std::make_unique<RingLoader>(std::move(fetcher), samples, std::move(options));
}

}  // namespace trainyard::loader
