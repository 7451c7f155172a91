#include "core/parallel/tape.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "core/parallel/autocast.h"

namespace trainyard::parallel {

namespace {

// A new leaf with the same data. Floating-point borders inside the model need gradients; the model's own inputs only if they ask for it.
Values detached(const Values& values, bool inner) {
  Values out;
  for (const auto& value : values) out.push_back(value.detach().requires_grad_(value.is_floating_point() && (inner || value.requires_grad())));
  return out;
}

Values gradientsOf(const Values& leaves) {
  Values out;
  for (const auto& leaf : leaves) out.push_back(leaf.grad());
  return out;
}

void backwardThrough(const Values& outputs, const Values& grads) {
  Values roots, root_grads;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].requires_grad() || !grads[i].defined()) continue;
    roots.push_back(outputs[i]);
    root_grads.push_back(grads[i]);
  }
  if (!roots.empty()) torch::autograd::backward(roots, root_grads);
}

}  // namespace

Values Tape::run(Segment& segment, RunContext& context) {
  Values values = segment.inputs;
  for (const auto& block : segment.blocks) {
    if (hooks_.before_forward) hooks_.before_forward(block);
    values = block.forward(values, context);
    if (hooks_.after_forward) hooks_.after_forward(block);
  }
  return values;
}

Values Tape::forward(std::span<const Block> blocks, Values inputs, Keep keep, RunContext& context, const BlockHooks& hooks) {
  segments_.clear();
  hooks_ = hooks;
  context_ = context;
  device_ = inputs.front().device().type();
  autocast_ = {at::autocast::is_autocast_enabled(device_), at::autocast::get_autocast_dtype(device_)};
  const size_t per_segment = keep == Keep::InputOnly || hooks.any() ? 1 : blocks.size();
  for (size_t begin = 0; begin < blocks.size(); begin += per_segment) {
    Segment segment{blocks.subspan(begin, per_segment), detached(inputs, begin > 0), {}, false};
    segment.recompute = keep == Keep::InputOnly && begin + per_segment < blocks.size();
    if (segment.recompute) {
      at::NoGradGuard no_grad;
      inputs = run(segment, context);
    } else {
      inputs = run(segment, context);
      segment.outputs = inputs;
    }
    segments_.push_back(std::move(segment));
  }
  return inputs;
}

void Tape::recompute(Segment& segment) {
  at::AutoGradMode grad(true);
  AutocastGuard autocast(device_, autocast_.enabled ? std::optional(autocast_.type) : std::nullopt);
  RunContext context = context_;
  context.recomputing = true;
  segment.outputs = run(segment, context);
}

Values Tape::finish(bool last_done, Values grads) {
  for (size_t i = segments_.size(); i-- > 0;) {
    Segment& segment = segments_[i];
    const bool done = last_done && i + 1 == segments_.size();
    if (hooks_.before_backward && !done) hooks_.before_backward(segment.blocks.front());
    if (segment.recompute) recompute(segment);
    if (!done) backwardThrough(segment.outputs, grads);
    if (hooks_.after_backward) hooks_.after_backward(segment.blocks.front());
    grads = gradientsOf(segment.inputs);
    segment.outputs.clear();
    segment.inputs.clear();
  }
  segments_.clear();
  return grads;
}

Values Tape::backward(Values grad_outputs) { return finish(false, std::move(grad_outputs)); }

Values Tape::backwardFrom(const at::Tensor& loss) {
  if (hooks_.before_backward) hooks_.before_backward(segments_.back().blocks.front());
  torch::autograd::backward({loss}, {});
  return finish(true, {});
}

}  // namespace trainyard::parallel
