#include "core/parallel/shard_units.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/parallel/shard_wait.h"

namespace trainyard::parallel {

namespace {

// The memory of a tensor goes, and comes back in the same storage: what backward saved of it, views included, sees it again.
void freeMemory(const at::Tensor& row) {
  row.storage().set_data_ptr_noswap(at::DataPtr(nullptr, row.device()));
  row.storage().set_nbytes(0);
}
void takeMemory(const at::Tensor& row) {
  const auto bytes = static_cast<size_t>(row.numel()) * row.element_size();
  row.storage().set_data_ptr_noswap(row.storage().allocator()->allocate(bytes));
  row.storage().set_nbytes(bytes);
}

}  // namespace

ShardUnits::ShardUnits(const models::Model& model, comm::Communicator& comm, int64_t join_below)
    : model_(model), parameters_(model.parameters()), comm_(comm), layout_(unitsOf(model, comm.size(), join_below)), units_(layout_.units.size()) {
  at::NoGradGuard no_grad;
  for (size_t unit = 0; unit < units_.size(); ++unit) cut(unit);
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.parameter < b.parameter; });
}

// The whole parameters into a row; the row's slice into memory of its own; the parameters are views of the row, whose memory goes.
void ShardUnits::cut(size_t unit) {
  const Unit& layout = layout_.units[unit];
  Gathered& gathered = units_[unit];
  const int64_t first = layout.slice * comm_.rank();
  const at::TensorOptions options = parameters_[layout.places.front().parameter].tensor.options().requires_grad(false);
  gathered.row = at::zeros({layout.slice * comm_.size()}, options);
  for (const auto& place : layout.places) {
    const at::Tensor& parameter = parameters_[place.parameter].tensor;
    TORCH_CHECK(parameter.scalar_type() == gathered.row.scalar_type(), "parameter ", parameters_[place.parameter].name,
                " is of another type than its neighbours");
    const at::Tensor view = gathered.row.narrow(0, place.begin, parameter.numel()).view(parameter.sizes());
    view.copy_(parameter);
    parameter.mutable_grad().reset();
    at::Tensor(parameter).set_data(view);
    gathered.trains = gathered.trains || parameter.requires_grad();
  }
  gathered.slice = gathered.row.narrow(0, first, layout.slice).clone();
  freeMemory(gathered.row);
  for (const auto& place : layout.places) {
    const at::Tensor& parameter = parameters_[place.parameter].tensor;
    const int64_t begin = std::max(place.begin, first), end = std::min(place.begin + parameter.numel(), first + layout.slice);
    if (begin >= end) continue;
    pieces_.push_back({parameters_[place.parameter].name, place.parameter, unit, gathered.slice.narrow(0, begin - first, end - begin), begin - first,
                       begin - place.begin, parameter.sizes().vec(), parameter.requires_grad()});
  }
}

void ShardUnits::count(int64_t bytes) {
  bytes_ += static_cast<uint64_t>(bytes);
  peak_bytes_ = std::max(peak_bytes_, bytes_);
}

void ShardUnits::start(size_t unit) {
  Gathered& gathered = units_[unit];
  if (gathered.whole) return;
  takeMemory(gathered.row);
  gathered.whole = true;
  count(static_cast<int64_t>(gathered.row.nbytes()));
  gathered.work = comm_.allGather(gathered.row, gathered.slice);
}

void ShardUnits::need(size_t block) {
  for (const size_t unit : layout_.of_block[block]) start(unit);
  for (const size_t unit : layout_.of_block[block]) {
    if (auto work = std::exchange(units_[unit].work, nullptr)) await(work);
  }
}

// What the next block that needs other parameters than this one's needs.
void ShardUnits::prefetch(size_t from, int step) {
  for (size_t block = from + static_cast<size_t>(step); block < layout_.of_block.size(); block += static_cast<size_t>(step)) {
    bool other = false;
    for (const size_t unit : layout_.of_block[block]) {
      if (layout_.needs(from, unit)) continue;
      start(unit);
      other = true;
    }
    if (other) return;
  }
}

void ShardUnits::release(size_t block, size_t next) {
  for (const size_t unit : layout_.of_block[block]) {
    if (layout_.needs(next, unit)) continue;
    freeMemory(units_[unit].row);
    units_[unit].whole = false;
    count(-static_cast<int64_t>(units_[unit].row.nbytes()));
  }
}

void ShardUnits::before(size_t block) {
  if (block == in_backward_) return;  // computed a second time: everything is there
  need(block);
  prefetch(block, 1);
}

