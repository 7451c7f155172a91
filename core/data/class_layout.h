#pragma once
// Class folders, wherever they lie: from the names of files to classes, labels and parts. A folder of pictures and an archive share it.
#include <string>
#include <vector>

#include "core/data/dataset.h"

namespace trainyard::data {

// What lies below a folder or in an archive; "/" between names, none in front or behind. Hidden names may be among them.
struct Listing {
  std::vector<std::string> files;    // of every kind: "roses/1.jpg", "readme.txt"
  std::vector<std::string> folders;  // those that may be empty; the others follow from the files
};

struct ClassLayout {
  struct Sample {
    size_t file = 0;  // index into Listing::files
    int label = 0;
    Part part = Part::Unassigned;
  };
  std::vector<std::string> classes;  // sorted by byte
  std::vector<Sample> samples;       // by part, class and path, whatever the order of the listing
};

// What the error about a class folder without pictures says; its `where` ends in the class.
inline constexpr char kEmptyClass[] = "the class folder holds no picture";

// <class>/…/picture.jpg, or the same below train/, val/ and test/; a test/ folder without any of the classes is passed over. Only files below `top` count
// ("flowers/"; empty: all). Hidden files and folders and whatever does not look like a picture are passed over. A class folder without pictures is an error,
// except one named in `excluded`, which becomes a class without samples. Error Data; `root` is what its `where` starts with. O(n log n).
Result<ClassLayout> layOutClasses(const Listing& listing, const std::string& top, const fs::path& root, const std::vector<std::string>& excluded);

// The folder that an archive wraps everything in ("flowers/"; several levels at most), or "": a single folder that is not train/ and holds
// folders but no pictures of its own.
std::string wrappingFolder(const Listing& listing);

}  // namespace trainyard::data
