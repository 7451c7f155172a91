#include "core/catalogue/weights.h"

#include <array>
#include <cstdlib>

namespace trainyard::catalogue {

namespace {

constexpr std::array kWeights = std::to_array<PublishedWeights>({
    {"resnet18", "resnet18", "resnet18-f37072fd.pth", "f37072fd", 46830453, 0.69758, 224},
    {"resnet34", "resnet34", "resnet34-b627a593.pth", "b627a593", 87320166, 0.73314, 224},
    {"resnet50", "resnet50", "resnet50-0676ba61.pth", "0676ba61", 102530810, 0.76130, 224},
    {"resnet50_v2", "resnet50", "resnet50-11ad3fa6.pth", "11ad3fa6", 102540247, 0.80858, 224},
    {"resnet101", "resnet101", "resnet101-63fe2227.pth", "63fe2227", 178793742, 0.77374, 224},
    {"resnet101_v2", "resnet101", "resnet101-cd907fc2.pth", "cd907fc2", 178813665, 0.81886, 224},
    {"resnet152", "resnet152", "resnet152-394f9c45.pth", "394f9c45", 241627562, 0.78312, 224},
    {"resnet152_v2", "resnet152", "resnet152-f82ba261.pth", "f82ba261", 241669505, 0.82284, 224},
    {"resnext50_32x4d", "resnext50_32x4d", "resnext50_32x4d-7cdf4587.pth", "7cdf4587", 100442046, 0.77618, 224},
    {"resnext50_32x4d_v2", "resnext50_32x4d", "resnext50_32x4d-1a0047aa.pth", "1a0047aa", 100488184, 0.81198, 224},
    {"wide_resnet50_2", "wide_resnet50_2", "wide_resnet50_2-95faca4d.pth", "95faca4d", 138223288, 0.78468, 224},
    {"wide_resnet50_2_v2", "wide_resnet50_2", "wide_resnet50_2-9ba9bcbe.pth", "9ba9bcbe", 275905511, 0.81602, 224},
    {"vgg11_bn", "vgg11_bn", "vgg11_bn-6002323d.pth", "6002323d", 531503251, 0.70370, 224},
    {"vgg16_bn", "vgg16_bn", "vgg16_bn-6c64b313.pth", "6c64b313", 553507619, 0.73360, 224},
    {"densenet121", "densenet121", "densenet121-a639ec97.pth", "a639ec97", 32343327, 0.74434, 224},
    {"mobilenet_v2", "mobilenet_v2", "mobilenet_v2-b0353104.pth", "b0353104", 14213448, 0.71878, 224},
    {"mobilenet_v2_v2", "mobilenet_v2", "mobilenet_v2-7ebf99e0.pth", "7ebf99e0", 14258536, 0.72154, 224},
    {"mobilenet_v3_small", "mobilenet_v3_small", "mobilenet_v3_small-047dcff4.pth", "047dcff4", 10306454, 0.67668, 224},
    {"mobilenet_v3_large", "mobilenet_v3_large", "mobilenet_v3_large-8738ca79.pth", "8738ca79", 22139634, 0.74042, 224},
    {"mobilenet_v3_large_v2", "mobilenet_v3_large", "mobilenet_v3_large-5c1a4163.pth", "5c1a4163", 22132294, 0.75274, 224},
    {"efficientnet_b0", "efficientnet_b0", "efficientnet_b0_rwightman-7f5810bc.pth", "7f5810bc", 21444428, 0.77692, 224},
    {"efficientnet_b1", "efficientnet_b1", "efficientnet_b1_rwightman-bac287d4.pth", "bac287d4", 31597789, 0.78642, 240},
    {"efficientnet_b1_v2", "efficientnet_b1", "efficientnet_b1-c27df63c.pth", "c27df63c", 31599886, 0.79838, 240},
    {"efficientnet_b2", "efficientnet_b2", "efficientnet_b2_rwightman-c35c1473.pth", "c35c1473", 36882612, 0.80608, 288},
    {"efficientnet_b3", "efficientnet_b3", "efficientnet_b3_rwightman-b3899882.pth", "b3899882", 49476010, 0.82008, 300},
    {"convnext_tiny", "convnext_tiny", "convnext_tiny-983f1562.pth", "983f1562", 114419565, 0.82520, 224},
    {"convnext_small", "convnext_small", "convnext_small-0c510722.pth", "0c510722", 201015165, 0.83616, 224},
    {"vit_b_16", "vit_base", "vit_b_16-c867db91.pth", "c867db91", 346328924, 0.81072, 224},
    {"swin_t", "swin_t", "swin_t-704ceda3.pth", "704ceda3", 113445437, 0.81474, 224},
});

}  // namespace

std::span<const PublishedWeights> publishedWeights() { return kWeights; }

const PublishedWeights* findWeights(std::string_view name) {
  for (const auto& weights : kWeights) {
    if (name == weights.name) return &weights;
  }
  return nullptr;
}

fs::path cachedWeights(const PublishedWeights& weights) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const fs::path home = cache != nullptr && *cache == '/' ? fs::path(cache) : expandUser("~/.cache");
  return home / "trainyard/weights" / weights.file;
}

}  // namespace trainyard::catalogue
