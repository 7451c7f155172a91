#include "core/train/network_facts.h"

#include <numeric>

#include "core/augment/chain.h"
#include "core/loader/preview.h"
#include "core/train/input.h"

namespace trainyard::train {

namespace {

constexpr int kUsualSize = 224, kUsualClasses = 10;

// The size of pictures of which nothing is known but the recipe.
Result<NetworkFacts> fromRecipe(const recipe::Recipe& recipe) {
  NetworkFacts known;
  known.from_data = false;
  known.classes = recipe.model.classes != 0 ? recipe.model.classes : kUsualClasses;
  if (recipe.data.format.id == "text") {
    known.tokens = true;
    known.shape = {1, 1, static_cast<int64_t>(recipe.data.format.number("context", 256))};
    known.classes = 256;
    return known;
  }
  const int channels = recipe.data.channels != 0 ? recipe.data.channels : 3, size = recipe.data.size != 0 ? recipe.data.size : kUsualSize;
  TRAINYARD_TRY(const auto chain, augment::Chain::make(recipe, {channels, size, size}, false));
  known.shape = {chain.shape().channels, chain.shape().height, chain.shape().width};
  return known;
}

// Pictures without the scan of them all that training begins with.
Result<NetworkFacts> fromData(const recipe::Recipe& recipe) {
  TRAINYARD_TRY(const auto dataset, data::open(recipe.data));
  NetworkFacts known;
  if (dataset->columns() != nullptr || dataset->task() == data::Task::Tokens) {
    TRAINYARD_TRY(const Input input, openInput(recipe));
    known.shape = input.shape;
    known.classes = input.outputs;
    known.tokens = input.task == data::Task::Tokens;
    return known;
  }
  std::vector<uint64_t> all(dataset->size());
  std::iota(all.begin(), all.end(), uint64_t{0});
  TRAINYARD_TRY(const augment::Shape stored, loader::storedShape(*dataset, all));
  TRAINYARD_TRY(const auto chain, augment::Chain::make(recipe, stored, false));
  known.shape = {chain.shape().channels, chain.shape().height, chain.shape().width};
  const bool fixed = recipe.model.classes != 0 && dataset->task() == data::Task::Classes;
  known.classes = fixed ? recipe.model.classes : static_cast<int64_t>(dataset->classes().size());
  return known;
}

}  // namespace

Result<NetworkFacts> networkFacts(const recipe::Recipe& recipe) {
  auto known = fromData(recipe);
  return known ? known : fromRecipe(recipe);
}

}  // namespace trainyard::train
