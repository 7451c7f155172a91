// Warm-up and the unit (epoch or step) belong to the section, not to an entry: they mean the same for every schedule. Keys and their
// defaults are those of the torch scheduler behind each, but for lengths, which are the training's where they are left out.
#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

constexpr double kLongest = 1e9;

// A number of units that is the whole training's when it is left out.
ParamSpec wholeTraining(std::string key, std::string title, std::string help) {
  return integer(std::move(key), std::move(title), std::move(help) + " Empty: all of the training after the warm-up.", nullptr, 1, kLongest);
}

ParamSpec gamma(double fallback) { return above(real("gamma", "Multiply it by", "The factor of each drop: 0.1 leaves a tenth.", fallback, 0, 10)); }

ParamSpec lowest(std::string key) { return advanced(real(std::move(key), "Lowest rate", "The learning rate does not fall below this.", 0.0, 0, 1e6)); }

Descriptor cosine() {
  return {"cosine",
          "Cosine",
          "Falls slowly, then fast, then slowly towards nothing; a sound choice for most networks.",
          {wholeTraining("T_max", "Reaches the end after", "Units until the lowest rate."), lowest("eta_min")}};
}

Descriptor cosineRestarts() {
  return {"cosine_restarts",
          "Cosine with restarts",
          "Falls as a cosine and jumps back up, several times; the network settles into a new solution each time.",
          {integer("T_0", "First cycle", "Units until the first restart.", 10, 1, kLongest),
           integer("T_mult", "Each cycle longer by", "A factor: 1 keeps all cycles alike, 2 doubles each.", 1, 1, 1000), lowest("eta_min")}};
}

Descriptor polynomial() {
  return {"polynomial",
          "Polynomial",
          "Falls to 0 along a power of the time that is left; usual for segmentation.",
          {wholeTraining("total_iters", "Reaches 0 after", "Units until the rate is 0."),
           above(real("power", "Power", "1 falls in a straight line; 2 falls faster at first.", 1.0, 0, 100))}};
}

Descriptor linear() {
  return {"linear",
          "Linear",
          "From one share of the learning rate to another in a straight line; usual for fine-tuning.",
          {above(real("start_factor", "Starts at", "A share of the learning rate.", 1.0, 0, 1)),
           real("end_factor", "Ends at", "A share of the learning rate.", 0.0, 0, 1),
           wholeTraining("total_iters", "Reaches the end after", "Units until the last share.")}};
}

Descriptor oneCycle() {
  return {"one_cycle",
          "One cycle",
          "Rises to a high rate, then falls to almost nothing, and moves the momentum the other way; quick, good results in few epochs.",
          {above(real("max_lr", "Highest rate", "The peak. Empty: the optimizer's learning rate.", nullptr, 0, 1e6)),
           advanced(inUnit(integer("total_steps", "Length", "Updates of the whole cycle, whatever the unit. Empty: all of the training after the warm-up.",
                                   nullptr, 1, 1e15),
                           "updates")),
           real("pct_start", "Share that rises", "Share of the updates until the peak.", 0.3, 0, 1),
           advanced(choice("anneal_strategy", "Curve", "How it goes from one value to the next.", "cos", {{"cos", "Cosine", ""}, {"linear", "Straight", ""}})),
           advanced(boolean("cycle_momentum", "Move the momentum", "Low where the rate is high. An optimizer without momentum keeps none.", true)),
           advanced(real("base_momentum", "Lowest momentum", "At the peak of the rate.", 0.85, 0, 0.999999)),
           advanced(real("max_momentum", "Highest momentum", "At the start and at the end.", 0.95, 0, 0.999999)),
           advanced(above(real("div_factor", "Start below the peak by", "The first rate is the peak divided by this.", 25.0, 0, 1e12))),
           advanced(above(real("final_div_factor", "End below the start by", "The last rate is the first divided by this.", 1e4, 0, 1e12))),
           advanced(boolean("three_phase", "Three phases", "Falls back to the first rate as slowly as it rose, and only then to the end.", false))}};
}

Descriptor reduceOnPlateau() {
  return {"reduce_on_plateau",
          "When progress stalls",
          "Lowers the learning rate when the evaluation has not become better for some epochs.",
          {choice("mode", "Watches", "Which value of the evaluation must improve.", "min",
                  {{"min", "Validation loss", "It should fall."}, {"max", "Accuracy", "It should rise."}}),
           above(real("factor", "Multiply it by", "The factor of each drop: 0.1 leaves a tenth.", 0.1, 0, 0.999999)),
           inUnit(integer("patience", "Patience", "Epochs without progress that are let pass.", 10, 0, kLongest), "epochs"),
           advanced(real("threshold", "Smallest progress", "Less than this does not count as better.", 1e-4, 0, 1e6)),
           advanced(choice("threshold_mode", "Progress is", "How the smallest progress is measured.", "rel",
                           {{"rel", "A share of the best value", ""}, {"abs", "A difference", ""}})),
           advanced(inUnit(integer("cooldown", "Rest after a drop", "Epochs after a drop that do not count.", 0, 0, kLongest), "epochs")), lowest("min_lr"),
           advanced(real("eps", "Smallest drop", "A drop by less than this is left out.", 1e-8, 0, 1))}};
}

}  // namespace

std::span<const Descriptor> schedules() {
  static const std::vector<Descriptor> kTable = {
      {"constant", "Constant", "The same learning rate from the end of the warm-up to the end of the training.", {}},
      {"step",
       "Steps down",
       "Multiplies the learning rate by a factor at regular intervals; the usual choice with SGD.",
       {integer("step_size", "Lower it every", "How many units lie between two drops of the learning rate.", 10, 1, kLongest), gamma(0.1)}},
      {"multistep",
       "Steps down at chosen times",
       "Multiplies the learning rate by a factor at each of the times you name.",
       {list("milestones", "Lower it at", "Units after which it drops; a time named twice drops twice.", {30, 60, 80},
             integer("", "Time", "", nullptr, 1, kLongest), 1),
        gamma(0.1)}},
      {"exponential", "Exponential", "Multiplies the learning rate by a factor after every unit.", {gamma(0.95)}},
      cosine(),
      cosineRestarts(),
      polynomial(),
      linear(),
      oneCycle(),
      {"inverse_sqrt",
       "Inverse square root",
       "Falls with the root of the time; usual for transformers, with a warm-up.",
       {integer("timescale", "Time scale", "Units until the rate has fallen to 0.7 of itself. Empty: as long as the warm-up, or 10,000 updates without one.",
                nullptr, 1, kLongest)}},
      reduceOnPlateau(),
  };
  return kTable;
}

}  // namespace trainyard::catalogue
