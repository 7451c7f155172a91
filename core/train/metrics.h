#pragma once
#include <string_view>
namespace trainyard::train {
inline bool higherIsBetter(std::string_view name) { return name != "loss" && name != "mae" && name != "rmse"; }
}  // namespace trainyard::train
