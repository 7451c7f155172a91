#include "core/train/trainer_state.h"

namespace trainyard::train {

Json TrainerState::toJson() const {
  Json json{{"step", step}, {"cursor", {{"epoch", cursor.epoch}, {"sample", cursor.sample}}}, {"lr_factor", lr_factor}, {"seconds", seconds}, {"schedule", schedule.values}};
  json["pending"] = Json::array();
  for (const auto& [loss, weight] : pending) json["pending"].push_back({jsonNumber(loss), weight});
  json["skipped"] = skipped;
  json["not_finite"] = not_finite;
  json["waited"] = waited;
  if (reached) json["reached"] = jsonNumber(*reached);
  if (best) json["best"] = {{"metric", best->metric}, {"value", jsonNumber(best->value)}, {"step", best->step}};
  return json;
}

Result<TrainerState> TrainerState::fromJson(const Json& json, const std::string& where) {
  try {
    TrainerState state;
    state.step = json.at("step").get<uint64_t>();
    state.cursor = {json.at("cursor").at("epoch").get<uint64_t>(), json.at("cursor").at("sample").get<uint64_t>()};
    state.lr_factor = json.at("lr_factor").get<double>();
    state.seconds = json.at("seconds").get<double>();
    state.schedule.values = json.at("schedule");
    for (const auto& entry : json.at("pending")) state.pending.emplace_back(numberFrom(entry.at(0)), entry.at(1).get<double>());
    state.skipped = json.value("skipped", uint64_t{0});
    state.not_finite = json.value("not_finite", uint64_t{0});
    state.waited = json.value("waited", uint64_t{0});
    if (json.contains("reached")) state.reached = numberFrom(json.at("reached"));
    if (json.contains("best")) {
      const Json& best = json.at("best");
      state.best = Best{best.at("metric").get<std::string>(), numberFrom(best.at("value")), best.at("step").get<uint64_t>()};
    }
    return state;
  } catch (const Json::exception& error) {
    return fail(ErrorCode::Data, std::string("not a trainer state: ") + error.what(), where, "the checkpoint is damaged; an older one may be whole");
  }
}

}  // namespace trainyard::train
