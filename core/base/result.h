#pragma once
// Errors are values at the borders of every room: a Result<T> holds either the value or an Error that says what happened with its
// numbers, where (the key or file it concerns) and what to do about it.
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "core/base/json.h"

namespace trainyard {

// The kinds of failure that a script can tell apart; each has one exit code (exitCode below).
enum class ErrorCode { Failed, Usage, Recipe, Data, OutOfMemory, Device, Interrupted };

struct Error {
  ErrorCode code = ErrorCode::Failed;
  std::string what;   // what happened, with its numbers
  std::string where;  // the recipe key, file, tensor or device it concerns; may be empty
  std::string hint;   // what to do; may be empty
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string what, std::string where = {}, std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(what), std::move(where), std::move(hint)});
}

// "failed", "usage", "recipe", "data", "memory", "device", "interrupted": as in `--json` and in `failed` events.
std::string_view codeName(ErrorCode code);

// 1 failed; 2 usage or recipe; 3 data; 4 out of memory; 5 device or collective; 130 interrupted.
int exitCode(ErrorCode code);

// {code, what, where, hint}
Json toJson(const Error& error);

// "where: what (hint)" on one line.
std::string toText(const Error& error);

}  // namespace trainyard

// TRAINYARD_TRY(auto x, f()): x is the value of f(), or the function returns f()'s error.
#define TRAINYARD_CONCAT_(a, b) a##b
#define TRAINYARD_CONCAT(a, b) TRAINYARD_CONCAT_(a, b)
#define TRAINYARD_TRY(declaration, expression) TRAINYARD_TRY_(TRAINYARD_CONCAT(result_, __LINE__), declaration, expression)
#define TRAINYARD_TRY_(name, declaration, expression)          \
  auto name = (expression);                                    \
  if (!name) return tl::unexpected(std::move(name).error());   \
  declaration = std::move(name).value()
// TRAINYARD_CHECK(f()): for Result<void>.
#define TRAINYARD_CHECK(expression)                                                      \
  do {                                                                                   \
    auto checked_ = (expression);                                                        \
    if (!checked_) return tl::unexpected(std::move(checked_).error());                   \
  } while (false)
