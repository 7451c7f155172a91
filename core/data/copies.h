#pragma once
// Inside the data room: samples that are one picture.
#include "core/data/scan.h"
#include "core/data/split.h"

namespace trainyard::data {

// Findings leak, conflicting_labels and duplicate (equal bytes), near_leak and near_duplicate (look the same), one for each group. O(n log n).
std::vector<Finding> findCopies(const Dataset& dataset, const Split& parts, const std::vector<Look>& looks);

// Of pictures whose hashes are near: equal shapes, and equal pictures at 8×8 up to brightness and contrast.
bool alike(const Look& a, const Look& b);

}  // namespace trainyard::data
