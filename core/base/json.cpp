#include "core/base/json.h"

namespace trainyard {

Json jsonNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double numberFrom(const Json& value, double fallback) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return fallback;
  const auto& text = value.get_ref<const std::string&>();
  if (text == "nan") return std::nan("");
  if (text == "inf") return HUGE_VAL;
  if (text == "-inf") return -HUGE_VAL;
  return fallback;
}

std::string compactJson(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string prettyJson(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace trainyard
