#pragma once
// Inside the data room: is a picture's file whole? By its beginning and its end, without decoding.
#include <cstdint>
#include <functional>
#include <string>

namespace trainyard::data {

struct Ends {
  uint64_t size = 0;
  std::function<std::string(uint64_t offset, uint64_t count)> read;  // fewer bytes at the end of the file, or when it cannot be read
};

// True: the file has the beginning and the end of a picture of at most max_pixels (of HEIC the size in pixels is not looked at). False: only
// decoding can tell. Trailing bytes after a JPEG's end are fine. JPEG, PNG, WebP, GIF and HEIC; others are always false.
bool looksWhole(const Ends& file, uint64_t max_pixels);

}  // namespace trainyard::data
