#include <array>

#include "core/augment/operations.h"

namespace trainyard::augment {

namespace {

// As published with "AutoAugment: Learning Augmentation Strategies from Data"; the order of torchvision.
constexpr std::array<Policy, 25> kImagenet{{
    {{Kind::Posterize, 0.4, 8}, {Kind::Rotate, 0.6, 9}},  {{Kind::Solarize, 0.6, 5}, {Kind::AutoContrast, 0.6, 0}},
    {{Kind::Equalize, 0.8, 0}, {Kind::Equalize, 0.6, 0}}, {{Kind::Posterize, 0.6, 7}, {Kind::Posterize, 0.6, 6}},
    {{Kind::Equalize, 0.4, 0}, {Kind::Solarize, 0.2, 4}}, {{Kind::Equalize, 0.4, 0}, {Kind::Rotate, 0.8, 8}},
    {{Kind::Solarize, 0.6, 3}, {Kind::Equalize, 0.6, 0}}, {{Kind::Posterize, 0.8, 5}, {Kind::Equalize, 1.0, 0}},
    {{Kind::Rotate, 0.2, 3}, {Kind::Solarize, 0.6, 8}},   {{Kind::Equalize, 0.6, 0}, {Kind::Posterize, 0.4, 6}},
    {{Kind::Rotate, 0.8, 8}, {Kind::Color, 0.4, 0}},      {{Kind::Rotate, 0.4, 9}, {Kind::Equalize, 0.6, 0}},
    {{Kind::Equalize, 0.0, 0}, {Kind::Equalize, 0.8, 0}}, {{Kind::Invert, 0.6, 0}, {Kind::Equalize, 1.0, 0}},
    {{Kind::Color, 0.6, 4}, {Kind::Contrast, 1.0, 8}},    {{Kind::Rotate, 0.8, 8}, {Kind::Color, 1.0, 2}},
    {{Kind::Color, 0.8, 8}, {Kind::Solarize, 0.8, 7}},    {{Kind::Sharpness, 0.4, 7}, {Kind::Invert, 0.6, 0}},
    {{Kind::ShearX, 0.6, 5}, {Kind::Equalize, 1.0, 0}},   {{Kind::Color, 0.4, 0}, {Kind::Equalize, 0.6, 0}},
    {{Kind::Equalize, 0.4, 0}, {Kind::Solarize, 0.2, 4}}, {{Kind::Solarize, 0.6, 5}, {Kind::AutoContrast, 0.6, 0}},
    {{Kind::Invert, 0.6, 0}, {Kind::Equalize, 1.0, 0}},   {{Kind::Color, 0.6, 4}, {Kind::Contrast, 1.0, 8}},
    {{Kind::Equalize, 0.8, 0}, {Kind::Equalize, 0.6, 0}},
}};

constexpr std::array<Policy, 25> kCifar10{{
    {{Kind::Invert, 0.1, 0}, {Kind::Contrast, 0.2, 6}},         {{Kind::Rotate, 0.7, 2}, {Kind::TranslateX, 0.3, 9}},
    {{Kind::Sharpness, 0.8, 1}, {Kind::Sharpness, 0.9, 3}},     {{Kind::ShearY, 0.5, 8}, {Kind::TranslateY, 0.7, 9}},
    {{Kind::AutoContrast, 0.5, 0}, {Kind::Equalize, 0.9, 0}},   {{Kind::ShearY, 0.2, 7}, {Kind::Posterize, 0.3, 7}},
    {{Kind::Color, 0.4, 3}, {Kind::Brightness, 0.6, 7}},        {{Kind::Sharpness, 0.3, 9}, {Kind::Brightness, 0.7, 9}},
    {{Kind::Equalize, 0.6, 0}, {Kind::Equalize, 0.5, 0}},       {{Kind::Contrast, 0.6, 7}, {Kind::Sharpness, 0.6, 5}},
    {{Kind::Color, 0.7, 7}, {Kind::TranslateX, 0.5, 8}},        {{Kind::Equalize, 0.3, 0}, {Kind::AutoContrast, 0.4, 0}},
    {{Kind::TranslateY, 0.4, 3}, {Kind::Sharpness, 0.2, 6}},    {{Kind::Brightness, 0.9, 6}, {Kind::Color, 0.2, 8}},
    {{Kind::Solarize, 0.5, 2}, {Kind::Invert, 0.0, 0}},         {{Kind::Equalize, 0.2, 0}, {Kind::AutoContrast, 0.6, 0}},
    {{Kind::Equalize, 0.2, 0}, {Kind::Equalize, 0.6, 0}},       {{Kind::Color, 0.9, 9}, {Kind::Equalize, 0.6, 0}},
    {{Kind::AutoContrast, 0.8, 0}, {Kind::Solarize, 0.2, 8}},   {{Kind::Brightness, 0.1, 3}, {Kind::Color, 0.7, 0}},
    {{Kind::Solarize, 0.4, 5}, {Kind::AutoContrast, 0.9, 0}},   {{Kind::TranslateY, 0.9, 9}, {Kind::TranslateY, 0.7, 9}},
    {{Kind::AutoContrast, 0.9, 0}, {Kind::Solarize, 0.8, 3}},   {{Kind::Equalize, 0.8, 0}, {Kind::Invert, 0.1, 0}},
    {{Kind::TranslateY, 0.7, 9}, {Kind::AutoContrast, 0.9, 0}},
}};

constexpr std::array<Policy, 25> kSvhn{{
    {{Kind::ShearX, 0.9, 4}, {Kind::Invert, 0.2, 0}},       {{Kind::ShearY, 0.9, 8}, {Kind::Invert, 0.7, 0}},
    {{Kind::Equalize, 0.6, 0}, {Kind::Solarize, 0.6, 6}},   {{Kind::Invert, 0.9, 0}, {Kind::Equalize, 0.6, 0}},
    {{Kind::Equalize, 0.6, 0}, {Kind::Rotate, 0.9, 3}},     {{Kind::ShearX, 0.9, 4}, {Kind::AutoContrast, 0.8, 0}},
    {{Kind::ShearY, 0.9, 8}, {Kind::Invert, 0.4, 0}},       {{Kind::ShearY, 0.9, 5}, {Kind::Solarize, 0.2, 6}},
    {{Kind::Invert, 0.9, 0}, {Kind::AutoContrast, 0.8, 0}}, {{Kind::Equalize, 0.6, 0}, {Kind::Rotate, 0.9, 3}},
    {{Kind::ShearX, 0.9, 4}, {Kind::Solarize, 0.3, 3}},     {{Kind::ShearY, 0.8, 8}, {Kind::Invert, 0.7, 0}},
    {{Kind::Equalize, 0.9, 0}, {Kind::TranslateY, 0.6, 6}}, {{Kind::Invert, 0.9, 0}, {Kind::Equalize, 0.6, 0}},
    {{Kind::Contrast, 0.3, 3}, {Kind::Rotate, 0.8, 4}},     {{Kind::Invert, 0.8, 0}, {Kind::TranslateY, 0.0, 2}},
    {{Kind::ShearY, 0.7, 6}, {Kind::Solarize, 0.4, 8}},     {{Kind::Invert, 0.6, 0}, {Kind::Rotate, 0.8, 4}},
    {{Kind::ShearY, 0.3, 7}, {Kind::TranslateX, 0.9, 3}},   {{Kind::ShearX, 0.1, 6}, {Kind::Invert, 0.6, 0}},
    {{Kind::Solarize, 0.7, 2}, {Kind::TranslateY, 0.6, 7}}, {{Kind::ShearY, 0.8, 4}, {Kind::Invert, 0.8, 0}},
    {{Kind::ShearX, 0.7, 9}, {Kind::TranslateY, 0.8, 3}},   {{Kind::ShearY, 0.8, 5}, {Kind::AutoContrast, 0.7, 0}},
    {{Kind::ShearX, 0.7, 2}, {Kind::Invert, 0.1, 0}},
}};

}  // namespace

std::span<const Policy> policies(const std::string& name) {
  if (name == "cifar10") return kCifar10;
  if (name == "svhn") return kSvhn;
  return kImagenet;
}

}  // namespace trainyard::augment
