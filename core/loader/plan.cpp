#include "core/loader/plan.h"

#include <algorithm>

namespace trainyard::loader {

namespace {

struct Span {
  uint64_t first = 0, end = 0;
  uint64_t count() const { return end - first; }
};

// Part `index` of `parts` almost equal ones.
Span part(Span whole, uint64_t index, uint64_t parts) {
  const uint64_t count = whole.count();
  return {whole.first + count * index / parts, whole.first + count * (index + 1) / parts};
}

uint64_t ceilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

}  // namespace

uint64_t stepsPerEpoch(uint64_t samples, uint64_t batch_size) { return ceilDiv(samples, std::max<uint64_t>(batch_size, 1)); }

Planner::Planner(uint64_t samples, const Options& options)
    : samples_(samples),
      batch_size_(std::max<uint64_t>(options.batch_size, 1)),
      accumulate_(std::max<uint64_t>(options.accumulate, 1)),
      rank_(options.rank),
      ranks_(std::max<uint32_t>(options.ranks, 1)),
      largest_(ceilDiv(ceilDiv(std::min(batch_size_, samples), ranks_), accumulate_)),
      at_(options.start) {}

Job Planner::next() {
  Job job;
  job.epoch = at_.epoch;
  job.step = at_.sample / batch_size_;
  if (at_.sample >= samples_) {
    job.step_first = job.step_end = samples_;
    job.end_of_epoch = true;
    at_ = {at_.epoch + 1, 0};
    return job;
  }
  // A start in mid-step (the batch size has changed since) makes one smaller step, and the rest falls into place again.
  const Span step{at_.sample, std::min(samples_, (job.step + 1) * batch_size_)};
  // As many micro-batches on every rank, and none of them empty on all.
  const uint64_t micros = std::min(accumulate_, ceilDiv(step.count(), ranks_));
  const Span micro = part(part(step, rank_, ranks_), micro_, micros);
  job.micro = micro_;
  job.first = micro.first;
  job.count = micro.count();
  job.step_first = step.first;
  job.step_end = step.end;
  job.last_of_step = ++micro_ == micros;
  if (job.last_of_step) {
    micro_ = 0;
    at_.sample = step.end;
  }
  return job;
}

}  // namespace trainyard::loader
