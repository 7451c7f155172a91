#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

std::optional<Conflict> checkShardStage(const Json& table) {
  if (table.at("stage") != Json(2)) return {};
  return Conflict{"stage", "there is no stage 2: it must be 1 (the optimizer's state is divided) or 3 (parameters and gradients too)", "take 1 where the network fits, 3 where it does not"};
}

}  // namespace

std::span<const Descriptor> strategies() {
  static const ParamSpec kBlock = param(ParamKind::Text, "", "Block", "A block of the network by name: \"layer3.0\".");
  static const std::vector<Descriptor> kTable = {
      {"single", "One device", "The whole network on one device.", {}},
      {"data", "Data parallel", "Every device has the whole network and takes its share of each batch: the first thing to try, as long as the network fits.",
       {boolean("sync_batch_norm", "Batch norm over all devices", "Mean and variance of batch norm over the whole batch instead of each device's share; slower, better where a device has few samples.", false),
        advanced(choice("compress", "Gradients travel as", "What the devices exchange.", "none",
                        {{"none", "As they are", ""}, {"bf16", "bf16", "Half as much to send; the sums are less exact."}}))}},
      {"pipeline", "Pipeline", "The network is cut into stages, one on each device, and parts of a batch pass through them one after another: for networks that do not fit on one device.",
       {either("stages", "Stages", "Devices that share one network; what is left over makes more such groups, which divide the batch. \"auto\": all devices.", "auto", {automatic(), integer("", "Stages", "", nullptr, 2, 1024)}),
        advanced(list("cuts", "Cuts", "The blocks with which the second and later stages begin; empty: stages of equal cost.", Json::array(), kBlock, 0, 1024)),
        either("micro_batches", "Parts of a batch", "More of them keep the devices busier; fewer of them make each quicker. \"auto\": four for each stage.", "auto", {automatic(), integer("", "Parts", "", nullptr, 1, 65536)}),
        advanced(choice("schedule", "Order", "In what order a stage goes forward and backward.", "1f1b",
                        {{"1f1b", "One forward, one backward", "Holds the activations of no more parts than there are stages."}, {"gpipe", "All forward, then all backward", "Holds the activations of all parts."}}))}},
      {"sharded", "Sharded", "Every device takes its share of each batch and keeps a share of the optimizer's state, or of everything: for networks whose state does not fit on one device.",
       {integer("stage", "Divide", "1: the optimizer's state; 3: parameters and gradients too, gathered block by block.", 1, 1, 3)}, 0, checkShardStage},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
