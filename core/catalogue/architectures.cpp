#include "core/catalogue/catalogue.h"
#include "core/catalogue/layers.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

std::vector<ParamSpec> resnetParams() {
  return {choice("stem", "First layers", "How the picture is taken in.", "imagenet",
                 {{"imagenet", "For photos", "Reduces the picture to a quarter at once; for pictures of about 100 pixels and more."},
                  {"cifar", "For small pictures", "Keeps the size at first; for pictures of 28 to 64 pixels."}}),
          advanced(choice("norm", "Norm", "What keeps the values in range between layers.", "batch",
                          {{"batch", "Batch norm", "Over the pictures of a step; as published weights have it."},
                           {"group", "Group norm", "Within each picture, so that it does not matter how many are computed at a time; for very small batches and several devices."}}))};
}

ParamSpec dropout(double fallback) {
  return advanced(real("dropout", "Dropout", "The share of values that are zeroed at random in training; guards against memorising.", fallback, 0, 0.99));
}

ParamSpec stochasticDepth(double fallback) {
  return advanced(real("stochastic_depth", "Stochastic depth", "How often the last block is skipped in training, the earlier ones less; guards against memorising.", fallback, 0, 0.99));
}

ParamSpec attentionDropout() {
  return advanced(real("attention_dropout", "Attention dropout", "The share of attention weights that are zeroed at random in training; slower than without.", 0.0, 0, 0.99));
}

std::vector<ParamSpec> efficientNetParams(double dropout_share) { return {dropout(dropout_share), stochasticDepth(0.2)}; }

std::vector<ParamSpec> layersParams() {
  ParamSpec layers = tables("layers", "Layers", "One after the other; a name lets later layers take a layer's output.", "layer", 1);
  layers.required = false;
  layers.fallback = usualLayers();
  return {layers};
}

std::vector<ParamSpec> gptParams() {
  return {integer("layers", "Layers", "Blocks of attention; more for more text.", 6, 1, 1000),
          integer("width", "Width", "Numbers that stand for a token; a multiple of the heads.", 384, 1, 65536),
          integer("heads", "Heads", "How many places a layer looks at, at a time.", 6, 1, 1024),
          advanced(inUnit(integer("context", "Longest text", "Places that the network can tell apart. Empty: as many as a window of the data has.", nullptr, 1, 1000000), "tokens")),
          dropout(0)};
}

std::optional<Conflict> checkHeads(const Json& table) {
  const auto width = table.at("width").get<int64_t>(), heads = table.at("heads").get<int64_t>();
  if (width % heads == 0) return {};
  return Conflict{"width", "a width of " + std::to_string(width) + " cannot be shared out to " + std::to_string(heads) + " heads",
                  "use a multiple of the heads, such as " + std::to_string((width / heads + 1) * heads)};
}

}  // namespace

std::span<const Descriptor> architectures() {
  static const std::vector<Descriptor> kTable = {
      {"mlp", "Multilayer perceptron", "Fully connected layers; for small pictures and first experiments.",
       {list("hidden", "Hidden layers", "Units of each hidden layer.", {128}, inUnit(integer("", "", "", nullptr, 1, 65536), "units"), 0, 16)}},
      {"smallcnn", "Small CNN", "Three convolutions with batch norm; fast on a CPU, good for small pictures.", {}},
      {"resnet18", "ResNet-18", "18 layers with residual connections; a sound first choice for photos.", resnetParams()},
      {"resnet34", "ResNet-34", "34 layers with residual connections; more accurate than ResNet-18 and about twice the work.", resnetParams()},
      {"resnet50", "ResNet-50", "50 layers, 26 million parameters; the usual yardstick, for a GPU.", resnetParams()},
      {"resnet101", "ResNet-101", "101 layers, 45 million parameters; somewhat more accurate than ResNet-50, for twice the work.", resnetParams()},
      {"resnet152", "ResNet-152", "152 layers, 60 million parameters; for large data sets and a large GPU.", resnetParams()},
      {"resnext50_32x4d", "ResNeXt-50 32×4d", "ResNet-50 with grouped convolutions; more accurate for about the same work.", resnetParams()},
      {"wide_resnet50_2", "Wide ResNet-50-2", "ResNet-50 with twice the width inside its blocks; 69 million parameters, for a large GPU.", resnetParams()},
      {"vgg11_bn", "VGG-11", "11 layers, 133 million parameters, most of them at the end; a classic, for comparisons.", {dropout(0.5)}},
      {"vgg16_bn", "VGG-16", "16 layers, 138 million parameters; a classic for comparisons and as a base of other networks. Slow.", {dropout(0.5)}},
      {"densenet121", "DenseNet-121", "Every layer sees all before it; 8 million parameters, accurate for its size, needs much memory in training.", {dropout(0)}},
      {"mobilenet_v2", "MobileNet V2", "3.5 million parameters; for telephones and slow computers.", {dropout(0.2)}},
      {"mobilenet_v3_small", "MobileNet V3 small", "2.5 million parameters and the least work of all for photos; for a CPU and small devices.", {dropout(0.2)}},
      {"mobilenet_v3_large", "MobileNet V3 large", "5.5 million parameters; more accurate than MobileNet V2 for less work.", {dropout(0.2)}},
      {"efficientnet_b0", "EfficientNet B0", "5.3 million parameters; very accurate for its size, for pictures of about 224 pixels.", efficientNetParams(0.2)},
      {"efficientnet_b1", "EfficientNet B1", "7.8 million parameters; deeper than B0, for pictures of about 240 pixels.", efficientNetParams(0.2)},
      {"efficientnet_b2", "EfficientNet B2", "9.1 million parameters; wider and deeper, for pictures of about 288 pixels.", efficientNetParams(0.3)},
      {"efficientnet_b3", "EfficientNet B3", "12 million parameters; for pictures of about 300 pixels and a GPU.", efficientNetParams(0.3)},
      {"convnext_tiny", "ConvNeXt tiny", "29 million parameters; the most accurate here for the work of a ResNet-50, best with published weights. For a GPU.", {stochasticDepth(0.1)}},
      {"convnext_small", "ConvNeXt small", "50 million parameters; more accurate than ConvNeXt tiny for twice the work. For a large GPU.", {stochasticDepth(0.4)}},
      {"layers", "Own layers", "A network of your own, written in the recipe as a list of layers.", layersParams()},
      {"vit_tiny", "ViT tiny", "5.7 million parameters; attention between patches of 16 × 16 pixels, so picture sizes are multiples of 16. Needs many pictures and patience; AdamW with warm-up.", {dropout(0), attentionDropout()}},
      {"vit_small", "ViT small", "22 million parameters; as ViT tiny, for more pictures and a GPU.", {dropout(0), attentionDropout()}},
      {"vit_base", "ViT base", "86 million parameters; torchvision's vit_b_16. Best with published weights, at 224 pixels, for a large GPU.", {dropout(0), attentionDropout()}},
      {"swin_t", "Swin tiny", "28 million parameters; attention within windows that move from layer to layer, for pictures of any size. Best with published weights. For a GPU.",
       {stochasticDepth(0.2), dropout(0), attentionDropout()}},
      {"gpt", "GPT", "A language model of GPT-2's shape, trained on text from scratch: it predicts each next token.", gptParams(), 0, checkHeads},
      {"torchscript", "TorchScript module", "A network scripted in Python, with its weights; its code runs here, so take it from people you trust.",
       {param(ParamKind::Path, "file", "File", "What torch.jit.script(model).save(…) wrote.", "")}},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
