#include "core/catalogue/augmentations.h"

#include <cmath>

namespace trainyard::catalogue {

namespace {

std::optional<Conflict> checkPadding(const Json& table) {
  const Json padding = table.value("padding", Json(0));
  if (padding.is_array() && padding.size() == 3)
    return Conflict{"padding", "has three numbers", "give one, two (left and right, top and bottom) or four (left, top, right, bottom)"};
  return std::nullopt;
}

std::optional<Conflict> checkResize(const Json& table) {
  const Json longest = table.value("max_size", Json()), size = table.value("size", Json());
  if (longest.is_null()) return std::nullopt;
  if (size.is_array()) return Conflict{"max_size", "limits the longer side, but size gives both sides", "leave max_size out, or give one number as size"};
  if (longest > size) return std::nullopt;
  return Conflict{"max_size", longest.dump() + " is not larger than size, " + size.dump(), "give a longer side above the shorter one"};
}

std::optional<Conflict> checkNormalize(const Json& table) {
  const size_t mean = table.value("mean", Json::array()).size(), std = table.value("std", Json::array()).size();
  if (mean == std || mean == 1 || std == 1) return std::nullopt;
  return Conflict{"std", "has " + std::to_string(std) + " numbers, but mean has " + std::to_string(mean), "give one number for all channels, or one each"};
}

std::vector<Descriptor> sizes() {
  const auto filters = interpolation("bilinear", {kNearest, kBilinear, kBicubic});
  return {
      {"resize",
       "Resize",
       "Brings the shorter side (or height and width) to a size, smoothly.",
       {sizeOf("Length of the shorter side, or height and width."), filters,
        advanced(pixels("max_size", "Longest side", "The longer side gets no longer than this; the shorter one gives way. Empty: no limit.", nullptr, 1))},
       0,
       checkResize},
      {"center_crop", "Centre crop", "Cuts the middle out.", {sizeOf("Edge of the square, or height and width.")}},
      {"random_crop",
       "Random crop",
       "Cuts out a window at a random place.",
       {sizeOf("Edge of the square, or height and width."), border(),
        advanced(
            boolean("pad_if_needed", "Enlarge small pictures", "Adds a border to a picture that is smaller than the window, instead of refusing it.", false)),
        advanced(fill("Level of the border, 0 to 255: one, or one per channel.", 0)),
        advanced(choice(
            "padding_mode", "Border", "What the border is made of.", "constant",
            {{"constant", "One grey level", ""}, {"edge", "Repeat the edge", ""}, {"reflect", "Mirror", ""}, {"symmetric", "Mirror with the edge", ""}}))},
       0,
       checkPadding},
      {"random_resized_crop",
       "Random resized crop",
       "Cuts out a random part and brings it to a size.",
       {sizeOf("Edge of the square, or height and width."),
        range("scale", "Share of the area", "Smallest and largest part of the picture's area.", {0.08, 1.0}, 1),
        advanced(range("ratio", "Aspect ratio", "Narrowest and widest width ÷ height.", {0.75, 4.0 / 3.0})), filters},
       0,
       checkRanges},
  };
}

std::vector<Descriptor> last() {
  return {
      {"mixup",
       "Mixup",
       "Blends each picture of an update, and its label, with the one before it.",
       {above(real("alpha", "Strength", "Of the Beta distribution that draws the share: 0.2 is mild, 1 draws every share alike.", 1.0, 0, 1000))}},
      {"cutmix",
       "CutMix",
       "Puts a box from the picture before it into each picture of an update; the label follows the area.",
       {above(real("alpha", "Strength", "Of the Beta distribution that draws the area: 1 draws every share alike.", 1.0, 0, 1000))}},
      {"normalize",
       "Normalise",
       "Subtracts a mean and divides by a standard deviation, per channel; always done last.",
       {perChannel("mean", "Mean", "Per channel, of values from 0 to 1.", false),
        perChannel("std", "Standard deviation", "Per channel, of values from 0 to 1.", true)},
       0,
       checkNormalize},
  };
}

}  // namespace

std::span<const Descriptor> augmentations() {
  static const std::vector<Descriptor> kTable = [] {
    std::vector<Descriptor> table;
    for (auto part : {sizes(), geometry(), colours(), composed(), last()}) table.insert(table.end(), part.begin(), part.end());
    return table;
  }();
  return kTable;
}

}  // namespace trainyard::catalogue
