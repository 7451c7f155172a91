#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

std::span<const Descriptor> losses() {
  static const std::vector<Descriptor> kTable = {
      {"auto", "Automatic", "Cross-entropy for classes and text, binary cross-entropy for labels, the mean squared error for numbers.", {}},
      {"cross_entropy", "Cross-entropy", "For one class a sample.",
       {either("weight", "Weight of classes", "\"balanced\" weighs rare classes more, as samples / (classes × samples of the class); or a number for each class.", "none",
               {choice("", "Weighting", "", "none", {{"none", "All alike", ""}, {"balanced", "Balanced", ""}}),
                list("", "Weights", "", nullptr, real("", "Weight", "", nullptr, 0, 1e6), 2, 1000000)})}},
      {"bce_with_logits", "Binary cross-entropy", "For any number of labels a sample: each is a yes or no of its own.", {}},
      {"mse", "Mean squared error", "For numbers; large errors count most.", {}},
      {"l1", "Mean absolute error", "For numbers with outliers.", {}},
      {"huber", "Huber", "Squared for small errors, absolute for large ones.", {above(real("delta", "Border", "Errors beyond it count as absolute ones.", 1.0, 0, 1e9))}},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
