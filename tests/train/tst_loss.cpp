// Losses against values worked out from their definitions.
#include <ATen/ATen.h>

#include <QtTest>
#include <cmath>

#include "core/train/evaluator.h"
#include "core/train/loss.h"

using namespace trainyard;
using train::Tensors;

namespace {

at::Tensor matrix(std::vector<float> values, int64_t rows) {
  return at::tensor(values).reshape({rows, static_cast<int64_t>(values.size()) / rows});
}

double softmaxLoss(double own, double other) { return std::log(std::exp(own) + std::exp(other)) - own; }

}  // namespace

class TestLoss : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void classes() {
    const at::Tensor outputs = matrix({2, 1, 0, 3}, 2);
    const Tensors targets{{}, at::tensor({int64_t{0}, int64_t{0}}), {}, 1};
    const double expected = (softmaxLoss(2, 1) + softmaxLoss(0, 3)) / 2;
    QVERIFY(std::abs(train::trainingLoss(data::Task::Classes, outputs, targets, 0).item<double>() - expected) < 1e-6);
    QVERIFY(std::abs(train::evaluationLoss(data::Task::Classes, outputs, targets.targets).item<double>() - 2 * expected) < 1e-6);
  }

  void mixedClassesHaveTwoLabelsAndAShare() {
    const at::Tensor outputs = matrix({2, 1, 0, 3}, 2);
    const Tensors targets{{}, at::tensor({int64_t{0}, int64_t{1}}), at::tensor({int64_t{1}, int64_t{0}}), 0.7};
    const double own = (softmaxLoss(2, 1) + softmaxLoss(3, 0)) / 2, partner = (softmaxLoss(1, 2) + softmaxLoss(0, 3)) / 2;
    QVERIFY(std::abs(train::trainingLoss(data::Task::Classes, outputs, targets, 0).item<double>() - (0.7 * own + 0.3 * partner)) < 1e-6);
  }

  void labels() {
    const at::Tensor outputs = matrix({0, 2, -1, 0}, 2), wanted = matrix({1, 0, 0, 1}, 2);
    const double first = (std::log(2.0) + std::log1p(std::exp(2.0))) / 2, second = (std::log1p(std::exp(-1.0)) + std::log(2.0)) / 2;
    QVERIFY(std::abs(train::trainingLoss(data::Task::Labels, outputs, {{}, wanted, {}, 1}, 0.1).item<double>() - (first + second) / 2) < 1e-6);
    QVERIFY(std::abs(train::evaluationLoss(data::Task::Labels, outputs, wanted).item<double>() - (first + second)) < 1e-6);
  }

  void numbers() {
    const at::Tensor outputs = matrix({1, 2, 3, 4}, 2), wanted = matrix({0, 2, 3, 1}, 2);
    QVERIFY(std::abs(train::trainingLoss(data::Task::Numbers, outputs, {{}, wanted, {}, 1}, 0).item<double>() - 2.5) < 1e-6);
    QVERIFY(std::abs(train::evaluationLoss(data::Task::Numbers, outputs, wanted).item<double>() - 5) < 1e-6);
  }

  // fp32 whatever the network computed in.
  void halfPrecisionOutputs() {
    const at::Tensor outputs = matrix({2, 1, 0, 3}, 2).to(at::kBFloat16);
    const at::Tensor loss = train::trainingLoss(data::Task::Classes, outputs, {{}, at::tensor({int64_t{0}, int64_t{1}}), {}, 1}, 0);
    QVERIFY(loss.scalar_type() == at::kFloat);
  }
};

QTEST_APPLESS_MAIN(TestLoss)
#include "tst_loss.moc"
