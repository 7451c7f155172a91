#include "core/catalogue/augmentations.h"

namespace trainyard::catalogue {

namespace {

constexpr const char* kOutside = "Level of what lies outside the picture, 0 to 255: one, or one per channel.";

ParamSpec degrees() {
  return needed(numberOrRange(inUnit(real("degrees", "Angle", "Turned by up to this either way; or from and to, counter-clockwise.", nullptr, 0, 360), "°"),
                              real("", "", "", nullptr, -360, 360)));
}

ParamSpec center(const char* help) { return advanced(list("center", "Centre", help, nullptr, real("", "", "", nullptr, -16384, 16384), 2, 2)); }

ParamSpec shear() {
  const ParamSpec angle = real("", "", "", nullptr, -89, 89);
  return either("shear", "Shear", "Sideways by up to this many degrees either way; or from and to; or from and to, sideways and upwards. Empty: none.", nullptr,
                {inUnit(real("", "One number", "", nullptr, 0, 89), "°"), list("", "From and to", "", nullptr, angle, 2, 4)});
}

std::optional<Conflict> checkAffine(const Json& table) {
  if (table.value("shear", Json()).size() == 3)
    return Conflict{"shear", "has three numbers", "give one, two (from, to) or four (from, to sideways; from, to upwards)"};
  const Json shear = table.value("shear", Json());
  if (shear.is_array() && shear.size() == 4 && shear[2] > shear[3])
    return Conflict{"shear", "goes from " + shear[2].dump() + " down to " + shear[3].dump(), "give the smaller number first"};
  return checkRanges(table);
}

}  // namespace

std::optional<Conflict> checkRanges(const Json& table) {
  for (const char* key : {"scale", "ratio", "degrees", "shear", "sigma", "brightness", "contrast", "saturation", "hue"}) {
    const Json range = table.value(key, Json());
    if (range.is_array() && range.size() >= 2 && range[0] > range[1])
      return Conflict{key, "goes from " + range[0].dump() + " down to " + range[1].dump(), "give the smaller number first"};
  }
  return std::nullopt;
}

std::vector<Descriptor> geometry() {
  const ParamSpec fast = interpolation("nearest", {kNearest, kBilinear});
  return {
      {"random_horizontal_flip", "Random horizontal flip", "Mirrors left and right.", {probability()}},
      {"random_vertical_flip", "Random vertical flip", "Mirrors top and bottom.", {probability()}},
      {"random_rotation",
       "Random rotation",
       "Turns the picture by a random angle.",
       {degrees(), fast,
        advanced(boolean("expand", "Keep the corners", "Enlarges the picture so that nothing is cut off; a later step must bring it to a size.", false)),
        center("Point it turns about, x and y in pixels from the top left. Empty: the middle."), advanced(fill(kOutside, 0))},
       0,
       checkRanges},
      {"random_affine",
       "Random affine",
       "Turns, shifts, scales and shears the picture at random.",
       {degrees(),
        list("translate", "Shift", "Largest shift sideways and upwards, as a share of width and height. Empty: none.", nullptr, real("", "", "", nullptr, 0, 1),
             2, 2),
        range("scale", "Scale", "Smallest and largest scale. Empty: none.", nullptr, 100), shear(), fast, advanced(fill(kOutside, 0)),
        center("Point it turns about, x and y in pixels from the top left. Empty: the middle.")},
       0,
       checkAffine},
      {"random_perspective",
       "Random perspective",
       "Tilts the picture, as if seen from aside.",
       {real("distortion_scale", "Strength", "0: none; 1: corners may move to the middle.", 0.5, 0, 1), probability(),
        interpolation("bilinear", {kNearest, kBilinear}), advanced(fill(kOutside, 0))}},
      {"random_erasing",
       "Random erasing",
       "Covers a random rectangle.",
       {probability(),
        list("scale", "Share of the area", "Smallest and largest part of the picture's area.", {0.02, 0.33}, real("", "", "", nullptr, 0, 1), 2, 2),
        advanced(range("ratio", "Aspect ratio", "Flattest and tallest height ÷ width.", {0.3, 3.3})),
        advanced(either("value", "Covered with", "A level from 0 to 255, one per channel, or noise.", 0,
                        {real("", "Level", "", nullptr, 0, 255), list("", "Per channel", "", nullptr, real("", "", "", nullptr, 0, 255), 1, 3),
                         choice("", "Noise", "", "random", {{"random", "Noise", "Every pixel its own random colour."}})}))},
       0,
       checkRanges},
  };
}

}  // namespace trainyard::catalogue
