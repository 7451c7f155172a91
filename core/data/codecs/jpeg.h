#pragma once
#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

ImageFacts inspectJpeg(std::string_view jpeg);

}  // namespace trainyard::codecs
