// A module scripted in Python: its code and weights come from a file, and it is one block.
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/base/files.h"
#include "core/base/random.h"
#include "core/models/architectures.h"
#include "core/models/torchscript.h"

namespace trainyard::models {

namespace {

// What the code says about how it was made.
struct Findings {
  std::string fixed;  // an operator whose mode is written into the code as evaluation
  bool convolutional = false, draws = false;
};

// What the block and the model share.
struct Script {
  torch::jit::Module module;
  std::optional<bool> training;  // the mode it is in

  void setMode(bool wanted) {
    if (training == wanted) return;
    module.train(wanted);
    training = wanted;
  }
};

class ScriptModel : public Model {
 public:
  ScriptModel(std::shared_ptr<Script> script, Findings findings) : script_(std::move(script)), findings_(std::move(findings)) {
    for (const auto& parameter : script_->module.named_parameters()) parameters_.push_back({parameter.name, parameter.value});
    for (const auto& buffer : script_->module.named_buffers()) buffers_.push_back({buffer.name, buffer.value});
    Block block;
    block.name = "module";
    for (const auto& named : parameters_) block.parameters.push_back(named.name);
    for (const auto& named : buffers_) block.buffers.push_back(named.name);
    block.forward = [script = script_, buffers = buffers_](const Values& in, RunContext& context) { return run(*script, buffers, in, context); };
    blocks_.push_back(std::move(block));
  }

  std::span<const Block> blocks() const override { return blocks_; }
  std::vector<NamedTensor> parameters() const override { return parameters_; }
  std::vector<NamedTensor> buffers() const override { return buffers_; }
  std::vector<NamedTensor> state() const override {
    std::vector<NamedTensor> all = parameters_;
    all.insert(all.end(), buffers_.begin(), buffers_.end());
    return all;
  }
  std::vector<std::vector<std::string>> ties() const override { return {}; }
  bool convolutional() const override { return findings_.convolutional; }
  bool draws() const { return findings_.draws; }

 private:
  static Values run(Script& script, const std::vector<NamedTensor>& buffers, const Values& in, RunContext& context) {
    script.setMode(context.training);
    const at::Tensor& input = in.front();
    if (context.training) {
      // Its dropout draws from the process's generator: seeded for each pass, so that masks are a function of the step here too.
      at::Generator generator = at::globalContext().defaultGenerator(input.device());
      const std::lock_guard lock(generator.mutex());
      generator.set_current_seed(Random({context.seed, context.step, context.micro, context.rank}).next());
    }
    std::vector<at::Tensor> kept;  // a second pass leaves the running statistics alone
    if (context.recomputing) {
      for (const auto& buffer : buffers) kept.push_back(buffer.tensor.detach().clone());
    }
    const torch::jit::GraphOptimizerEnabledGuard plain(false);
    const at::Tensor output = script.module.forward({input}).toTensor();
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < kept.size(); ++i) {
      at::Tensor buffer = buffers[i].tensor.detach();
      buffer.copy_(kept[i]);
    }
    return {output};
  }

  std::shared_ptr<Script> script_;
  std::vector<Block> blocks_;
  std::vector<NamedTensor> parameters_, buffers_;
  Findings findings_;
};

bool isZero(const std::optional<torch::jit::IValue>& value) { return value && value->isDouble() && value->toDouble() == 0; }

void inspect(at::ArrayRef<torch::jit::Block*> blocks, Findings& findings) {
  for (torch::jit::Block* block : blocks) {
    for (torch::jit::Node* node : block->nodes()) {
      const std::string kind = node->kind().toQualString();
      if (kind == "aten::conv2d" || kind == "aten::_convolution" || kind == "aten::convolution") findings.convolutional = true;
      if (node->isNondeterministic() && !(kind == "aten::dropout" && isZero(torch::jit::toIValue(node->namedInput("p"))))) findings.draws = true;
      if (kind == "aten::batch_norm" || kind == "aten::dropout" || kind == "aten::feature_dropout") {
        const auto mode = torch::jit::toIValue(node->namedInput(kind == "aten::batch_norm" ? "training" : "train"));
        if (mode && mode->isBool() && !mode->toBool()) findings.fixed = kind.substr(6);
      }
      inspect(node->blocks(), findings);
    }
  }
}

constexpr char kScriptHint[] = "in Python: torch.jit.script(model).save(…), with the model in training mode; not torch.jit.trace or torch.jit.freeze";

Result<Findings> judge(const torch::jit::Module& module, const std::string& where) {
  if (!module.find_method("forward")) return fail(ErrorCode::Data, "has no method \"forward\"", where, kScriptHint);
  if (module.parameters().size() == 0) return fail(ErrorCode::Data, "has no parameters that could be trained: it was frozen, or its weights are constants", where, kScriptHint);
  const auto graph = module.get_method("forward").graph()->copy();
  torch::jit::Inline(*graph);
  Findings findings;
  inspect({graph->block()}, findings);
  if (!findings.fixed.empty()) {
    return fail(ErrorCode::Data, "was traced in evaluation mode: its " + findings.fixed + " would not train", where, kScriptHint);
  }
  return findings;
}

std::string firstLine(const std::exception& error) {
  const auto* torch = dynamic_cast<const c10::Error*>(&error);
  const std::string text = torch != nullptr ? torch->what_without_backtrace() : error.what();
  return text.substr(0, text.find('\n'));
}

// One pass on nothing, in evaluation: does it take these pictures, and give a number for each class?
Result<void> probe(const Model& model, InputShape input, int64_t classes, const std::string& where) {
  const at::NoGradGuard no_grad;
  RunContext context;
  const at::Tensor output = forward(model, at::zeros({1, input.channels, input.height, input.width}), context);
  if (output.sizes() == at::IntArrayRef({1, classes})) return {};
  std::string sizes;
  for (const int64_t size : output.sizes().slice(std::min<size_t>(1, output.sizes().size()))) sizes += (sizes.empty() ? "" : " × ") + std::to_string(size);
  return fail(ErrorCode::Recipe, "the module gives " + sizes + " numbers; " + std::to_string(classes) + " are needed, one for each class", where, "script it with that many outputs");
}

}  // namespace

Result<std::unique_ptr<Model>> makeTorchScript(const Json& params, InputShape input, int64_t classes, uint64_t) {
  const fs::path file = expandUser(params.at("file").get<std::string>());
  if (file.empty()) return fail(ErrorCode::Recipe, "no module is named", "model.file", kScriptHint);
  const std::string where = displayPath(file);
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return fail(ErrorCode::Data, "there is no such file", where, "give model.file the path of a module that Python saved");
  auto script = std::make_shared<Script>();
  try {
    script->module = torch::jit::load(file.string(), at::kCPU);
  } catch (const std::exception& error) {
    return fail(ErrorCode::Data, "cannot be read as a TorchScript module: " + firstLine(error), where, kScriptHint);
  }
  TRAINYARD_TRY(const Findings findings, judge(script->module, where));
  auto model = std::make_unique<ScriptModel>(script, findings);
  try {
    TRAINYARD_CHECK(probe(*model, input, classes, where));
  } catch (const std::exception& error) {
    const std::string shape = std::to_string(input.channels) + " × " + std::to_string(input.height) + " × " + std::to_string(input.width);
    return fail(ErrorCode::Recipe, "the module does not take pictures of " + shape + ": " + firstLine(error), where, "set data.size and data.channels to what it was written for");
  }
  return model;
}

bool drawsFromOneGenerator(const Model& model) {
  const auto* script = dynamic_cast<const ScriptModel*>(&model);
  return script != nullptr && script->draws();
}

}  // namespace trainyard::models
