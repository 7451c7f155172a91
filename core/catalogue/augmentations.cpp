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

ParamSpec border() {
  const ParamSpec side = pixels("", "", "", nullptr, 0);
  return either("padding", "Padding", "Border added before cutting: on every side; left and right, top and bottom; or left, top, right, bottom.", 0,
                {pixels("", "Every side", "", nullptr, 0), list("", "Sides", "", nullptr, side, 2, 4)});
}

std::optional<Conflict> checkPadding(const Json& table) {
  const Json padding = table.value("padding", Json(0));
  if (padding.is_array() && padding.size() == 3)
    return Conflict{"padding", "has three numbers", "give one, two (left and right, top and bottom) or four (left, top, right, bottom)"};
  return std::nullopt;
}

std::optional<Conflict> checkRanges(const Json& table) {
  for (const char* key : {"scale", "ratio"}) {
    const Json range = table.value(key, Json());
    if (range.is_array() && range.size() == 2 && range[0] > range[1])
      return Conflict{key, "goes from " + range[0].dump() + " down to " + range[1].dump(), "give the smaller number first"};
  }
  return std::nullopt;
}

std::optional<Conflict> checkNormalize(const Json& table) {
  const size_t mean = table.value("mean", Json::array()).size(), std = table.value("std", Json::array()).size();
  if (mean == std || mean == 1 || std == 1) return std::nullopt;
  return Conflict{"std", "has " + std::to_string(std) + " numbers, but mean has " + std::to_string(mean), "give one number for all channels, or one each"};
}

}  // namespace

std::span<const Descriptor> augmentations() {
  static const std::vector<Descriptor> kTable = {
      {"resize", "Resize", "Brings the shorter side (or height and width) to a size, smoothly.", {sizeOf("Length of the shorter side, or height and width.")}},
      {"center_crop", "Centre crop", "Cuts the middle out.", {sizeOf("Edge of the square, or height and width.")}},
      {"random_crop",
       "Random crop",
       "Cuts out a window at a random place.",
       {sizeOf("Edge of the square, or height and width."), border(), advanced(integer("fill", "Fill", "Grey level of the border.", 0, 0, 255)),
        advanced(choice(
            "padding_mode", "Border", "What the border is made of.", "constant",
            {{"constant", "One grey level", ""}, {"edge", "Repeat the edge", ""}, {"reflect", "Mirror", ""}, {"symmetric", "Mirror with the edge", ""}}))},
       0,
       checkPadding},
      {"random_resized_crop",
       "Random resized crop",
       "Cuts out a random part and brings it to a size.",
       {sizeOf("Edge of the square, or height and width."),
        range("scale", "Share of the area", "Smallest and largest part of the picture's area.", {0.08, 1.0}),
        advanced(range("ratio", "Aspect ratio", "Narrowest and widest width ÷ height.", {0.75, 4.0 / 3.0}))},
       0,
       checkRanges},
      {"random_horizontal_flip", "Random horizontal flip", "Mirrors left and right.", {probability()}},
      {"random_vertical_flip", "Random vertical flip", "Mirrors top and bottom.", {probability()}},
      {"normalize",
       "Normalise",
       "Subtracts a mean and divides by a standard deviation, per channel; always done last.",
       {perChannel("mean", "Mean", "Per channel, of values from 0 to 1.", false),
        perChannel("std", "Standard deviation", "Per channel, of values from 0 to 1.", true)},
       0,
       checkNormalize},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
