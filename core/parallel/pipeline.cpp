#include "core/parallel/pipeline.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/parallel/autocast.h"

namespace trainyard::parallel {

namespace {

enum Tag { kActivations, kGradients, kTargets, kAnswers };

// Lists sent in training ask for gradients, others do not.
constexpr int64_t kTraining = 1, kAnswering = 0;

bool asksForGradients(const Values& values) {
  return std::any_of(values.begin(), values.end(), [](const at::Tensor& value) { return value.defined() && value.requires_grad(); });
}

BorderKey with(BorderKey key, int64_t more) {
  key.push_back(more);
  return key;
}

}  // namespace

// A border that leads nowhere, before the first stage or behind the last, is never used.
PipelineStage::PipelineStage(std::span<const Block> blocks, comm::Communicator& forward, comm::Communicator& backward, StageOptions options)
    : blocks_(blocks),
      options_(options),
      stage_(static_cast<size_t>(forward.rank())),
      stages_(static_cast<size_t>(forward.size())),
      activations_in_(forward, forward.rank() - 1, kActivations),
      activations_out_(forward, forward.rank() + 1, kActivations),
      gradients_in_(backward, forward.rank() + 1, kGradients),
      gradients_out_(backward, forward.rank() - 1, kGradients),
      targets_(forward, first() ? forward.size() - 1 : 0, kTargets),
      answers_(backward, first() ? forward.size() - 1 : 0, kAnswers) {}

Result<Values> PipelineStage::receive(Border& border, const BorderKey& key) {
  const auto start = std::chrono::steady_clock::now();
  auto values = border.receive(key, options_.device);
  waited_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return values;
}

Result<Values> PipelineStage::inputsOf(PipelinePart& part) {
  if (!first()) return receive(activations_in_, with(part.key, kTraining));
  return Values{std::exchange(part.inputs, {})};
}

Result<void> PipelineStage::forward(PipelinePart& part, size_t index, Live& live, RunContext& context, const PartLoss& loss) {
  context.micro = part.micro;
  // Targets go before activations: between two stages both take the same way.
  if (first() && !last()) TRAINYARD_CHECK(targets_.send(part.targets, part.target_key));
  if (last() && !first()) {
    TRAINYARD_TRY(part.targets, receive(targets_, part.target_key));
  }
  TRAINYARD_TRY(Values inputs, inputsOf(part));
  live.gives_gradients = !first() && asksForGradients(inputs);
  Values outputs;
  {
    const AutocastGuard autocast(options_.device.type(), options_.autocast);
    outputs = live.tape.forward(blocks_, std::move(inputs), options_.keep, context);
  }
  if (last()) {
    live.loss = loss(outputs, part.targets, index);
  } else {
    live.takes_gradients = asksForGradients(outputs);
    TRAINYARD_CHECK(activations_out_.send(outputs, with(part.key, kTraining)));
  }
  part.targets.clear();
  return {};
}

Result<void> PipelineStage::backward(const PipelinePart& part, Live& live) {
  Values gradients;
  if (last()) {
    gradients = live.tape.backwardFrom(live.loss);
  } else if (live.takes_gradients) {
    TRAINYARD_TRY(gradients, receive(gradients_in_, part.key));
    gradients = live.tape.backward(std::move(gradients));
  }
  if (live.gives_gradients) TRAINYARD_CHECK(gradients_out_.send(gradients, part.key));
  live = {};
  return {};
}

Result<void> PipelineStage::train(std::span<PipelinePart> parts, PipelineOrder order, RunContext& context, const PartLoss& loss) {
  std::vector<Live> live(parts.size());
  for (const Turn& turn : turnsOf(order, stage_, stages_, parts.size())) {
    TRAINYARD_CHECK(turn.forward ? forward(parts[turn.part], turn.part, live[turn.part], context, loss) : backward(parts[turn.part], live[turn.part]));
  }
  return flush();
}

Result<Values> PipelineStage::answer(std::span<PipelinePart> parts, RunContext& context) {
  const at::NoGradGuard no_grad;
  const AutocastGuard autocast(options_.device.type(), options_.autocast);
  Values answers;
  for (auto& part : parts) {
    context.micro = part.micro;
    Values values;
    if (first()) {
      values = {part.inputs};
    } else {
      TRAINYARD_TRY(values, receive(activations_in_, with(part.key, kAnswering)));
    }
    for (const auto& block : blocks_) values = block.forward(values, context);
    if (!last()) {
      TRAINYARD_CHECK(activations_out_.send(values, with(part.key, kAnswering)));
    } else if (first()) {
      answers.push_back(values.front());
    } else {
      TRAINYARD_CHECK(answers_.send({values.front()}, part.key));
    }
  }
  if (first() && !last()) {
    for (const auto& part : parts) {
      TRAINYARD_TRY(const Values received, receive(answers_, part.key));
      answers.push_back(received.front());
    }
  }
  TRAINYARD_CHECK(flush());
  return answers;
}

Result<void> PipelineStage::flush() {
  for (Border* border : {&activations_out_, &gradients_out_, &targets_, &answers_}) TRAINYARD_CHECK(border->flush());
  return {};
}

}  // namespace trainyard::parallel
