#include "core/catalogue/augmentations.h"

namespace trainyard::catalogue {

namespace {

std::optional<Conflict> checkMagnitude(const Json& table) {
  const Json magnitude = table.value("magnitude", Json(9)), bins = table.value("num_magnitude_bins", Json(31));
  if (magnitude < bins) return std::nullopt;
  return Conflict{"magnitude", magnitude.dump() + " is not below num_magnitude_bins, " + bins.dump(),
                  "the strongest is " + std::to_string(bins.get<int>() - 1)};
}

// Steps that only make sense once, at the end of a chain, or on whole batches.
std::optional<Conflict> checkTransforms(const Json& table) {
  const Json transforms = table.value("transforms", Json::array());
  for (size_t i = 0; i < transforms.size(); ++i) {
    const std::string op = transforms[i].value("op", std::string());
    if (op != "normalize" && op != "mixup" && op != "cutmix") continue;
    return Conflict{"transforms[" + std::to_string(i) + "].op", op + " cannot stand inside another step", "give it a table of its own: [[augment]]"};
  }
  return std::nullopt;
}

std::optional<Conflict> checkChoice(const Json& table) {
  const Json p = table.value("p", Json());
  if (p.is_array()) {
    const size_t transforms = table.value("transforms", Json::array()).size();
    if (p.size() != transforms)
      return Conflict{"p", "has " + std::to_string(p.size()) + " numbers, but there are " + std::to_string(transforms) + " steps",
                      "give one weight for each step"};
    double sum = 0;
    for (const auto& weight : p) sum += weight.get<double>();
    if (sum <= 0) return Conflict{"p", "holds nothing above 0", "give a weight above 0 to at least one step"};
  }
  return checkTransforms(table);
}

ParamSpec bins() {
  return advanced(integer("num_magnitude_bins", "Grades of strength", "Into how many grades each operation's strength is cut.", 31, 2, 10000));
}

}  // namespace

std::vector<Descriptor> composed() {
  const ParamSpec fast = interpolation("nearest", {kNearest, kBilinear});
  const ParamSpec outside = advanced(fill("Level of what lies outside a turned or shifted picture, 0 to 255: one, or one per channel. Empty: black.", nullptr));
  const ParamSpec steps = tables("transforms", "Steps", "The steps, in order.", "augment", 1);
  return {
      {"auto_augment",
       "AutoAugment",
       "Two operations drawn from a policy that was learned on a well-known data set.",
       {choice("policy", "Policy", "The data set it was learned on; take the one most like yours.", "imagenet",
               {{"imagenet", "ImageNet", "Photographs."}, {"cifar10", "CIFAR-10", "Small photographs."}, {"svhn", "SVHN", "Digits on house fronts."}}),
        fast, outside}},
      {"rand_augment",
       "RandAugment",
       "A few random operations of one strength.",
       {integer("num_ops", "Operations", "How many are applied one after the other.", 2, 0, 100),
        integer("magnitude", "Strength", "From 0 to one below the number of grades.", 9, 0, 10000), bins(), fast, outside},
       0,
       checkMagnitude},
      {"trivial_augment_wide", "TrivialAugment", "One random operation of random strength: strong, and nothing to tune.", {bins(), fast, outside}},
      {"random_apply", "Apply sometimes", "Applies its steps together, or none of them.", {steps, probability()}, 0, checkTransforms},
      {"random_choice",
       "Apply one of",
       "Applies one of its steps, drawn at random.",
       {steps,
        advanced(list("p", "Weights", "How often each step is drawn, relative to the others. Empty: all alike.", nullptr, real("", "", "", nullptr, 0), 1))},
       0,
       checkChoice},
  };
}

}  // namespace trainyard::catalogue
