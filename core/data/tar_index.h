#pragma once
// Inside the data room: what lies in a tar file and where. Reads ustar, GNU long names, pax paths and sizes, numbers beyond 8 GB.
#include <optional>
#include <vector>

#include "core/data/bytes.h"

namespace trainyard::data {

struct TarEntry {
  std::string name;               // "roses/1.jpg": no "./" in front, no "//"
  uint64_t offset = 0, size = 0;  // of the content
};

struct TarIndex {
  std::vector<TarEntry> files;  // in the order of the archive; links to files of the archive are files too
  std::vector<std::string> folders;
  uint64_t links_ignored = 0;  // they point to nothing in the archive, or to a folder
};

// One pass over the headers: O(entries), whatever their size. Every size is checked against the file's before anything is allocated. Error
// Data, with file, offset and entry: cut short, a header that is damaged or no header at all, a path that leaves the archive (absolute, or
// with ".."), a name that occurs twice, a file stored sparse or over several volumes.
// `limit`: entries after which to stop, for a first look.
Result<TarIndex> indexTar(const Bytes& bytes, uint64_t limit = UINT64_MAX);

// A path of an archive without "./" and "//" ("" is the archive's own top); nothing when it is absolute or has a "..". Shared with zip.
std::optional<std::string> cleanEntryName(std::string_view name);

}  // namespace trainyard::data
