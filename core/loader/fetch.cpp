#include "core/loader/fetch.h"

#include "core/base/random.h"
#include "core/data/split.h"

namespace trainyard::loader {

namespace {

constexpr uint64_t kReplacementDraws = 0x7265706c616365;
constexpr int kMostDraws = 100;

}  // namespace

Fetcher::Fetcher(std::shared_ptr<const data::Dataset> dataset, std::vector<uint64_t> indices, std::shared_ptr<const augment::Chain> chain, uint64_t seed,
                 bool shuffle, std::function<void(const Error&)> on_broken)
    : dataset_(std::move(dataset)),
      indices_(std::move(indices)),
      chain_(std::move(chain)),
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
  const augment::Shape shape = chain_->shape();
  return static_cast<size_t>(shape.channels) * shape.height * shape.width;
}

void Fetcher::report(uint64_t sample, const Error& error) const {
  const std::scoped_lock lock(reported_->mutex);
  if (reported_->samples[sample]) return;
  reported_->samples[sample] = true;
  if (on_broken_) on_broken_(error);
}

Result<Fetcher::Found> Fetcher::find(uint64_t epoch, uint64_t sample) const {
  auto picture = dataset_->picture(sample);
  if (picture) return Found{sample, std::move(*picture)};
  if (picture.error().code != ErrorCode::Data) return tl::unexpected(std::move(picture.error()));
  report(sample, picture.error());
  Random random({seed_, epoch, sample, kReplacementDraws});
  for (int draw = 0; draw < kMostDraws; ++draw) {
    const uint64_t other = indices_[random.below(indices_.size())];
    auto replacement = dataset_->picture(other);
    if (replacement) return Found{other, std::move(*replacement)};
    report(other, replacement.error());
  }
  return fail(ErrorCode::Data, "a hundred pictures in a row cannot be read; the first: " + picture.error().what, picture.error().where,
              "check the disk and the folder of the data");
}

Result<void> Fetcher::fetch(const Piece& piece, const std::atomic<bool>& stopped) const {
  const size_t floats = pictureFloats();
  for (size_t i = 0; i < piece.samples.size(); ++i) {
    if (stopped) return fail(ErrorCode::Interrupted, "loading was stopped", "loader");
    const uint64_t sample = piece.samples[i];
    TRAINYARD_TRY(const Found found, find(piece.epoch, sample));
    auto applied = chain_->apply(found.picture, {seed_, piece.epoch, sample}, piece.inputs.subspan(i * floats, floats));
    if (!applied) {
      Error error = std::move(applied.error());
      error.where = dataset_->name(found.sample) + (error.where.empty() ? "" : " (" + error.where + ")");
      return tl::unexpected(std::move(error));
    }
    piece.targets[i] = dataset_->label(found.sample);
    piece.taken[i] = found.sample;
  }
  return {};
}

}  // namespace trainyard::loader
