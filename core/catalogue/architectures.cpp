#include "core/catalogue/catalogue.h"
#include "core/catalogue/layers.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

std::vector<ParamSpec> layersParams() {
  ParamSpec layers = tables("layers", "Layers", "One after the other; a name lets later layers take a layer's output.", "layer", 1);
  layers.required = false;
  layers.fallback = usualLayers();
  return {layers};
}

}  // namespace

std::span<const Descriptor> architectures() {
  static const std::vector<Descriptor> kTable = {
      {"mlp", "Multilayer perceptron", "Fully connected layers; for small pictures and first experiments.",
       {list("hidden", "Hidden layers", "Units of each hidden layer.", {128}, inUnit(integer("", "", "", nullptr, 1, 65536), "units"), 0, 16)}},
      {"smallcnn", "Small CNN", "Three convolutions with batch norm; fast on a CPU, good for small pictures.", {}},
      {"resnet18", "ResNet-18", "18 layers with residual connections; a sound first choice for photos.", {}},
      {"resnet34", "ResNet-34", "34 layers with residual connections; more accurate than ResNet-18 and about twice the work.", {}},
      {"layers", "Own layers", "A network of your own, written in the recipe as a list of layers.", layersParams()},
      {"torchscript", "TorchScript module", "A network scripted in Python, with its weights; its code runs here, so take it from people you trust.",
       {needed(param(ParamKind::Path, "file", "File", "What torch.jit.script(model).save(…) wrote."))}},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
