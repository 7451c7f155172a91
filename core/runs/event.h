#pragma once
// Events: what a run says about itself, one flat JSON object per line of events.jsonl. Values only: no display text, colours or translations.
//
//   run_started, resumed  steps_total epochs samples devices parameters; resumed carries the step it continues from
//   step                  loss lr grad_norm loss_scale skipped step_ms data_wait_ms compute_ms comm_ms samples_per_s
//   eval                  split loss metrics{} samples
//   device                device memory_used_bytes memory_reserved_bytes memory_total_bytes utilization power_w temperature_c (absent when unknown)
//   checkpoint            path bytes seconds stall_ms best
//   set                   key from to
//   notice                severity code text values{}
//   paused, released, continued
//   failed                code what where hint
//   finished, stopped     steps seconds best{metric,value,step}
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::runs {

struct Event {
  std::string type;
  uint64_t seq = 0;              // counts from 1 over the whole life of the run; set by the writer
  double time = 0;               // s since the epoch; set by the writer
  std::optional<int64_t> step;   // optimizer steps done
  std::optional<int64_t> epoch;  // from 0
  Json fields = Json::object();  // everything else

  double number(const char* key, double fallback = std::nan("")) const { return fields.contains(key) ? numberFrom(fields.at(key), fallback) : fallback; }
};

// One line without the newline. Non-finite numbers become "nan", "inf", "-inf".
std::string toLine(const Event& event);

// Error Failed for a line that is not such an object.
Result<Event> fromLine(std::string_view line);

}  // namespace trainyard::runs