void ShardUnits::after(size_t block) {
  if (block == in_backward_) return;
  const bool stays = training_ && block + 1 == layout_.of_block.size();  // its backward comes next
  if (!stays) release(block, block + 1);
}

void ShardUnits::beforeBackward(size_t block) {
  in_backward_ = block;
  need(block);
  prefetch(block, -1);
}

void ShardUnits::afterBackward(size_t block) {
  in_backward_ = kNone;
  release(block, block - 1);
  for (const size_t unit : layout_.of_block[block]) {
    if (units_[unit].trains && !layout_.needs(block - 1, unit)) reduce(unit);
  }
  if (block == 0) training_ = false;
}

void ShardUnits::reduce(size_t unit) {
  at::NoGradGuard no_grad;
  finishReduction();  // it had this block's backward to arrive; so only one takes memory
  const Unit& layout = layout_.units[unit];
  Reduction next{nullptr, unit, at::zeros({layout.slice * comm_.size()}, units_[unit].slice.options()), at::empty_like(units_[unit].slice)};
  for (const auto& place : layout.places) {
    const at::Tensor& parameter = parameters_[place.parameter].tensor;
    if (!parameter.grad().defined()) continue;
    next.row.narrow(0, place.begin, parameter.numel()).view(parameter.sizes()).copy_(parameter.grad());
    parameter.mutable_grad().reset();
  }
  count(static_cast<int64_t>(next.row.nbytes() + next.slice.nbytes()));
  next.work = comm_.reduceScatter(next.slice, next.row);
  reduction_ = std::move(next);
}

void ShardUnits::finishReduction() {
  if (!reduction_) return;
  const Reduction done = *std::exchange(reduction_, std::nullopt);
  await(done.work);
  at::Tensor& gradient = units_[done.unit].gradient;
  if (gradient.defined())
    gradient.add_(done.slice);
  else
    gradient = done.slice;
  count(-static_cast<int64_t>(done.row.nbytes() + done.slice.nbytes()));
}

BlockHooks ShardUnits::hooks() {
  training_ = true;
  const auto place = [first = model_.blocks().data()](const Block& block) { return static_cast<size_t>(&block - first); };
  return {[this, place](const Block& block) { before(place(block)); }, [this, place](const Block& block) { after(place(block)); },
          [this, place](const Block& block) { beforeBackward(place(block)); }, [this, place](const Block& block) { afterBackward(place(block)); }};
}

void ShardUnits::passBy(bool training) {
  training_ = training;
  const size_t blocks = layout_.of_block.size();
  for (size_t block = 0; block < blocks; ++block) {
    before(block);
    after(block);
  }
  for (size_t block = blocks; training && block-- > 0;) {
    beforeBackward(block);
    afterBackward(block);
  }
}

void ShardUnits::finish() { finishReduction(); }

void ShardUnits::forgetGradients() {
  for (auto& unit : units_) unit.gradient.reset();
}

at::Tensor ShardUnits::gradient(const Piece& piece) const {
  const at::Tensor& gradient = units_[piece.unit].gradient;
  return gradient.defined() ? gradient.narrow(0, piece.begin, piece.weight.numel()) : at::Tensor();
}

std::vector<models::NamedTensor> ShardUnits::gather(std::span<const at::Tensor> values) const {
  at::NoGradGuard no_grad;
  std::vector<models::NamedTensor> whole(parameters_.size());
  for (size_t unit = 0; unit < units_.size(); ++unit) {
    const at::Tensor slice = at::zeros_like(units_[unit].slice);
    at::Tensor row = at::empty({layout_.units[unit].slice * comm_.size()}, slice.options());
    for (size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].unit == unit) slice.narrow(0, pieces_[i].begin, values[i].numel()).copy_(values[i]);
    }
    await(comm_.allGather(row, slice));
    for (const auto& place : layout_.units[unit].places) {
      const at::Tensor& parameter = parameters_[place.parameter].tensor;
      whole[place.parameter] = {parameters_[place.parameter].name, row.narrow(0, place.begin, parameter.numel()).view(parameter.sizes())};
    }
  }
  return whole;
}

uint64_t ShardUnits::weightBytes() const {
  uint64_t bytes = 0;
  for (const auto& unit : units_) bytes += unit.slice.nbytes();
  return bytes;
}

uint64_t ShardUnits::gradientBytes() const {
  uint64_t bytes = 0;
  for (const auto& unit : units_) bytes += unit.gradient.defined() ? unit.gradient.nbytes() : 0;
  return bytes;
}

}  // namespace trainyard::parallel
