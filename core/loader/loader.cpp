#include "core/loader/loader.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <opencv2/core/utility.hpp>
#include <thread>

#include "core/base/units.h"
#include "core/loader/broken_tally.h"
#include "core/loader/fetch.h"
#include "core/loader/plan.h"
#include "core/loader/slot.h"

namespace trainyard::loader {

namespace {

constexpr size_t kAlignment = 64;

std::shared_ptr<std::byte> plainMemory(size_t bytes) {
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment));
  return {memory, [](std::byte* pointer) { std::free(pointer); }};
}

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
  std::shared_ptr<const std::vector<Draw>> order;
  augment::Mix mix;
  std::vector<uint64_t> samples;  // those that were taken in the end; the first one's partner last where it is in another micro-batch
  uint64_t chunks = 0, handed = 0, finished = 0;
  bool ready = false;
  bool hollow = false;                             // there was no memory for it; set before any chunk is taken
  std::map<uint64_t, std::vector<Broken>> broken;  // by chunk
  std::optional<Error> error;
  uint64_t error_chunk = 0;

  bool mixed() const { return mix.kind != augment::Mix::Kind::None; }
};

struct Chunk {
  std::shared_ptr<Filling> filling;
  uint64_t index = 0;
};

class RingLoader : public Loader {
 public:
  RingLoader(Fetcher fetcher, uint64_t samples, Options options, std::function<void(const Error&)> on_broken)
      : options_(std::move(options)),
        samples_(samples),
        fetcher_(std::move(fetcher)),
        planner_(samples, options_),
        layout_(fetcher_.shape(), planner_.largest(), fetcher_.dataset(), options_.mixer.has_value()),
        in_memory_(fetcher_.dataset().inMemory()),
        chunk_(in_memory_ ? planner_.largest() + 1 : 1),
        tally_(samples, std::move(on_broken)),
        consumed_(options_.start),
        ring_(std::make_shared<Ring>()) {
    if (!options_.allocate) options_.allocate = plainMemory;
    const auto workers = static_cast<size_t>(std::max(options_.workers, 1));
    // The trainer holds a step's micro-batches at once; pictures to decode are shared out one by one and need fewer slots ahead.
    const size_t held = std::max<uint64_t>(options_.accumulate, 1);
    const size_t wanted = options_.slots > 0 ? static_cast<size_t>(options_.slots) : held + (in_memory_ ? workers + 1 : 3);
    const size_t slots = std::max(wanted, held + 1);
    ring_->memory.resize(slots);
    for (size_t slot = slots; slot > 0; --slot) ring_->free.push_back(slot - 1);
    if (samples_ == 0) return;
    cv::setNumThreads(0);  // the workers are the threads
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
    ring_->batch_ready.wait(lock, [this] { return ring_->stopped || (!ahead_.empty() && ahead_.front()->ready); });
    if (failure_) return tl::unexpected(*failure_);
    if (ring_->stopped) return fail(ErrorCode::Interrupted, "loading was stopped", "loader");
    const std::shared_ptr<Filling> filled = std::move(ahead_.front());
    ahead_.pop_front();
    lock.unlock();
    if (const auto sound = check(*filled); !sound) {
      lock.lock();
      failure_ = sound.error();
      stopLocked();
      return tl::unexpected(*failure_);
    }
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
      ahead_.back()->ready = true;
      if (ahead_.size() == 1) ring_->batch_ready.notify_one();
      job = planner_.next();
    }
    if (!order_ || order_epoch_ != job.epoch) {
      order_ = std::make_shared<const std::vector<Draw>>(fetcher_.order(job.epoch));
      order_epoch_ = job.epoch;
    }
    current_ = std::make_shared<Filling>();
    current_->job = job;
    current_->slot = ring_->free.back();
    current_->order = order_;
    if (options_.mixer) current_->mix = options_.mixer->draw(options_.seed, job.epoch, job.step, layout_.shape());
    const bool borrows = current_->mixed() && job.count > 0 && !job.wholeStep();
    current_->samples.resize(job.count + (borrows ? 1 : 0));
    current_->chunks = std::max<uint64_t>((current_->samples.size() + chunk_ - 1) / chunk_, 1);
    ring_->free.pop_back();
    if (!ring_->memory[current_->slot]) allocate();
    ahead_.push_back(current_);
    if (current_->chunks > 1) ring_->work_ready.notify_all();
  }

  void allocate() {
    const size_t bytes = layout_.bytes();
    auto& memory = ring_->memory[current_->slot];
    try {
      memory = options_.allocate(bytes);
    } catch (const std::exception&) {
      memory.reset();
    }
    current_->hollow = !memory;
    if (!memory)
      current_->error = {ErrorCode::OutOfMemory, "there is no memory for a batch of " + formatBytes(bytes), "loader",
                         "use a smaller train.batch_size or raise train.accumulate"};
  }

  void work() {
    while (const auto chunk = take()) {
      Filling& filling = *chunk->filling;
      std::vector<Broken> broken;
      Result<void> filled = filling.hollow ? Result<void>() : guarded([&] { return fill(*chunk, broken); });
      std::unique_lock lock(ring_->mutex);
      if (!filled && (!filling.error || chunk->index < filling.error_chunk)) {
        filling.error = std::move(filled.error());
        filling.error_chunk = chunk->index;
      }
      if (!broken.empty()) filling.broken[chunk->index] = std::move(broken);
      if (++filling.finished < filling.chunks) continue;
      if (filling.mixed() && !filling.error && filling.job.count > 0) {
        lock.unlock();
        mix(filling);
        lock.lock();
      }
      filling.ready = true;
      if (!ahead_.empty() && ahead_.front().get() == &filling) ring_->batch_ready.notify_one();
    }
  }

  template <class Function>
  static Result<void> guarded(Function function) {
    try {
      return function();
    } catch (const std::bad_alloc&) {
      return fail(ErrorCode::OutOfMemory, "there is no memory to decode a picture", "loader");
    } catch (const std::exception& error) {
      return fail(ErrorCode::Failed, std::string("a loader thread failed: ") + error.what(), "loader");
    }
  }

  Result<void> fill(const Chunk& chunk, std::vector<Broken>& broken) {
    Filling& filling = *chunk.filling;
    const Job& job = filling.job;
    std::byte* slot = ring_->memory[filling.slot].get();
    const uint64_t first = chunk.index * chunk_, end = std::min<uint64_t>(first + chunk_, filling.samples.size());
    for (uint64_t i = first; i < end; ++i) {
      if (ring_->stopped) return fail(ErrorCode::Interrupted, "loading was stopped", "loader");
      const uint64_t position = i < job.count ? job.first + i : job.partner();
      TRAINYARD_TRY(filling.samples[i], fetcher_.fetch(job.epoch, (*filling.order)[position], layout_.picture(slot, i), broken));
      layout_.writeTarget(slot, i, fetcher_.dataset(), filling.samples[i]);
    }
    return {};
  }

  void mix(const Filling& filling) {
    std::byte* slot = ring_->memory[filling.slot].get();
    if (filling.job.wholeStep()) layout_.closeCircle(slot, filling.job.count);
    layout_.mix(slot, filling.job.count, filling.mix);
  }

  Result<void> check(const Filling& filled) {
    for (const auto& [chunk, broken] : filled.broken) TRAINYARD_CHECK(tally_.add(broken));
    if (filled.error) return tl::unexpected(*filled.error);
    return {};
  }

  Batch batchFrom(Filling& filled) {
    const Job& job = filled.job;
    std::byte* slot = ring_->memory[filled.slot].get();
    Batch batch;
    batch.epoch = job.epoch;
    batch.step = job.step;
    batch.micro = job.micro;
    layout_.describe(slot, job.count, filled.mix, batch);
    batch.weight = static_cast<double>(job.count);
    batch.step_weight = static_cast<double>(job.step_end - job.step_first);
    batch.last_of_step = job.last_of_step;
    filled.samples.resize(job.count);
    batch.samples = std::move(filled.samples);
    batch.lease = std::shared_ptr<void>(slot, [ring = ring_, slot = filled.slot](void*) { ring->giveBack(slot); });
    return batch;
  }

  Options options_;
  const uint64_t samples_;
  const Fetcher fetcher_;
  Planner planner_;
  const SlotLayout layout_;
  const bool in_memory_;
  const uint64_t chunk_;  // samples that one worker takes at a time
  BrokenTally tally_;     // of the consumer's thread
  Cursor consumed_;
  const std::shared_ptr<Ring> ring_;
  // Under the ring's mutex:
  std::shared_ptr<Filling> current_;            // chunks are taken from this one
  std::deque<std::shared_ptr<Filling>> ahead_;  // begun and not yet handed out, in order
  std::shared_ptr<const std::vector<Draw>> order_;
  uint64_t order_epoch_ = 0;
  std::optional<Error> failure_;
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace

std::unique_ptr<Loader> make(std::shared_ptr<const data::Dataset> dataset, std::vector<uint64_t> indices, std::shared_ptr<const Preparer> preparer,
                             Options options, std::function<void(const Error&)> on_broken) {
  const uint64_t samples = indices.size();
  Fetcher fetcher(std::move(dataset), std::move(indices), std::move(preparer), options.seed, options.shuffle, options.balanced);
  return std::make_unique<RingLoader>(std::move(fetcher), samples, std::move(options), std::move(on_broken));
}

}  // namespace trainyard::loader
