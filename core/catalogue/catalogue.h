#pragma once
// Everything that can be chosen, as tables of descriptors: data, no code and no LibTorch. To add an entry, write its implementation
// file in its room and add its descriptor here (formats.cpp, augmentations.cpp, architectures.cpp, optimizers.cpp, schedules.cpp).
// Makers in the rooms are keyed by the same ids; tests/ sweeps both sets.
#include <span>
#include <string_view>

#include "core/catalogue/param_spec.h"

namespace trainyard::catalogue {

std::span<const Descriptor> formats();        // [data] format
std::span<const Descriptor> augmentations();  // [[augment]] op
std::span<const Descriptor> architectures();  // [model] arch
std::span<const Descriptor> losses();         // [loss] type
std::span<const Descriptor> optimizers();     // [optimizer] type
std::span<const Descriptor> schedules();      // [schedule] type
std::span<const Descriptor> precisions();     // [precision] type
std::span<const Descriptor> strategies();     // [parallel] strategy

// nullptr when there is no such id.
const Descriptor* find(std::span<const Descriptor> table, std::string_view id);

// A top-level table of the recipe: its own keys and, where it chooses from a catalogue, the key that chooses.
struct Section {
  std::string key;       // "optimizer"
  std::string title;     // "Optimizer"
  std::vector<ParamSpec> params;                  // keys that are there whatever is chosen
  std::string selector;                           // "type"; empty where nothing is chosen
  std::string default_choice;                     // "" : the selector is required
  std::span<const Descriptor> choices;
  bool repeated = false;                          // [[augment]]
  CrossCheck check = nullptr;
};

// In the order in which a recipe is written: run, data, augment, eval_augment, model, train, loss, optimizer, parameters, schedule,
// precision, parallel, checkpoint.
std::span<const Section> sections();
const Section* findSection(std::string_view key);

}  // namespace trainyard::catalogue
