#pragma once
// Inside the catalogue: the parts of the augmentations' table, and specs that several of its entries share.
#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

std::vector<Descriptor> geometry();  // flips, rotation, affine, perspective, erasing
std::vector<Descriptor> colours();   // jitter, grey, blur, sharpness, tones
std::vector<Descriptor> composed();  // policies, and steps made of steps

inline const Option kNearest{"nearest", "Nearest", "The nearest pixel: quick, hard edges."};
inline const Option kBilinear{"bilinear", "Bilinear", "Smooth."};
inline const Option kBicubic{"bicubic", "Bicubic", "Smooth and a little sharper."};

inline ParamSpec interpolation(std::string fallback, std::vector<Option> choices) {
  return advanced(choice("interpolation", "Interpolation", "How pixels between pixels are made.", std::move(fallback), std::move(choices)));
}

inline ParamSpec pixels(const char* key, const char* title, const char* help, Json fallback, double minimum) {
  return inUnit(integer(key, title, help, std::move(fallback), minimum, 16384), "pixels");
}

inline ParamSpec sizeOf(const char* help) {
  return needed(either("size", "Size", help, nullptr,
                       {pixels("", "Edge", "", nullptr, 1), list("", "Height and width", "", nullptr, pixels("", "", "", nullptr, 1), 2, 2)}));
}

// [low, high], above 0.
inline ParamSpec range(const char* key, const char* title, const char* help, Json fallback, std::optional<double> maximum = {}) {
  return list(key, title, help, std::move(fallback), above(real("", "", "", nullptr, 0, maximum)), 2, 2);
}

// One number, or [low, high].
inline ParamSpec numberOrRange(ParamSpec number, ParamSpec element) {
  ParamSpec one = number;
  one.key.clear();
  one.help.clear();
  one.fallback = nullptr;
  one.title = "One number";
  return either(number.key, number.title, number.help, number.fallback, {one, list("", "From and to", "", nullptr, std::move(element), 2, 2)});
}

inline ParamSpec fill(const char* help, Json fallback) {
  const ParamSpec level = integer("", "Level", "", nullptr, 0, 255);
  return either("fill", "Fill", help, std::move(fallback), {level, list("", "Per channel", "", nullptr, level, 1, 3)});
}

inline ParamSpec probability(double fallback = 0.5) { return real("p", "Probability", "How often it happens.", fallback, 0, 1); }

inline ParamSpec perChannel(const char* key, const char* title, const char* help, bool positive) {
  const ParamSpec element = positive ? above(real("", "", "", nullptr, 0)) : real("", "", "", nullptr, -1e6);
  return needed(list(key, title, help, nullptr, element, 1, 3));
}

inline ParamSpec border() {
  const ParamSpec side = pixels("", "", "", nullptr, 0);
  return either("padding", "Padding", "Border added before cutting: on every side; left and right, top and bottom; or left, top, right, bottom.", 0,
                {pixels("", "Every side", "", nullptr, 0), list("", "Sides", "", nullptr, side, 2, 4)});
}

// Ranges of a table must go upwards.
std::optional<Conflict> checkRanges(const Json& table);

}  // namespace trainyard::catalogue
