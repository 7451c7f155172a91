#include "core/base/result.h"

namespace trainyard {

std::string_view codeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::Failed: return "failed";
    case ErrorCode::Usage: return "usage";
    case ErrorCode::Recipe: return "recipe";
    case ErrorCode::Data: return "data";
    case ErrorCode::OutOfMemory: return "memory";
    case ErrorCode::Device: return "device";
    case ErrorCode::Interrupted: return "interrupted";
  }
  return "failed";
}

int exitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::Failed: return 1;
    case ErrorCode::Usage:
    case ErrorCode::Recipe: return 2;
    case ErrorCode::Data: return 3;
    case ErrorCode::OutOfMemory: return 4;
    case ErrorCode::Device: return 5;
    case ErrorCode::Interrupted: return 130;
  }
  return 1;
}

Json toJson(const Error& error) {
  return {{"code", codeName(error.code)}, {"what", error.what}, {"where", error.where}, {"hint", error.hint}};
}

std::string toText(const Error& error) {
  std::string text = error.where.empty() ? error.what : error.where + ": " + error.what;
  if (!error.hint.empty()) text += " (" + error.hint + ")";
  return text;
}

}  // namespace trainyard
