#include "tests/fail_calls/fail_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace trainyard::failcalls {

namespace {

// Plain memory: calls come before the first constructor has run, and from several threads.
char folder[PATH_MAX];
std::atomic<long> first{0}, last{0}, seen{0};
std::atomic<int> failure{0};
std::atomic<bool> armed{false};

void set(const char* below, long from, long to, int error) {
  armed = false;
  std::snprintf(folder, sizeof folder, "%s", below);
  first = from;
  last = to;
  failure = error;
  seen = 0;
  armed = true;
}

__attribute__((constructor)) void readEnvironment() {
  const char* text = std::getenv("FAIL_CALLS");
  if (text == nullptr) return;
  long from = 0, to = 0;
  int error = 0, begin = 0;
  if (std::sscanf(text, "%ld %ld %d %n", &from, &to, &error, &begin) >= 3) set(text + begin, from, to, error);
}

bool below(const char* path) { return std::strncmp(path, folder, std::strlen(folder)) == 0; }

bool below(int descriptor, const char* name = "") {
  if (name[0] == '/') return below(name);
  char link[64], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = ::readlink(link, path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = '\0';
  return below(path);
}

bool counts() {
  const long number = ++seen;
  return number >= first && number <= last;
}

// Whether this call fails; errno is set then.
template <class... Where>
bool fails(Where... where) {
  if (!armed || failure == 0 || !below(where...) || !counts()) return false;
  errno = failure;
  return true;
}

// How much of a write is let through.
size_t portion(int descriptor, size_t bytes) {
  if (!armed || failure != 0 || !below(descriptor) || !counts() || bytes < 2) return bytes;
  return bytes >= 8192 ? bytes / 2 / 4096 * 4096 : bytes / 2;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

void arm(const Plan& plan) { set(plan.folder.c_str(), plan.from, plan.to, plan.error); }

long disarm() {
  armed = false;
  return seen;
}

}  // namespace trainyard::failcalls

using namespace trainyard::failcalls;

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t count) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  return fails(descriptor) ? -1 : real(descriptor, bytes, portion(descriptor, count));
}

int fsync(int descriptor) {
  static const auto real = next<int (*)(int)>("fsync");
  if (fails(descriptor)) return -1;
  return armed ? 0 : real(descriptor);
}

int open(const char* path, int flags, ...) {
  static const auto real = next<int (*)(const char*, int, ...)>("open");
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return fails(path) ? -1 : real(path, flags, mode);
}

// A library that binds to its own dependencies first would not see what stands here.
void* dlopen(const char* file, int mode) noexcept {
  static const auto real = next<void* (*)(const char*, int)>("dlopen");
  return real(file, mode & ~RTLD_DEEPBIND);
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  return fails(from) ? -1 : real(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  static const auto real = next<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  return fails(from) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
  return fails(path) ? -1 : real(path, mode);
}

int unlink(const char* path) noexcept {
  static const auto real = next<int (*)(const char*)>("unlink");
  return fails(path) ? -1 : real(path);
}

int unlinkat(int descriptor, const char* name, int flags) noexcept {
  static const auto real = next<int (*)(int, const char*, int)>("unlinkat");
  return fails(descriptor, name) ? -1 : real(descriptor, name, flags);
}
}
