#include <sys/utsname.h>

#include "core/hardware/readers.h"

namespace trainyard::hardware {

namespace {

template <class T>
void putKnown(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

Json gpuJson(const Gpu& gpu) {
  Json object = {{"index", gpu.index}, {"name", gpu.name}, {"uuid", gpu.uuid}, {"driver", gpu.driver}, {"cuda", gpu.cuda}};
  object["compute_capability"] = gpu.compute_capability;
  object["memory_total_bytes"] = gpu.memory_total_bytes;
  object["memory_used_bytes"] = gpu.memory_used_bytes;
  putKnown(object, "memory_bandwidth_gb_s", gpu.memory_bandwidth_gb_s);
  putKnown(object, "utilization", gpu.utilization);
  putKnown(object, "power_w", gpu.power_w);
  putKnown(object, "temperature_c", gpu.temperature_c);
  object["holders"] = Json::array();
  for (const auto& holder : gpu.holders) object["holders"].push_back({{"pid", holder.pid}, {"program", holder.program}, {"bytes", holder.bytes}});
  return object;
}

}  // namespace

Inventory inspect() {
  Inventory inventory;
  inventory.processor = readProcessor("/", usableThreads("/", affinityThreads()));
  inventory.memory = readMemory("/");
  inventory.disks = readDisks("/", spaceOf);
  inventory.gpus = readGpus(&inventory.gpu_note);
  utsname names{};
  inventory.system = readSystem("/", ::uname(&names) == 0 ? names.release : "");
  return inventory;
}

Json toJson(const Inventory& inventory) {
  const Processor& cpu = inventory.processor;
  Json processor = {{"name", cpu.name}, {"sockets", cpu.sockets}, {"cores", cpu.cores}, {"threads", cpu.threads}};
  if (cpu.max_ghz > 0) processor["max_ghz"] = cpu.max_ghz;
  if (cpu.l3_bytes > 0) processor["l3_bytes"] = cpu.l3_bytes;
  processor["instruction_sets"] = cpu.instruction_sets;

  Json memory = {{"total_bytes", inventory.memory.total_bytes}, {"available_bytes", inventory.memory.available_bytes}};
  putKnown(memory, "limit_bytes", inventory.memory.limit_bytes);

  Json object = {{"system", inventory.system}, {"processor", processor}, {"memory", memory}, {"disks", Json::array()}, {"gpus", Json::array()}};
  for (const Disk& disk : inventory.disks) {
    object["disks"].push_back(
        {{"mount", disk.mount}, {"device", disk.device}, {"kind", disk.kind}, {"total_bytes", disk.total_bytes}, {"free_bytes", disk.free_bytes}});
  }
  for (const Gpu& gpu : inventory.gpus) object["gpus"].push_back(gpuJson(gpu));
  if (!inventory.gpu_note.empty()) object["gpu_note"] = inventory.gpu_note;
  return object;
}

}  // namespace trainyard::hardware
