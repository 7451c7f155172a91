#include "core/loader/kept_pictures.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

namespace trainyard::loader {

namespace {

constexpr uint64_t kLooks = 32;
constexpr uint64_t kShareOfMemory = 4;  // a quarter
constexpr int kColours = 3;

bool large(cv::Size picture, cv::Size target) {
  return picture.width >= augment::kReducedFrom * target.width && picture.height >= augment::kReducedFrom * target.height;
}

struct Kept {
  cv::Mat pixels;
  bool reduces = false;
};

// Pixels by sample; any thread.
class Shelf {
 public:
  Shelf(uint64_t samples, uint64_t budget) : kept_(samples), budget_(budget) {}

  std::shared_ptr<const Kept> find(uint64_t sample) const {
    const std::scoped_lock lock(mutexOf(sample));
    return kept_[sample];
  }

  bool hasRoom(uint64_t bytes) const { return bytes_.load(std::memory_order_relaxed) + bytes <= budget_; }

  void keep(uint64_t sample, Kept kept) {
    const uint64_t bytes = kept.pixels.total() * kept.pixels.elemSize();
    if (!hasRoom(bytes)) return;
    auto shared = std::make_shared<const Kept>(std::move(kept));
    const std::scoped_lock lock(mutexOf(sample));
    if (kept_[sample]) return;
    kept_[sample] = std::move(shared);
    bytes_ += bytes;
  }

 private:
  std::mutex& mutexOf(uint64_t sample) const { return mutexes_[sample % mutexes_.size()]; }

  std::vector<std::shared_ptr<const Kept>> kept_;
  const uint64_t budget_;
  std::atomic<uint64_t> bytes_ = 0;
  mutable std::array<std::mutex, 64> mutexes_;
};

// Opens the file only where the pixels are not kept yet, or where it is wanted at a reduced scale.
class KeptSource : public augment::Source {
 public:
  KeptSource(const data::Dataset& dataset, Shelf& shelf, uint64_t sample, std::unique_ptr<Source> inner)
      : dataset_(dataset),
        shelf_(shelf),
        sample_(sample),
        inner_(std::move(inner)),
        height_(inner_->height()),
        width_(inner_->width()),
        reduces_(inner_->reduces()) {}
  KeptSource(const data::Dataset& dataset, Shelf& shelf, uint64_t sample, const Kept& kept)
      : dataset_(dataset), shelf_(shelf), sample_(sample), pixels_(kept.pixels), height_(pixels_.rows), width_(pixels_.cols), reduces_(kept.reduces) {}

  int height() const override { return height_; }
  int width() const override { return width_; }
  bool reduces() const override { return reduces_; }

  Result<cv::Mat> all() override {
    if (pixels_.empty()) {
      TRAINYARD_TRY(pixels_, inner_->all());
      shelf_.keep(sample_, {pixels_, reduces_});
    }
    return pixels_;
  }

  Result<augment::Cut> part(const cv::Rect& region, cv::Size target) override {
    const bool from_file =
        (reduces_ && large(region.size(), target)) || (pixels_.empty() && !shelf_.hasRoom(static_cast<uint64_t>(height_) * width_ * kColours));
    if (from_file) {
      if (!inner_) {
        TRAINYARD_TRY(inner_, dataset_.source(sample_));
      }
      return inner_->part(region, target);
    }
    TRAINYARD_TRY(const cv::Mat pixels, all());
    return augment::Cut{pixels(region), cv::Rect2d(0, 0, region.width, region.height)};
  }

 private:
  const data::Dataset& dataset_;
  Shelf& shelf_;
  uint64_t sample_;
  std::unique_ptr<Source> inner_;
  cv::Mat pixels_;
  int height_, width_;
  bool reduces_;
};

class KeptPictures : public data::Dataset {
 public:
  KeptPictures(std::shared_ptr<const data::Dataset> dataset, uint64_t budget) : dataset_(std::move(dataset)), shelf_(dataset_->size(), budget) {}

  uint64_t size() const override { return dataset_->size(); }
  data::Part part(uint64_t sample) const override { return dataset_->part(sample); }
  std::string name(uint64_t sample) const override { return dataset_->name(sample); }
  std::string labelPlace(uint64_t sample) const override { return dataset_->labelPlace(sample); }
  data::Task task() const override { return dataset_->task(); }
  int label(uint64_t sample) const override { return dataset_->label(sample); }
  const std::vector<std::string>& classes() const override { return dataset_->classes(); }
  void target(uint64_t sample, std::span<float> out) const override { dataset_->target(sample, out); }
  Result<std::string> fileBytes(uint64_t sample) const override { return dataset_->fileBytes(sample); }
  Stamp stamp(uint64_t sample) const override { return dataset_->stamp(sample); }
  fs::path file(uint64_t sample) const override { return dataset_->file(sample); }
  bool inMemory() const override { return false; }
  const std::vector<data::Column>* columns() const override { return dataset_->columns(); }
  std::span<const float> row(uint64_t sample) const override { return dataset_->row(sample); }

  Result<cv::Mat> picture(uint64_t sample) const override {
    TRAINYARD_TRY(const auto opened, source(sample));
    return opened->all();
  }

  Result<std::unique_ptr<augment::Source>> source(uint64_t sample) const override {
    if (const auto kept = shelf_.find(sample)) return std::make_unique<KeptSource>(*dataset_, shelf_, sample, *kept);
    TRAINYARD_TRY(auto inner, dataset_->source(sample));
    return std::make_unique<KeptSource>(*dataset_, shelf_, sample, std::move(inner));
  }

 private:
  std::shared_ptr<const data::Dataset> dataset_;
  mutable Shelf shelf_;
};

}  // namespace

Keeping keeping(const data::Dataset& dataset, std::span<const uint64_t> used, const recipe::Data& data, augment::Shape target, uint64_t available_bytes) {
  Keeping result;
  if (data.cache == "off" || dataset.inMemory() || dataset.columns() != nullptr || used.empty()) return result;
  const uint64_t channels = data.channels > 0 ? data.channels : kColours;
  uint64_t readable = 0, reduced = 0, pixels = 0;
  for (uint64_t look = 0; look < std::min<uint64_t>(kLooks, used.size()); ++look) {
    const auto source = dataset.source(used[look * used.size() / std::min<uint64_t>(kLooks, used.size())]);
    if (!source) continue;
    ++readable;
    const cv::Size size((*source)->width(), (*source)->height());
    pixels += static_cast<uint64_t>(size.area());
    reduced += (*source)->reduces() && large(size, {target.width, target.height});
  }
  if (readable == 0) return result;
  result.bytes = static_cast<uint64_t>(static_cast<double>(pixels) / static_cast<double>(readable) * static_cast<double>(used.size() * channels));
  result.budget = data.cache == "on" ? UINT64_MAX : available_bytes / kShareOfMemory;
  result.worth = data.cache == "on" || (result.bytes <= result.budget && reduced * 2 <= readable);
  return result;
}

std::shared_ptr<const data::Dataset> withKeptPictures(std::shared_ptr<const data::Dataset> dataset, const Keeping& keeping) {
  if (!keeping.worth) return dataset;
  return std::make_shared<KeptPictures>(std::move(dataset), keeping.budget);
}

}  // namespace trainyard::loader
