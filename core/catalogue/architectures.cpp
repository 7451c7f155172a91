#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

std::span<const Descriptor> architectures() {
  static const std::vector<Descriptor> kTable = {
      {"mlp", "Multilayer perceptron", "Fully connected layers; for small pictures and first experiments.",
       {list("hidden", "Hidden layers", "Units of each hidden layer.", {128}, inUnit(integer("", "", "", nullptr, 1, 65536), "units"), 0, 16)}},
      {"smallcnn", "Small CNN", "Three convolutions with batch norm; fast on a CPU, good for small pictures.", {}},
      {"resnet18", "ResNet-18", "18 layers with residual connections; a sound first choice for photos.", {}},
      {"resnet34", "ResNet-34", "34 layers with residual connections; more accurate than ResNet-18 and about twice the work.", {}},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
