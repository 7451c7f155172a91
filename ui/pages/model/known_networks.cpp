#include "ui/pages/model/known_networks.h"

#include <algorithm>
#include <span>

namespace trainyard::ui {
namespace {

struct Row {
  const char* id;
  Family family;
  double parameters = 0, accuracy = 0;
  const char* weights = "";
};

// Parameters and accuracy as torchvision gives them for its first weights of each.
constexpr Row kRows[] = {
    {"smallcnn", Family::Small},
    {"mlp", Family::Small},
    {"resnet18", Family::Residual, 11689512, 0.69758, "resnet18"},
    {"resnet34", Family::Residual, 21797672, 0.73314, "resnet34"},
    {"resnet50", Family::Residual, 25557032, 0.7613, "resnet50"},
    {"resnet101", Family::Residual, 44549160, 0.77374, "resnet101"},
    {"resnet152", Family::Residual, 60192808, 0.78312, "resnet152"},
    {"resnext50_32x4d", Family::Residual, 25028904, 0.77618, "resnext50_32x4d"},
    {"wide_resnet50_2", Family::Residual, 68883240, 0.78468, "wide_resnet50_2"},
    {"mobilenet_v2", Family::Light, 3504872, 0.71878, "mobilenet_v2"},
    {"mobilenet_v3_small", Family::Light, 2542856, 0.67668, "mobilenet_v3_small"},
    {"mobilenet_v3_large", Family::Light, 5483032, 0.74042, "mobilenet_v3_large"},
    {"efficientnet_b0", Family::Light, 5288548, 0.77692, "efficientnet_b0"},
    {"efficientnet_b1", Family::Light, 7794184, 0.78642, "efficientnet_b1"},
    {"efficientnet_b2", Family::Light, 9109994, 0.80608, "efficientnet_b2"},
    {"efficientnet_b3", Family::Light, 12233232, 0.82008, "efficientnet_b3"},
    {"vgg11_bn", Family::Classic, 132868840, 0.7037, "vgg11_bn"},
    {"vgg16_bn", Family::Classic, 138365992, 0.7336, "vgg16_bn"},
    {"densenet121", Family::Classic, 7978856, 0.74434, "densenet121"},
    {"convnext_tiny", Family::Modern, 28589128, 0.8252, "convnext_tiny"},
    {"convnext_small", Family::Modern, 50223688, 0.83616, "convnext_small"},
    {"vit_tiny", Family::Transformer, 5717416},
    {"vit_small", Family::Transformer, 22050664},
    {"vit_base", Family::Transformer, 86567656, 0.81072, "vit_b_16"},
    {"vit_b_16", Family::Transformer, 86567656, 0.81072, "vit_b_16"},
    {"swin_t", Family::Transformer, 28288354, 0.81474, "swin_t"},
    {"gpt", Family::Text},
    {"layers", Family::Own},
    {"torchscript", Family::Own},
};

}  // namespace

KnownNetwork knownNetwork(const std::string& architecture) {
  const std::span<const Row> rows(kRows);
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return architecture == row.id; });
  if (found == rows.end()) return {};
  return {found->family, found->parameters, found->accuracy, found->weights};
}

const std::vector<Family>& families() {
  static const std::vector<Family> kOrder = {Family::Small,  Family::Residual,    Family::Light, Family::Modern,
                                             Family::Transformer, Family::Classic, Family::Text,  Family::Own};
  return kOrder;
}

}  // namespace trainyard::ui
