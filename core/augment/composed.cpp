// Steps made of steps.
#include <algorithm>

#include "core/augment/ops.h"

namespace trainyard::augment {

namespace {

// One table inside a step, with a stream of random numbers of its own: what the others draw does not depend on it.
struct Inner {
  Steps steps;
  uint64_t position = 0;
  double weight = 1;
};

Result<cv::Mat> applied(const Inner& inner, const cv::Mat& picture, uint64_t stream) {
  Random random({stream, inner.position});
  cv::Mat result = picture;
  for (const auto& step : inner.steps) {
    TRAINYARD_TRY(result, step->apply(result, random));
  }
  return result;
}

class RandomApply : public Op {
 public:
  RandomApply(std::vector<Inner> inner, double probability) : inner_(std::move(inner)), probability_(probability) {}

  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    if (random.uniform() >= probability_) return picture;
    const uint64_t stream = random.next();
    cv::Mat result = picture;
    for (const auto& inner : inner_) {
      TRAINYARD_TRY(result, applied(inner, result, stream));
    }
    return result;
  }

 private:
  std::vector<Inner> inner_;
  double probability_;
};

class RandomChoice : public Op {
 public:
  explicit RandomChoice(std::vector<Inner> inner) : inner_(std::move(inner)) {
    for (const auto& inner : inner_) total_ += inner.weight;
  }

  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    double rest = random.uniform(0, total_);
    const uint64_t stream = random.next();
    const Inner* drawn = nullptr;
    for (const auto& inner : inner_) {
      if (inner.weight <= 0) continue;
      drawn = &inner;
      if (rest < inner.weight) break;
      rest -= inner.weight;
    }
    return drawn == nullptr ? Result<cv::Mat>(picture) : applied(*drawn, picture, stream);
  }

 private:
  std::vector<Inner> inner_;
  double total_ = 0;
};

bool isOn(const Json& table) { return table.value("enabled", true); }

// Makes table number i of params.transforms at `at`, the state before it.
Result<Inner> makeInner(const Json& params, size_t i, const std::string& outer, Building& at) {
  recipe::Choice choice{params.at("transforms").at(i).at("op").get<std::string>(), params.at("transforms").at(i)};
  choice.params.erase("op");
  at.path = outer + ".transforms[" + std::to_string(i) + "]";
  if (onlyOnce(choice.id)) return fail(ErrorCode::Recipe, choice.id + " cannot stand inside another step", at.path, "give it a table of its own: [[augment]]");
  TRAINYARD_TRY(Steps steps, makeSteps(choice, at));
  return Inner{std::move(steps), i};
}

// What is known after a step that leaves the picture in one state or in the other.
void mergeInto(Building& building, const Building& other) {
  const bool same = building.shape.height == other.shape.height && building.shape.width == other.shape.width;
  building.fixed = building.fixed && other.fixed && same;
  building.varies = building.varies || other.varies || !same;
}

}  // namespace

Result<Steps> makeRandomApply(const Json& params, Building& building) {
  const double probability = params.value("p", 0.5);
  Building after = building;
  std::vector<Inner> inner;
  for (size_t i = 0; i < params.at("transforms").size(); ++i) {
    TRAINYARD_TRY(Inner made, makeInner(params, i, building.path, after));
    if (!made.steps.empty()) inner.push_back(std::move(made));
  }
  const bool always = probability >= 1;
  if (inner.empty() || (!building.training && !always)) return Steps{};
  if (!always) mergeInto(after, building);
  after.path = building.path;
  after.where = building.where;
  building = after;
  if (building.training) return Steps{std::make_shared<RandomApply>(std::move(inner), probability)};
  Steps steps;
  for (const auto& one : inner) steps.insert(steps.end(), one.steps.begin(), one.steps.end());
  return steps;
}

// For evaluation it stands for its first step, if every one of them brings something then (crops do): the pictures keep the size of training.
Result<Steps> makeRandomChoice(const Json& params, Building& building) {
  const Json weights = params.value("p", Json());
  std::vector<Inner> inner;
  std::vector<Building> states;
  for (size_t i = 0; i < params.at("transforms").size(); ++i) {
    if (!isOn(params.at("transforms").at(i))) continue;
    states.push_back(building);
    TRAINYARD_TRY(Inner made, makeInner(params, i, building.path, states.back()));
    if (weights.is_array()) made.weight = weights.at(i).get<double>();
    inner.push_back(std::move(made));
  }
  if (inner.empty()) return Steps{};
  const bool all_bring = std::none_of(inner.begin(), inner.end(), [](const Inner& one) { return one.steps.empty(); });
  if (!building.training && !all_bring) return Steps{};
  Building after = states.front();
  if (building.training) {
    for (const auto& state : states) mergeInto(after, state);
  }
  after.path = building.path;
  after.where = building.where;
  building = after;
  if (!building.training) return inner.front().steps;
  return Steps{std::make_shared<RandomChoice>(std::move(inner))};
}

}  // namespace trainyard::augment
