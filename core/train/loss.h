#pragma once
// What training minimises: one loss per kind of target. Cross-entropy for classes, binary cross-entropy per class for labels, the mean squared
// error for numbers; each averaged over the samples (and, for labels and numbers, over the values of a sample).
#include "core/train/input.h"

namespace trainyard::train {

// A step's loss of one micro-batch, fp32 scalar: the mean over its samples. Mixed batches have two labels and a share.
at::Tensor trainingLoss(data::Task task, const at::Tensor& outputs_NK, const Tensors& targets, double label_smoothing);

// The sum over the samples, without label smoothing: for evaluation.
at::Tensor evaluationLoss(data::Task task, const at::Tensor& outputs_NK, const at::Tensor& targets);

}  // namespace trainyard::train
