#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

ParamSpec pixels(const char* key, const char* title, const char* help, Json fallback, double minimum) {
  return inUnit(integer(key, title, help, std::move(fallback), minimum, 16384), "pixels");
}

ParamSpec sizeOf(const char* help) {
  return needed(either("size", "Size", help, nullptr,
                       {pixels("", "Edge", "", nullptr, 1), list("", "Height and width", "", nullptr, pixels("", "", "", nullptr, 1), 2, 2)}));
}

ParamSpec range(const char* key, const char* title, const char* help, Json fallback) {
  return list(key, title, help, std::move(fallback), above(real("", "", "", nullptr, 0)), 2, 2);
}

ParamSpec probability() { return real("p", "Probability", "How often it happens.", 0.5, 0, 1); }

ParamSpec perChannel(const char* key, const char* title, const char* help, bool positive) {
  const ParamSpec element = positive ? above(real("", "", "", nullptr, 0)) : real("", "", "", nullptr, -1e6);
  return needed(list(key, title, help, nullptr, element, 1, 3));
}

}  // namespace

std::span<const Descriptor> augmentations() {
  static const std::vector<Descriptor> kTable = {
      {"resize", "Resize", "Brings the shorter side (or height and width) to a size, smoothly.", {sizeOf("Length of the shorter side, or height and width.")}},
      {"center_crop", "Centre crop", "Cuts the middle out.", {sizeOf("Edge of the square, or height and width.")}},
      {"random_crop", "Random crop", "Cuts out a window at a random place.",
       {sizeOf("Edge of the square, or height and width."), pixels("padding", "Padding", "Border added on every side before cutting.", 0, 0),
        advanced(integer("fill", "Fill", "Grey level of the border.", 0, 0, 255))}},
      {"random_resized_crop", "Random resized crop", "Cuts out a random part and brings it to a size.",
       {sizeOf("Edge of the square, or height and width."), range("scale", "Share of the area", "Smallest and largest part of the picture's area.", {0.08, 1.0}),
        advanced(range("ratio", "Aspect ratio", "Narrowest and widest width ÷ height.", {0.75, 4.0 / 3.0}))}},
      {"random_horizontal_flip", "Random horizontal flip", "Mirrors left and right.", {probability()}},
      {"random_vertical_flip", "Random vertical flip", "Mirrors top and bottom.", {probability()}},
      {"normalize", "Normalise", "Subtracts a mean and divides by a standard deviation, per channel; always done last.",
       {perChannel("mean", "Mean", "Per channel, of values from 0 to 1.", false), perChannel("std", "Standard deviation", "Per channel, of values from 0 to 1.", true)}},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
