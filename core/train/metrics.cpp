#include "core/train/metrics.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/train/loss.h"
#include "core/train/metrics_ranking.h"

namespace trainyard::train {

namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

void put(Json& into, const char* name, const std::optional<double>& value) {
  if (value) into[name] = jsonNumber(*value);
}

// What there is to say of one class against all others. `predicted`: samples said to be of it; `right`: of those, rightly.
struct OneClass {
  double samples = 0, predicted = 0, right = 0;
  bool occurs() const { return samples + predicted > 0; }
  double f1() const { return share(2 * right, samples + predicted); }
};

// f1_macro (over the classes that occur, in truth or prediction) and f1_weighted (by samples); then each class by itself.
void putClasses(const std::vector<OneClass>& classes, const std::vector<Ranking>& rankings, Metrics& metrics) {
  double macro = 0, occurring = 0, weighted = 0, samples = 0;
  for (const auto& one : classes) {
    macro += one.f1();
    occurring += one.occurs() ? 1 : 0;
    weighted += one.f1() * one.samples;
    samples += one.samples;
  }
  metrics.values["f1_macro"] = share(macro, occurring);
  metrics.values["f1_weighted"] = share(weighted, samples);
  for (size_t k = 0; k < classes.size(); ++k) {
    const OneClass& one = classes[k];
    Json entry{{"samples", static_cast<uint64_t>(one.samples)},
               {"precision", share(one.right, one.predicted)},
               {"recall", share(one.right, one.samples)},
               {"f1", one.f1()}};
    put(entry, "auroc", rankings[k].auroc);
    put(entry, "average_precision", rankings[k].average_precision);
    metrics.per_class.push_back(std::move(entry));
  }
}

class ClassesTally : public MetricsTally {
 public:
  explicit ClassesTally(int64_t classes)
      : classes_(classes), scores_(classes), confusion_(static_cast<size_t>(classes), std::vector<uint64_t>(static_cast<size_t>(classes), 0)) {}

  void add(const at::Tensor& outputs_NK, const at::Tensor& targets, const at::Tensor&) override {
    const at::Tensor outputs = outputs_NK.cpu(), labels_N = targets.cpu().contiguous(), guesses_N = outputs.argmax(1);
    const auto *guess = guesses_N.const_data_ptr<int64_t>(), *truth = labels_N.const_data_ptr<int64_t>();
    for (int64_t i = 0; i < guesses_N.numel(); ++i) ++confusion_[static_cast<size_t>(truth[i])][static_cast<size_t>(guess[i])];
    samples_ += static_cast<double>(guesses_N.numel());
    const at::Tensor own_N1 = outputs.gather(1, labels_N.unsqueeze(1));
    among_five_ += outputs.gt(own_N1).sum(1).lt(5).logical_and(own_N1.squeeze(1).isfinite()).sum().item<double>();
    scores_.add(at::softmax(outputs.to(at::kDouble), 1), at::one_hot(labels_N, classes_));
  }

  Metrics done() override {
    Metrics metrics;
    std::vector<OneClass> classes(confusion_.size());
    double right = 0;
    for (size_t truth = 0; truth < classes.size(); ++truth) {
      for (size_t guess = 0; guess < classes.size(); ++guess) {
        const auto count = static_cast<double>(confusion_[truth][guess]);
        classes[truth].samples += count;
        classes[guess].predicted += count;
        if (truth == guess) classes[truth].right = count;
      }
      right += classes[truth].right;
    }
    metrics.values["accuracy"] = share(right, samples_);
    if (classes_ > 5) metrics.values["top5"] = share(among_five_, samples_);
    const std::vector<Ranking> rankings = scores_.rankings();
    putClasses(classes, rankings, metrics);
    // Of two classes the second is the one that is looked for.
    const std::span<const Ranking> counted = classes_ == 2 ? std::span(rankings).subspan(1) : std::span(rankings);
    put(metrics.values, "auroc", meanOf(counted, &Ranking::auroc));
    put(metrics.values, "average_precision", meanOf(counted, &Ranking::average_precision));
    metrics.confusion = std::move(confusion_);
    return metrics;
  }

 private:
  int64_t classes_;
  double samples_ = 0, among_five_ = 0;
  Scores scores_;
  std::vector<std::vector<uint64_t>> confusion_;
};

class LabelsTally : public MetricsTally {
 public:
  explicit LabelsTally(int64_t labels) : scores_(labels), classes_(static_cast<size_t>(labels)) {}

  void add(const at::Tensor& outputs_NK, const at::Tensor& targets, const at::Tensor&) override {
    const at::Tensor outputs = outputs_NK.cpu(), truths_NK = targets.cpu().gt(0.5), guesses_NK = outputs.gt(0), right_NK = guesses_NK.eq(truths_NK);
    samples_ += static_cast<double>(outputs.size(0));
    right_ += right_NK.sum().item<double>();
    exact_ += right_NK.all(1).sum().item<double>();
    const at::Tensor truths_K = truths_NK.sum(0), guesses_K = guesses_NK.sum(0), hits_K = guesses_NK.logical_and(truths_NK).sum(0);
    for (size_t k = 0; k < classes_.size(); ++k) {
      const auto column = static_cast<int64_t>(k);
      classes_[k].samples += truths_K[column].item<double>();
      classes_[k].predicted += guesses_K[column].item<double>();
      classes_[k].right += hits_K[column].item<double>();
    }
    scores_.add(outputs, truths_NK);
  }

