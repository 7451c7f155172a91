#include "core/data/look.h"

#include <algorithm>
#include <mutex>
#include <opencv2/core.hpp>
#include <optional>

#include "core/data/image_decode.h"
#include "core/data/parallel.h"
#include "core/data/phash.h"
#include "core/data/pixel_sums.h"
#include "core/data/scan_cache.h"
#include "core/data/thumbnail.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace trainyard::data {

namespace {

std::array<uint64_t, 2> contentHash(const void* bytes, size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return {hash.low64, hash.high64};
}

void lookAtPixels(const cv::Mat& picture, Look& look) {
  look.decoded_channels = static_cast<uint8_t>(picture.channels());
  const PixelSums sums = pixelSums(picture);
  look.sums = sums.sums;
  look.squares = sums.squares;
  const cv::Mat small = greyThumbnail(picture);
  look.phash = perceptualHash(small);
  constexpr int kEdge = 8, kBlock = kThumbnailEdge / kEdge;
  for (int y = 0; y < kEdge; ++y) {
    for (int x = 0; x < kEdge; ++x) {
      int sum = kBlock * kBlock / 2;
      for (int dy = 0; dy < kBlock; ++dy) {
        for (int dx = 0; dx < kBlock; ++dx) sum += small.at<uchar>(y * kBlock + dy, x * kBlock + dx);
      }
      look.thumbnail[static_cast<size_t>(y * kEdge + x)] = static_cast<uint8_t>(sum / (kBlock * kBlock));
    }
  }
}

void takeFacts(const ImageFacts& facts, Look& look) {
  const auto& kinds = lookKinds();
  const auto kind = std::find(kinds.begin(), kinds.end(), facts.kind);
  look.kind = static_cast<uint8_t>(kind == kinds.end() ? 0 : kind - kinds.begin());
  look.width = static_cast<uint32_t>(facts.width);
  look.height = static_cast<uint32_t>(facts.height);
  look.channels = static_cast<uint8_t>(facts.channels);
  look.bits = static_cast<uint8_t>(facts.bits);
  look.orientation = static_cast<uint8_t>(facts.orientation);
  look.cmyk = facts.cmyk;
  look.alpha = facts.alpha;
  if (facts.taken) look.taken = *facts.taken;
}

Verdict verdictOf(std::string_view bytes, const Error& error) {
  if (bytes.empty()) return Verdict::Empty;
  return error.what.starts_with("is cut short") ? Verdict::Truncated : Verdict::Unreadable;
}

struct Seen {
  Look look;
  std::optional<Error> problem;
  bool keep = true;  // false: may be otherwise next time though the file is the same
};

Seen lookAtPicture(const Dataset& dataset, uint64_t sample, Seen seen) {
  const auto picture = dataset.picture(sample);
  if (!picture) {
    seen.look.verdict = Verdict::Unreadable;
    seen.problem = picture.error();
    return seen;
  }
  const cv::Mat pixels = picture->isContinuous() ? *picture : picture->clone();
  seen.look.content = contentHash(pixels.data, pixels.total() * pixels.elemSize());
  seen.look.width = static_cast<uint32_t>(pixels.cols);
  seen.look.height = static_cast<uint32_t>(pixels.rows);
  seen.look.channels = static_cast<uint8_t>(pixels.channels());
  seen.look.bits = 8;
  lookAtPixels(pixels, seen.look);
  return seen;
}

Seen lookAt(const Dataset& dataset, uint64_t sample, const DecodeOptions& options) {
  Seen seen;
  const auto bytes = dataset.fileBytes(sample);
  if (!bytes) {
    seen.keep = false;
    if (bytes.error().code == ErrorCode::Usage) return lookAtPicture(dataset, sample, seen);
    seen.look.verdict = Verdict::Unreadable;
    seen.problem = bytes.error();
    return seen;
  }
  seen.look.bytes = bytes->size();
  seen.look.content = contentHash(bytes->data(), bytes->size());
  const std::string name = dataset.name(sample);
  if (const auto facts = inspectImage(*bytes, name)) takeFacts(*facts, seen.look);
  const auto picture = decodeImage(*bytes, name, options);
  if (!picture) {
    seen.look.verdict = verdictOf(*bytes, picture.error());
    seen.problem = picture.error();
    return seen;
  }
  lookAtPixels(*picture, seen.look);
  return seen;
}

// The looks at one dataset, first as the cache has them, then by decoding what is left.
class Looking {
 public:
  Looking(const Dataset& dataset, const recipe::Data& data, const ScanOptions& options)
      : dataset_(dataset), options_(options), decode_(decodeOptions(data)), keep_(options.use_cache && !dataset.inMemory()) {
    if (keep_) cache_ = ScanCache::open(data, options.cache);
    looks_.all.resize(dataset.size());
    stamps_.resize(dataset.size());
    known_.resize(dataset.size());
  }

