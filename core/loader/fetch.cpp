#include "core/loader/fetch.h"

#include "core/base/random.h"
#include "core/data/split.h"

namespace trainyard::loader {

namespace {

constexpr uint64_t kReplacementDraws = 0x7265706c616365;
constexpr int kMostDraws = 100;
constexpr int kRepeatBits = 32;  // above the epochs there can be

}  // namespace

Fetcher::Fetcher(std::shared_ptr<const data::Dataset> dataset, std::vector<uint64_t> indices, std::shared_ptr<const Preparer> preparer, uint64_t seed,
                 bool shuffle, bool balanced)
    : dataset_(std::move(dataset)), indices_(std::move(indices)), preparer_(std::move(preparer)), seed_(seed), shuffle_(shuffle) {
  if (balanced) balanced_.emplace(*dataset_, indices_);
}

std::vector<Draw> Fetcher::order(uint64_t epoch) const {
  if (balanced_) return balanced_->draw(seed_, epoch);
  std::vector<Draw> order;
  order.reserve(indices_.size());
  if (shuffle_) {
    for (const uint64_t position : data::epochOrder(indices_.size(), seed_, epoch)) order.push_back({indices_[position], 0});
  } else {
    for (const uint64_t index : indices_) order.push_back({index, 0});
  }
  return order;
}

Result<uint64_t> Fetcher::fetch(uint64_t epoch, const Draw& drawn, std::span<float> out, std::vector<Broken>& broken) const {
  const uint64_t sample = drawn.sample;
  const augment::Key key{seed_, epoch + (drawn.repeat << kRepeatBits), sample};
  auto prepared = preparer_->prepare(*dataset_, sample, key, out);
  if (prepared) return sample;
  if (prepared.error().code != ErrorCode::Data) return tl::unexpected(std::move(prepared.error()));
  const size_t first = broken.size();
  broken.push_back({sample, std::move(prepared.error())});
  Random random({seed_, epoch, sample, kReplacementDraws});
  for (int draw = 0; draw < kMostDraws; ++draw) {
    const uint64_t other = indices_[random.below(indices_.size())];
    auto replaced = preparer_->prepare(*dataset_, other, key, out);
    if (replaced) return other;
    if (replaced.error().code != ErrorCode::Data) return tl::unexpected(std::move(replaced.error()));
    broken.push_back({other, std::move(replaced.error())});
  }
  return fail(ErrorCode::Data, "a hundred pictures in a row cannot be read; the first: " + broken[first].error.what, broken[first].error.where,
              "check the disk and the folder of the data");
}

}  // namespace trainyard::loader
