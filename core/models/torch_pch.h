#pragma once
// The precompiled header of everything that uses LibTorch: tensors and the autograd engine, not torch::nn.
#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/grad_mode.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
