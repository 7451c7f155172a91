#include "ui/pages/model/known_networks.h"

#include <algorithm>
#include <span>

#include "core/catalogue/weights.h"

namespace trainyard::ui {
namespace {

struct Row {
  const char* id;
  Family family;
  double parameters = 0;
};

// Parameters as torchvision counts them.
constexpr Row kRows[] = {
    {"smallcnn", Family::Small},
    {"mlp", Family::Small},
    {"resnet18", Family::Residual, 11689512},
    {"resnet34", Family::Residual, 21797672},
    {"resnet50", Family::Residual, 25557032},
    {"resnet101", Family::Residual, 44549160},
    {"resnet152", Family::Residual, 60192808},
    {"resnext50_32x4d", Family::Residual, 25028904},
    {"wide_resnet50_2", Family::Residual, 68883240},
    {"mobilenet_v2", Family::Light, 3504872},
    {"mobilenet_v3_small", Family::Light, 2542856},
    {"mobilenet_v3_large", Family::Light, 5483032},
    {"efficientnet_b0", Family::Light, 5288548},
    {"efficientnet_b1", Family::Light, 7794184},
    {"efficientnet_b2", Family::Light, 9109994},
    {"efficientnet_b3", Family::Light, 12233232},
    {"vgg11_bn", Family::Classic, 132868840},
    {"vgg16_bn", Family::Classic, 138365992},
    {"densenet121", Family::Classic, 7978856},
    {"convnext_tiny", Family::Modern, 28589128},
    {"convnext_small", Family::Modern, 50223688},
    {"vit_tiny", Family::Transformer, 5717416},
    {"vit_small", Family::Transformer, 22050664},
    {"vit_base", Family::Transformer, 86567656},
    {"swin_t", Family::Transformer, 28288354},
    {"gpt", Family::Text},
    {"layers", Family::Own},
    {"torchscript", Family::Own},
};

}  // namespace

KnownNetwork knownNetwork(const std::string& architecture) {
  const std::span<const Row> rows(kRows);
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return architecture == row.id; });
  if (found == rows.end()) return {};
  KnownNetwork known{found->family, found->parameters, 0, {}};
  const auto published = catalogue::publishedWeights();
  const auto first = std::find_if(published.begin(), published.end(), [&](const auto& weights) { return architecture == weights.arch; });
  if (first != published.end()) {
    known.accuracy = first->accuracy;
    known.weights = first->name;
  }
  return known;
}

const std::vector<Family>& families() {
  static const std::vector<Family> kOrder = {Family::Small,  Family::Residual,    Family::Light, Family::Modern,
                                             Family::Transformer, Family::Classic, Family::Text,  Family::Own};
  return kOrder;
}

}  // namespace trainyard::ui
