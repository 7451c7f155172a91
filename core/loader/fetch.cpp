#include "core/loader/fetch.h"

#include "core/base/random.h"
#include "core/data/split.h"

namespace trainyard::loader {

namespace {

constexpr uint64_t kReplacementDraws = 0x7265706c616365;
constexpr int kMostDraws = 100;

}  // namespace

Fetcher::Fetcher(std::shared_ptr<const data::Dataset> dataset, std::vector<uint64_t> indices, std::shared_ptr<const Preparer> preparer, uint64_t seed,
                 bool shuffle, std::function<void(const Error&)> on_broken)
    : dataset_(std::move(dataset)),
      indices_(std::move(indices)),
      preparer_(std::move(preparer)),
      seed_(seed),
      shuffle_(shuffle),
      on_broken_(std::move(on_broken)),
      reported_(std::make_unique<Reported>()) {
  reported_->samples.resize(dataset_->size());
}

std::vector<uint64_t> Fetcher::order(uint64_t epoch) const {
  if (!shuffle_) return indices_;
  std::vector<uint64_t> order = data::epochOrder(indices_.size(), seed_, epoch);
  for (auto& position : order) position = indices_[position];
  return order;
}

size_t Fetcher::pictureFloats() const {
  const augment::Shape shape = preparer_->shape();
  return static_cast<size_t>(shape.channels) * shape.height * shape.width;
}

void Fetcher::report(uint64_t sample, const Error& error) const {
  const std::scoped_lock lock(reported_->mutex);
  if (reported_->samples[sample]) return;
  reported_->samples[sample] = true;
  if (on_broken_) on_broken_(error);
}

// Gives the sample that was taken in the end.
Result<uint64_t> Fetcher::fetchOne(uint64_t epoch, uint64_t sample, std::span<float> out) const {
  const augment::Key key{seed_, epoch, sample};
  auto prepared = preparer_->prepare(*dataset_, sample, key, out);
  if (prepared) return sample;
  const Error first = std::move(prepared.error());
  if (first.code != ErrorCode::Data) return tl::unexpected(first);
  report(sample, first);
  Random random({seed_, epoch, sample, kReplacementDraws});
  for (int draw = 0; draw < kMostDraws; ++draw) {
    const uint64_t other = indices_[random.below(indices_.size())];
    auto replaced = preparer_->prepare(*dataset_, other, key, out);
    if (replaced) return other;
    if (replaced.error().code != ErrorCode::Data) return tl::unexpected(std::move(replaced.error()));
    report(other, replaced.error());
  }
  return fail(ErrorCode::Data, "a hundred pictures in a row cannot be read; the first: " + first.what, first.where, "check the disk and the folder of the data");
}

Result<void> Fetcher::fetch(const Piece& piece, const std::atomic<bool>& stopped) const {
  const size_t floats = pictureFloats();
  for (size_t i = 0; i < piece.samples.size(); ++i) {
    if (stopped) return fail(ErrorCode::Interrupted, "loading was stopped", "loader");
    TRAINYARD_TRY(const uint64_t taken, fetchOne(piece.epoch, piece.samples[i], piece.inputs.subspan(i * floats, floats)));
    piece.targets[i] = dataset_->label(taken);
    piece.taken[i] = taken;
  }
  return {};
}

}  // namespace trainyard::loader
