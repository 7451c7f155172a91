#include "core/runs/event.h"

namespace trainyard::runs {

namespace {

bool isOwnKey(std::string_view key) { return key == "type" || key == "seq" || key == "time" || key == "step" || key == "epoch"; }

void replaceNonFinite(Json& value) {
  if (value.is_number_float()) {
    value = jsonNumber(value.get<double>());
  } else if (value.is_structured()) {
    for (auto& item : value) replaceNonFinite(item);
  }
}

tl::unexpected<Error> badLine(const std::string& what) { return fail(ErrorCode::Failed, "not an event: " + what); }

std::optional<int64_t> wholeNumber(const Json& value) {
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  if (value.is_number_integer()) return value.get<int64_t>();
  return std::nullopt;
}

}  // namespace

std::string toLine(const Event& event) {
  Json line = Json::object();
  line["type"] = event.type;
  line["seq"] = event.seq;
  line["time"] = jsonNumber(std::round(event.time * 1000) / 1000);
  if (event.step) line["step"] = *event.step;
  if (event.epoch) line["epoch"] = *event.epoch;
  if (event.fields.is_object()) {
    for (const auto& [key, value] : event.fields.items()) {
      if (isOwnKey(key)) continue;
      Json copy = value;
      replaceNonFinite(copy);
      line[key] = std::move(copy);
    }
  }
  return compactJson(line);
}

Result<Event> fromLine(std::string_view line) {
  Json parsed = Json::parse(line.begin(), line.end(), nullptr, false);
  if (!parsed.is_object()) return badLine("the line is not a JSON object");
  Event event;
  for (auto& [key, value] : parsed.get_ref<Json::object_t&>()) {
    if (!isOwnKey(key)) {
      event.fields[key] = std::move(value);
    } else if (key == "type") {
      if (!value.is_string()) return badLine("\"type\" is not a text");
      event.type = value.get<std::string>();
    } else if (key == "time") {
      if (!value.is_number()) return badLine("\"time\" is not a number");
      event.time = value.get<double>();
    } else {
      const std::optional<int64_t> number = wholeNumber(value);
      if (!number || (key == "seq" && *number < 0)) return badLine("\"" + key + "\" is not a whole number");
      if (key == "seq") event.seq = static_cast<uint64_t>(*number);
      if (key == "step") event.step = number;
      if (key == "epoch") event.epoch = number;
    }
  }
  if (event.type.empty()) return badLine("\"type\" is missing");
  return event;
}

}  // namespace trainyard::runs
