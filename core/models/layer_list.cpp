// A network written in the recipe as a list of layers.
#include <algorithm>
#include <map>

#include "core/models/architectures.h"
#include "core/models/layer_kinds.h"

namespace trainyard::models {

namespace {

// A layer and the outputs it takes: 0 is the network's input, i + 1 what layer i gives.
struct Node {
  std::string name, kind;
  std::vector<size_t> takes;
  MadeLayer made;
};

class ListBuilder {
 public:
  ListBuilder(const Json& layers, InputShape input, int64_t classes, uint64_t seed) : layers_(layers), classes_(classes), blocks_(seed), sizes_{{input.channels, input.height, input.width}} {}

  Result<std::unique_ptr<Model>> build() {
    TRAINYARD_CHECK(nameLayers());
    if (layers_.empty()) return fail(ErrorCode::Recipe, "has no layers", "model.layers", "write at least one");
    std::vector<std::vector<size_t>> takes(layers_.size());
    for (size_t i = 0; i < layers_.size(); ++i) {
      TRAINYARD_TRY(takes[i], taken(i));
    }
    size_t begin = 0;
    for (size_t i = 0; i < layers_.size(); ++i) {
      TRAINYARD_CHECK(makeNode(i, takes[i]));
      if (!isBorder(takes, i)) continue;
      addBlock(begin, i + 1);
      begin = i + 1;
    }
    TRAINYARD_CHECK(checkOutput());
    const bool convolutional = std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.kind == "conv2d"; });
    return blocks_.finish(convolutional);
  }

 private:
  static std::string place(size_t i) { return "model.layers[" + std::to_string(i) + "]"; }

  Result<void> nameLayers() {
    for (size_t i = 0; i < layers_.size(); ++i) {
      std::string name = layers_[i].value("name", std::string());
      if (name.empty()) name = std::to_string(i);
      if (name == "input" || !places_.emplace(name, i).second) {
        return fail(ErrorCode::Recipe, "the name \"" + name + "\" is taken", place(i) + ".name", name == "input" ? "\"input\" is the network's own input" : "give each layer a name of its own");
      }
      names_.push_back(std::move(name));
    }
    return {};
  }

  // Which output layer `i` means by `name`.
  Result<size_t> outputOf(const std::string& name, size_t i, const char* key) const {
    if (name == "input") return size_t{0};
    const auto found = places_.find(name);
    if (found == places_.end()) return fail(ErrorCode::Recipe, "there is no layer \"" + name + "\"", place(i) + "." + key, "name an earlier layer, or \"input\"");
    if (found->second >= i) return fail(ErrorCode::Recipe, "layer \"" + name + "\" comes later", place(i) + "." + key, "only earlier layers can be used");
    return found->second + 1;
  }
  Result<std::vector<size_t>> taken(size_t i) const {
    const Json& table = layers_[i];
    std::vector<size_t> takes{i};
    if (const std::string input = table.value("input", std::string()); !input.empty()) {
      TRAINYARD_TRY(takes[0], outputOf(input, i, "input"));
    }
    if (!table.contains("from")) return takes;
    for (const auto& name : table.at("from")) {
      TRAINYARD_TRY(const size_t output, outputOf(name.get<std::string>(), i, "from"));
      takes.push_back(output);
    }
    return takes;
  }

  bool isLastLinear(size_t i) const {
    for (size_t later = i + 1; later < layers_.size(); ++later) {
      if (layers_[later].at("type") == "linear") return false;
    }
    return true;
  }

  Result<void> makeNode(size_t i, const std::vector<size_t>& takes) {
    std::vector<Sizes> inputs;
    for (const size_t output : takes) inputs.push_back(sizes_[output]);
    Node node{names_[i], layers_[i].at("type").get<std::string>(), takes, {}};
    auto made = makeLayer(blocks_.store(), {layers_[i], node.name, inputs, isLastLinear(i) ? classes_ : 0});
    if (!made) {
      Error error = std::move(made.error());
      error.what = "layer \"" + node.name + "\" (" + node.kind + ") " + error.what;
      error.where = place(i);
      return tl::unexpected(std::move(error));
    }
    node.made = std::move(*made);
    sizes_.push_back(node.made.sizes);
    nodes_.push_back(std::move(node));
    return {};
  }

  // Whether nothing but the output of layer `i` is used behind it.
  static bool isBorder(const std::vector<std::vector<size_t>>& takes, size_t i) {
    for (size_t later = i + 1; later < takes.size(); ++later) {
      for (const size_t output : takes[later]) {
        if (output <= i) return false;
      }
    }
    return true;
  }

  // Layers begin … end - 1, between two borders, become a block; it has the name of its last layer.
  void addBlock(size_t begin, size_t end) {
    std::vector<Node> nodes(nodes_.begin() + static_cast<ptrdiff_t>(begin), nodes_.begin() + static_cast<ptrdiff_t>(end));
    const std::string name = nodes.back().name;
    blocks_.add(name, [nodes = std::move(nodes), begin](const at::Tensor& x, RunContext& context) {
      std::vector<at::Tensor> outputs{x}, inputs;
      for (const auto& node : nodes) {
        inputs.clear();
        for (const size_t output : node.takes) inputs.push_back(outputs[output - begin]);
        outputs.push_back(node.made.forward(inputs, context));
      }
      return outputs.back();
    });
  }

  Result<void> checkOutput() const {
    if (sizes_.back() == Sizes{classes_}) return {};
    return fail(ErrorCode::Recipe, "the last layer, \"" + names_.back() + "\", gives " + sizesText(sizes_.back()) + "; " + std::to_string(classes_) + " numbers are needed, one for each class", place(layers_.size() - 1),
                sizes_.back().size() == 1 ? "leave out of the last linear layer away, or correct it" : "end with a flatten and a linear layer");
  }

  const Json& layers_;
  int64_t classes_;
  BlockList blocks_;
  std::vector<Sizes> sizes_;  // of outputs: the network's input, then the layers'
  std::vector<std::string> names_;
  std::map<std::string, size_t> places_;
  std::vector<Node> nodes_;
};

}  // namespace

Result<std::unique_ptr<Model>> makeLayers(const Json& params, InputShape input, int64_t classes, uint64_t seed) { return ListBuilder(params.at("layers"), input, classes, seed).build(); }

}  // namespace trainyard::models