  Metrics done() override {
    Metrics metrics;
    metrics.values["accuracy"] = share(right_, samples_ * static_cast<double>(classes_.size()));
    metrics.values["exact_match"] = share(exact_, samples_);
    const std::vector<Ranking> rankings = scores_.rankings();
    putClasses(classes_, rankings, metrics);
    // A label that neither occurs nor is predicted counts as 0, as scikit-learn has it.
    double macro = 0;
    for (const auto& one : classes_) macro += one.f1();
    metrics.values["f1_macro"] = share(macro, static_cast<double>(classes_.size()));
    put(metrics.values, "auroc", meanOf(rankings, &Ranking::auroc));
    put(metrics.values, "average_precision", meanOf(rankings, &Ranking::average_precision));
    return metrics;
  }

 private:
  double samples_ = 0, right_ = 0, exact_ = 0;
  Scores scores_;
  std::vector<OneClass> classes_;
};

class NumbersTally : public MetricsTally {
 public:
  void add(const at::Tensor& outputs_NK, const at::Tensor& targets, const at::Tensor&) override {
    const at::Tensor truths_NK = targets.cpu().to(at::kDouble), errors_NK = outputs_NK.cpu().to(at::kDouble) - truths_NK;
    const auto more = static_cast<double>(truths_NK.size(0));
    const at::Tensor mean_K = truths_NK.mean(0), spread_K = (truths_NK - mean_K).square().sum(0);
    const at::Tensor absolute_K = errors_NK.abs().sum(0), squares_K = errors_NK.square().sum(0);
    if (samples_ == 0) {
      mean_ = mean_K;
      spread_ = spread_K;
      absolute_ = absolute_K;
      squares_ = squares_K;
    } else {
      // Chan's way of joining the spreads of two parts: sums of squares would lose what is small beside the mean.
      const at::Tensor between_K = mean_K - mean_;
      spread_ += spread_K + between_K.square() * (samples_ * more / (samples_ + more));
      mean_ += between_K * (more / (samples_ + more));
      absolute_ += absolute_K;
      squares_ += squares_K;
    }
    samples_ += more;
  }

  Metrics done() override {
    Metrics metrics;
    if (samples_ == 0) return metrics;
    double mae = 0, rmse = 0, r2 = 0;
    const int64_t count = mean_.numel();
    for (int64_t k = 0; k < count; ++k) {
      const double absolute = absolute_[k].item<double>() / samples_, root = std::sqrt(squares_[k].item<double>() / samples_);
      const double explained = explainedShare(squares_[k].item<double>(), spread_[k].item<double>());
      metrics.per_class.push_back({{"mae", jsonNumber(absolute)}, {"rmse", jsonNumber(root)}, {"r2", jsonNumber(explained)}});
      mae += absolute;
      rmse += root;
      r2 += explained;
    }
    const auto numbers = static_cast<double>(count);
    metrics.values = {{"mae", jsonNumber(mae / numbers)}, {"rmse", jsonNumber(rmse / numbers)}, {"r2", jsonNumber(r2 / numbers)}};
    return metrics;
  }

 private:
  // Numbers that are all the same have no spread to explain: 1 where they are met, else 0.
  static double explainedShare(double squares, double spread) {
    if (spread > 0) return 1 - squares / spread;
    return squares == 0 ? 1 : 0;
  }

  double samples_ = 0;
  at::Tensor mean_, spread_, absolute_, squares_;  // K doubles; spread: sum of squares around the mean
};

class TokensTally : public MetricsTally {
 public:
  void add(const at::Tensor& outputs_NTV, const at::Tensor& targets_NT, const at::Tensor& losses_NT) override {
    const at::Tensor counts = targets_NT.ne(kIgnored);
    places_ += counts.sum().item<double>();
    right_ += outputs_NTV.argmax(-1).eq(targets_NT).logical_and(counts).sum().item<double>();
    loss_ += losses_NT.sum(at::kDouble).item<double>();
  }

  Metrics done() override {
    Metrics metrics;
    metrics.values = {{"accuracy", share(right_, places_)}, {"perplexity", jsonNumber(std::exp(share(loss_, places_)))}};
    return metrics;
  }

 private:
  double places_ = 0, right_ = 0, loss_ = 0;
};

}  // namespace

std::unique_ptr<MetricsTally> metricsTally(data::Task task, int64_t outputs) {
  switch (task) {
    case data::Task::Classes:
      return std::make_unique<ClassesTally>(outputs);
    case data::Task::Labels:
      return std::make_unique<LabelsTally>(outputs);
    case data::Task::Numbers:
      return std::make_unique<NumbersTally>();
    case data::Task::Tokens:
      break;
  }
  return std::make_unique<TokensTally>();
}

}  // namespace trainyard::train
