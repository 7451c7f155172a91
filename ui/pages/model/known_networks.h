#pragma once
// What is known of an architecture before anything is built: its family, size, and how well its published weights do.
#include <string>
#include <vector>

namespace trainyard::ui {

enum class Family { Small, Residual, Light, Classic, Modern, Transformer, Text, Own };

struct KnownNetwork {
  Family family = Family::Modern;
  double parameters = 0;  // with 1,000 classes; 0: depends on the recipe
  double accuracy = 0;    // of the published weights on ImageNet, first answer, 0…1; 0: none are published
  std::string weights;    // their name for [model] weights; empty: none
};

KnownNetwork knownNetwork(const std::string& architecture);

// In the order in which the page shows them.
const std::vector<Family>& families();

}  // namespace trainyard::ui
