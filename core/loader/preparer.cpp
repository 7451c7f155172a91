#include "core/loader/preparer.h"

namespace trainyard::loader {

namespace {

class Pictures : public Preparer {
 public:
  explicit Pictures(std::shared_ptr<const augment::Chain> chain) : chain_(std::move(chain)) {}
  augment::Shape shape() const override { return chain_->shape(); }

  Result<void> prepare(const data::Dataset& dataset, uint64_t sample, const augment::Key& key, std::span<float> out) const override {
    TRAINYARD_TRY(const auto source, dataset.source(sample));
    auto applied = chain_->apply(*source, key, out);
    if (applied) return {};
    Error error = std::move(applied.error());
    if (error.code == ErrorCode::Recipe) error.where = dataset.name(sample) + " (" + error.where + ")";
    return tl::unexpected(std::move(error));
  }

 private:
  std::shared_ptr<const augment::Chain> chain_;
};

class Rows : public Preparer {
 public:
  explicit Rows(data::TableEncoder encoder) : encoder_(std::move(encoder)) {}
  augment::Shape shape() const override { return {1, 1, static_cast<int>(encoder_.width())}; }
  Result<void> prepare(const data::Dataset& dataset, uint64_t sample, const augment::Key&, std::span<float> out) const override {
    return encoder_.encode(dataset.row(sample), out);
  }

 private:
  data::TableEncoder encoder_;
};

}  // namespace

std::shared_ptr<const Preparer> pictures(std::shared_ptr<const augment::Chain> chain) { return std::make_shared<Pictures>(std::move(chain)); }
std::shared_ptr<const Preparer> rows(data::TableEncoder encoder) { return std::make_shared<Rows>(std::move(encoder)); }

}  // namespace trainyard::loader