  bool recall() {
    ScanOptions quietly = options_;
    quietly.progress = nullptr;
    return forEach(dataset_.size(), 0, quietly, [&](uint64_t i) { recallOne(i); });
  }

  bool lookAtTheRest() {
    std::vector<uint64_t> rest;
    for (uint64_t i = 0; i < dataset_.size(); ++i) {
      if (!known_[i]) rest.push_back(i);
    }
    looks_.from_cache = dataset_.size() - rest.size();
    const bool whole = forEach(rest.size(), looks_.from_cache, options_, [&](uint64_t at) { lookOne(rest[at]); });
    std::sort(looks_.problems.begin(), looks_.problems.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (!rest.empty()) save();
    return whole;
  }

  Looks take() { return std::move(looks_); }

 private:
  void recallOne(uint64_t i) {
    stamps_[i] = dataset_.stamp(i);
    if (!keep_ || stamps_[i].bytes == 0) return;
    auto entry = cache_.find(keptAs(dataset_, i), stamps_[i]);
    if (!entry) return;
    known_[i] = 1;
    looks_.all[i] = entry->look;
    if (entry->look.verdict != Verdict::Fine) addProblem(i, {ErrorCode::Data, std::move(entry->what), dataset_.name(i), std::move(entry->hint)});
  }

  void lookOne(uint64_t i) {
    Seen seen = lookAt(dataset_, i, decode_);
    looks_.all[i] = seen.look;
    known_[i] = seen.keep && stamps_[i].bytes > 0;
    if (seen.problem) addProblem(i, std::move(*seen.problem));
  }

  void addProblem(uint64_t i, Error error) {
    const std::scoped_lock lock(mutex_);
    looks_.problems.emplace_back(i, std::move(error));
  }

  void save() {
    if (!keep_) return;
    auto problem = looks_.problems.begin();
    for (uint64_t i = 0; i < dataset_.size(); ++i) {
      while (problem != looks_.problems.end() && problem->first < i) ++problem;
      const bool broken = problem != looks_.problems.end() && problem->first == i;
      if (known_[i]) cache_.add(keptAs(dataset_, i), stamps_[i], {looks_.all[i], broken ? problem->second.what : "", broken ? problem->second.hint : ""});
    }
    // A folder that cannot be written only costs time at the next look.
    static_cast<void>(cache_.save());
  }

  const Dataset& dataset_;
  const ScanOptions& options_;
  DecodeOptions decode_;
  bool keep_;
  ScanCache cache_;
  Looks looks_;
  std::vector<Dataset::Stamp> stamps_;
  std::vector<char> known_;  // and so need not be looked at next time
  std::mutex mutex_;         // guards looks_.problems
};

}  // namespace

const std::vector<std::string>& lookKinds() {
  static const std::vector<std::string> kKinds = {"", "jpeg", "png", "bmp", "webp", "tiff", "gif", "heic", "avif"};
  return kKinds;
}

Result<Looks> lookAtAll(const Dataset& dataset, const recipe::Data& data, const ScanOptions& options) {
  // Every core has a picture of its own.
  cv::setNumThreads(0);
  Looking looking(dataset, data, options);
  if (!looking.recall() || !looking.lookAtTheRest()) {
    return fail(ErrorCode::Interrupted, "the scan was stopped", displayPath(data.path), "the next one goes on from here");
  }
  Looks looks = looking.take();
  for (auto& [sample, error] : looks.problems) {
    if (error.code != ErrorCode::Data) return tl::unexpected(std::move(error));
  }
  return looks;
}

}  // namespace trainyard::data
