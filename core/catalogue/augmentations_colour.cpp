#include "core/catalogue/augmentations.h"

namespace trainyard::catalogue {

namespace {

ParamSpec jitter(const char* key, const char* title, const char* help) {
  return numberOrRange(real(key, title, help, nullptr, 0, 100), real("", "", "", nullptr, 0, 100));
}

ParamSpec hue() {
  return numberOrRange(
      real("hue", "Hue", "Colours turn by up to this share of the circle, 0 to 0.5; or from and to. Empty: unchanged; 0.1 is usual.", nullptr, 0, 0.5),
      real("", "", "", nullptr, -0.5, 0.5));
}

ParamSpec kernelSize() {
  const ParamSpec edge = pixels("", "", "", nullptr, 1);
  return needed(either("kernel_size", "Reach", "Edge of the blurring window, an odd number; or its width and height.", nullptr,
                       {pixels("", "Edge", "", nullptr, 1), list("", "Width and height", "", nullptr, edge, 2, 2)}));
}

std::optional<Conflict> checkBlur(const Json& table) {
  const Json size = table.value("kernel_size", Json());
  const Json edges = size.is_array() ? size : Json::array({size});
  for (const auto& edge : edges) {
    if (edge.get<int>() % 2 == 0)
      return Conflict{"kernel_size", edge.dump() + " is even", "give an odd number, for example " + std::to_string(edge.get<int>() + 1)};
  }
  return checkRanges(table);
}

}  // namespace

std::vector<Descriptor> colours() {
  ParamSpec sigma = numberOrRange(above(real("sigma", "Softness", "Standard deviation of the blur; or from and to.", Json::array({0.1, 2.0}), 0, 1000)),
                                  above(real("", "", "", nullptr, 0, 1000)));
  return {
      {"color_jitter",
       "Colour jitter",
       "Changes brightness, contrast, saturation and hue at random, in random order.",
       {jitter("brightness", "Brightness", "0.4 multiplies by 0.6 to 1.4; or from and to. Empty: unchanged."),
        jitter("contrast", "Contrast", "0.4 multiplies by 0.6 to 1.4; or from and to. Empty: unchanged."),
        jitter("saturation", "Saturation", "0.4 multiplies by 0.6 to 1.4; or from and to. Empty: unchanged."), hue()},
       0,
       checkRanges},
      {"random_grayscale", "Random grey", "Takes the colour away.", {probability(0.1)}},
      {"gaussian_blur", "Gaussian blur", "Blurs by a random amount.", {kernelSize(), sigma}, 0, checkBlur},
      {"random_adjust_sharpness",
       "Random sharpness",
       "Sharpens or softens.",
       {needed(real("sharpness_factor", "Sharpness", "0 softens, 1 changes nothing, 2 sharpens.", nullptr, 0, 100)), probability()}},
      {"random_autocontrast", "Random autocontrast", "Stretches each channel from black to white.", {probability()}},
      {"random_equalize", "Random equalise", "Spreads the levels of each channel evenly.", {probability()}},
      {"random_invert", "Random invert", "Turns the picture into its negative.", {probability()}},
      {"random_posterize",
       "Random posterise",
       "Leaves fewer levels per channel.",
       {needed(inUnit(integer("bits", "Bits", "Kept per channel: 8 changes nothing, 1 leaves two levels.", nullptr, 0, 8), "bits")), probability()}},
      {"random_solarize",
       "Random solarise",
       "Inverts the bright pixels.",
       {needed(real("threshold", "From level", "Levels from this one on are inverted; 128 is usual.", nullptr, 0, 255)), probability()}},
  };
}

}  // namespace trainyard::catalogue
