#include "core/models/summary.h"

#include <ATen/ATen.h>
#include <ATen/record_function.h>

#include <map>
#include <set>

namespace trainyard::models {

namespace {

enum class Cost { None, Convolution, Linear, Product, SumAndProduct, Attention };

// The operators that are layers; what they are made of is not counted again.
struct Layer {
  const char* op;
  const char* kind;
  Cost cost = Cost::None;
};
constexpr Layer kLayers[] = {
    {"aten::conv1d", "Conv1d", Cost::Convolution},
    {"aten::conv2d", "Conv2d", Cost::Convolution},
    {"aten::convolution", "Conv2d", Cost::Convolution},
    {"aten::_convolution", "Conv2d", Cost::Convolution},
    {"aten::linear", "Linear", Cost::Linear},
    {"aten::batch_norm", "BatchNorm2d"},
    {"aten::group_norm", "GroupNorm"},
    {"aten::layer_norm", "LayerNorm"},
    {"aten::native_layer_norm", "LayerNorm"},
    {"aten::embedding", "Embedding"},
    {"aten::max_pool2d", "MaxPool2d"},
    {"aten::avg_pool2d", "AvgPool2d"},
    {"aten::adaptive_avg_pool2d", "AdaptiveAvgPool2d"},
    {"aten::adaptive_max_pool2d", "AdaptiveMaxPool2d"},
    {"aten::scaled_dot_product_attention", "Attention", Cost::Attention},
    {"aten::matmul", "MatMul", Cost::Product},
    {"aten::mm", "MatMul", Cost::Product},
    {"aten::bmm", "MatMul", Cost::Product},
    {"aten::addmm", "Linear", Cost::SumAndProduct},
    {"aten::baddbmm", "MatMul", Cost::SumAndProduct},
};

// "layer1.0.conv1.weight" → "layer1.0.conv1"; a name without a dot stays.
std::string prefixOf(const std::string& parameter) { return parameter.substr(0, parameter.find_last_of('.')); }

class Recorder;
thread_local Recorder* current = nullptr;

class Recorder {
 public:
  Recorder(const Model& model, const std::function<bool(const std::string&)>& frozen) {
    for (const auto& named : model.parameters()) {
      // Views of a parameter, slices of a fused one for example, lie in its storage.
      names_[named.tensor.storage().unsafeGetStorageImpl()] = named.name;
      tensors_[named.name] = named.tensor;
      summary_.parameters += static_cast<uint64_t>(named.tensor.numel());
      if (!frozen(named.name)) summary_.trainable += static_cast<uint64_t>(named.tensor.numel());
      else frozen_.insert(named.name);
    }
    for (const auto& named : model.state()) summary_.bytes += named.tensor.nbytes();
  }

  Summary run(const Model& model, const at::Tensor& input) {
    current = this;
    const auto handle = at::addThreadLocalCallback(at::RecordFunctionCallback(&Recorder::begin, &Recorder::end).needsInputs(true).needsOutputs(true).scopes({at::RecordScope::FUNCTION}));
    try {
      runBlocks(model, input);
    } catch (...) {
      at::removeCallback(handle);
      throw;
    }
    at::removeCallback(handle);
    for (const auto& row : summary_.layers) {
      summary_.multiply_adds += row.multiply_adds;
      summary_.activation_bytes += row.activation_bytes;
    }
    return std::move(summary_);
  }

 private:
  // One operator between its two callbacks.
  struct Running : at::ObserverContext {
    const Layer* layer = nullptr;
    std::vector<at::Tensor> inputs;
  };

