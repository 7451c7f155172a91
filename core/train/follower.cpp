#include "core/train/follower.h"

#include <ATen/ATen.h>

#include "core/base/units.h"
#include "core/train/evaluation_share.h"
#include "core/train/gather.h"

namespace trainyard::train {

namespace {

constexpr int kSpanTag = 7200;

// In the same order on both sides.
void copyWeights(const std::vector<models::NamedTensor>& from, const std::vector<models::NamedTensor>& to) {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < from.size(); ++i) to[i].tensor.detach().copy_(from[i].tensor);
}

class Follower {
 public:
  Follower(const Rank& rank, const recipe::Recipe& recipe, const Input& input) : rank_(rank), recipe_(recipe), input_(input) {}

  Result<void> obey(const Instruction& told) {
    using Do = Instruction::Do;
    switch (told.what) {
      case Do::Start:
        return start(told);
      case Do::Step:
        return step(told);
      case Do::Evaluate:
        return evaluate();
      case Do::Answer:
        TRAINYARD_CHECK(evaluation_->answer());
        return {};
      case Do::Average:
        session_.step->useAverage(told.on);
        return {};
      case Do::Gather:
        return giveState(*session_.step, *rank_.all, deviceOf(rank_.device));
      case Do::Release:
        evaluation_.reset();
        session_ = {};
        return {};
      case Do::End:
        break;
    }
    return {};
  }

 private:
  // Rank 0 reports broken pictures; each rank replaces those of its own samples.
  Result<void> start(const Instruction& told) {
    if (told.checkpoint) {
      TRAINYARD_TRY(session_, resumeSession(*told.checkpoint, recipe_, input_, rank_, {}));
      return {};
    }
    FreshModel fresh;
    TRAINYARD_TRY(fresh.model, models::make(recipe_.model.arch, input_.shape, input_.outputs, recipe_.run.seed));
    copyWeights(*told.weights, fresh.model->state());
    TRAINYARD_TRY(session_, startSession(std::move(fresh), recipe_, input_, rank_, {}));
    return {};
  }

  Result<void> evaluate() {
    TRAINYARD_TRY(evaluation_, EvaluationShare::begin(*session_.model, *session_.step, rank_, input_, recipe_));
    return {};
  }

  Result<void> step(const Instruction& told) {
    const double begin = steadySeconds();
    std::vector<loader::Batch> micros;
    if (session_.loader) {
      TRAINYARD_TRY(micros, nextStep(*session_.loader));
    }
    span_.data_wait_s += steadySeconds() - begin;
    models::RunContext context;
    context.training = true;
    context.seed = recipe_.run.seed;
    context.step = told.step;
    context.rank = static_cast<uint32_t>(rank_.replica());
    TRAINYARD_CHECK(session_.step->run(micros, {told.lr, told.momentum}, context, told.on));
    span_.add(session_.step->times());
    if (!told.on) return {};
    TRAINYARD_CHECK(giveSpan(span_, rank_));
    span_ = {};
    return {};
  }

  const Rank& rank_;
  const recipe::Recipe& recipe_;
  const Input& input_;
  Session session_;
  std::unique_ptr<EvaluationShare> evaluation_;
  RankSpan span_;
};

}  // namespace

Result<void> follow(Team& team, const Rank& rank, const recipe::Recipe& recipe, const Input& input) {
  Follower follower(rank, recipe, input);
  while (true) {
    TRAINYARD_TRY(const Instruction told, team.next(rank.index));
    if (told.what == Instruction::Do::End) return {};
    TRAINYARD_CHECK(follower.obey(told));
  }
}

Result<void> giveSpan(const RankSpan& span, const Rank& rank) {
  const at::Tensor values = at::tensor({span.times.compute_s, span.times.comm_s, span.times.wait_s, span.data_wait_s}, at::kDouble);
  return rank.all->send(values.to(deviceOf(rank.device)), 0, kSpanTag)->wait();
}

Result<RankSpan> receiveSpan(int from, const Rank& rank) {
  at::Tensor values = at::zeros({4}, at::TensorOptions(at::kDouble).device(deviceOf(rank.device)));
  TRAINYARD_CHECK(rank.all->receive(values, from, kSpanTag)->wait());
  values = values.cpu();
  const double* seconds = values.const_data_ptr<double>();
  return RankSpan{{seconds[0], seconds[1], seconds[2]}, seconds[3]};
}

}  // namespace trainyard::train
