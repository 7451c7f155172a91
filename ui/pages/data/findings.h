#pragma once
// What the counts alone say about the soundness of the data.
#include <QString>
#include <vector>

#include "ui/pictures/dataset_scan.h"

namespace trainyard::ui {

struct Finding {
  QString what, why;
};

std::vector<Finding> findingsOf(const DatasetScan::Facts& facts);

}  // namespace trainyard::ui
