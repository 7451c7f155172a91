#include "core/hardware/hardware.h"

#include <cstdio>

#include "app/cli/cli.h"
#include "core/base/units.h"

namespace trainyard::cli {

namespace {

const char* mark(hardware::Level level) { return level == hardware::Level::Good ? "+" : level == hardware::Level::Fair ? "~" : "-"; }

void printInventory(const hardware::Inventory& have) {
  std::string sets;
  for (const auto& set : have.processor.instruction_sets) sets += (sets.empty() ? "" : " ") + set;
  std::printf("%s\n", have.system.c_str());
  std::printf("Processor  %s, %d cores, %d threads; %s\n", have.processor.name.c_str(), have.processor.cores, have.processor.threads, sets.c_str());
  std::printf("Memory     %s, %s free\n", formatBytes(have.memory.total_bytes).c_str(), formatBytes(have.memory.available_bytes).c_str());
  for (const auto& disk : have.disks) {
    std::printf("Disk       %s (%s), %s, %s free\n", disk.mount.c_str(), disk.kind.c_str(), formatBytes(disk.total_bytes).c_str(), formatBytes(disk.free_bytes).c_str());
  }
  for (const auto& gpu : have.gpus) {
    std::printf("GPU %d      %s, %s of %s used, driver %s, CUDA %s\n", gpu.index, gpu.name.c_str(), formatBytes(gpu.memory_used_bytes).c_str(), formatBytes(gpu.memory_total_bytes).c_str(),
                gpu.driver.c_str(), gpu.cuda.c_str());
  }
  if (have.gpus.empty()) std::printf("GPU        none: %s\n", have.gpu_note.c_str());
}

}  // namespace

void addHardware(CLI::App& app, Context& context) {
  CLI::App* verb = addVerb(app, context, "hardware", "What this computer has, and what that means for training");
  verb->callback(reporting(context, [&context]() -> Result<void> {
    const auto have = hardware::inspect();
    const auto advice = hardware::advise(have);
    if (context.json) {
      Json json = hardware::toJson(have);
      json["advice"] = Json::array();
      for (const auto& item : advice) json["advice"].push_back({{"part", item.part}, {"level", item.level == hardware::Level::Good ? "good" : item.level == hardware::Level::Fair ? "fair" : "poor"}, {"code", item.code}, {"text", item.text}});
      printJson(json);
      return {};
    }
    printInventory(have);
    for (const auto& item : advice) std::printf("%s %s\n", mark(item.level), item.text.c_str());
    return {};
  }));
}

}  // namespace trainyard::cli
