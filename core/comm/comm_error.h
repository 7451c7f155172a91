#pragma once
// An Error on its way through c10d, which knows exceptions only.
#include <exception>

#include "core/base/result.h"

namespace trainyard::comm {

class CommError : public std::exception {
 public:
  explicit CommError(Error error) : error_(std::move(error)), text_(toText(error_)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  const Error& error() const { return error_; }

 private:
  Error error_;
  std::string text_;
};

}  // namespace trainyard::comm