  void runBlocks(const Model& model, const at::Tensor& input) {
    at::NoGradGuard no_grad;
    RunContext context;
    Values values{input};
    for (const auto& block : model.blocks()) {
      block_ = block.name;
      block_index_ = static_cast<size_t>(&block - model.blocks().data());
      const size_t before = summary_.layers.size();
      values = block.forward(values, context);
      addLoneParameters(block, before);
    }
  }

  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
    for (const auto& layer : kLayers) {
      if (std::string_view(function.name()) != layer.op) continue;
      auto running = std::make_unique<Running>();
      if (current->depth_++ == 0) {
        running->layer = &layer;
        for (const auto& input : function.inputs()) {
          if (input.isTensor()) running->inputs.push_back(input.toTensor());
        }
      }
      return running;
    }
    return nullptr;
  }
  static void end(const at::RecordFunction& function, at::ObserverContext* context) {
    if (context == nullptr) return;
    --current->depth_;
    const auto& running = static_cast<const Running&>(*context);
    if (running.layer == nullptr) return;
    for (const auto& output : function.outputs()) {
      if (output.isTensor()) return current->add(running, output.toTensor());
    }
  }

  void add(const Running& running, const at::Tensor& output) {
    LayerRow row;
    row.name = block_;
    row.kind = running.layer->kind;
    if (output.dim() > 0) row.output = output.sizes().slice(1).vec();
    row.activation_bytes = output.nbytes();
    row.multiply_adds = cost(running, output);
    std::vector<std::string> owned;
    for (const auto& input : running.inputs) {
      if (!input.defined() || !input.has_storage()) continue;
      const auto found = names_.find(input.storage().unsafeGetStorageImpl());
      if (found != names_.end()) owned.push_back(found->second);
    }
    if (!owned.empty()) row.name = prefixOf(owned.front());
    claim(row, owned);
    summary_.layers.push_back(std::move(row));
  }

  // Counts parameters that no row has counted yet.
  void claim(LayerRow& row, const std::vector<std::string>& names) {
    row.block = block_index_;
    row.uses = names;
    row.frozen = !names.empty();
    for (const auto& name : names) {
      row.frozen = row.frozen && frozen_.contains(name);
      if (claimed_.insert(name).second) row.parameters += static_cast<uint64_t>(tensors_.at(name).numel());
    }
  }

  // Class tokens, position tables, scales: used by operators that are no layers. They stand before what the block does with them.
  void addLoneParameters(const Block& block, size_t place) {
    for (const auto& name : block.parameters) {
      if (claimed_.contains(name)) continue;
      LayerRow row;
      row.name = name;
      row.kind = "Parameter";
      row.output = tensors_.at(name).sizes().vec();
      claim(row, {name});
      summary_.layers.insert(summary_.layers.begin() + static_cast<ptrdiff_t>(place++), std::move(row));
    }
  }

  static uint64_t cost(const Running& running, const at::Tensor& output) {
    const auto& in = running.inputs;
    const auto last = [](const at::Tensor& tensor) { return static_cast<uint64_t>(tensor.size(-1)); };
    const auto made = static_cast<uint64_t>(output.numel());
    switch (running.layer->cost) {
      case Cost::None: return 0;
      case Cost::Convolution: return made * static_cast<uint64_t>(in[1][0].numel());
      case Cost::Linear:
      case Cost::Product: return made * last(in[0]);
      case Cost::SumAndProduct: return made * last(in[1]);
      // Each query meets each key, then their values are summed: batch · queries · keys · (width of a key + width of a value).
      case Cost::Attention: return static_cast<uint64_t>(in[0].numel() / in[0].size(-1) * in[1].size(-2)) * (last(in[1]) + last(in[2]));
    }
    return 0;
  }

  std::map<const c10::StorageImpl*, std::string> names_;
  std::map<std::string, at::Tensor> tensors_;
  std::set<std::string> frozen_, claimed_;
  std::string block_;
  size_t block_index_ = 0;
  int depth_ = 0;  // of layers in layers
  Summary summary_;
};

}  // namespace

Summary summarize(const Model& model, InputShape input, bool tokens, const std::function<bool(const std::string&)>& frozen) {
  const at::Tensor nothing = tokens ? at::zeros({1, input.width}, at::kLong) : at::zeros({1, input.channels, input.height, input.width});
  return Recorder(model, frozen).run(model, nothing);
}

}  // namespace trainyard::models
