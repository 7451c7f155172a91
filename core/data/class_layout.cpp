#include "core/data/class_layout.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/units.h"
#include "core/data/formats.h"
#include "core/data/image_decode.h"

namespace trainyard::data {

namespace {

constexpr char kLayout[] = "put the pictures of each class into a folder of its own: roses/1.jpg, tulips/1.jpg; or the same below train/ and val/";

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return text;
}

bool isValidationName(const std::string& name) { return name == "val" || name == "valid" || name == "validation"; }

bool anyHidden(std::string_view path) {
  while (true) {
    const size_t slash = path.find('/');
    if (isHiddenName(path.substr(0, slash))) return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

// Folder by folder, as a walk would meet them: "a/x" before "a-b/x".
bool before(const std::string& a, const std::string& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c) + 1; };
    return rank(x) < rank(y);
  });
}

std::string placeOf(const fs::path& root, const std::string& below) {
  const fs::path path = below.empty() ? root : root / below;
  return displayPath(path.has_filename() ? path : path.parent_path());
}

// One folder: the folders in it with the pictures anywhere below each.
struct Level {
  std::map<std::string, std::vector<size_t>> folders;
  bool loose = false;  // pictures right here
};

class Tree {
 public:
  explicit Tree(const Listing& listing) : listing_(listing) {
    for (size_t i = 0; i < listing.files.size(); ++i) {
      if (!anyHidden(listing.files[i])) files_.push_back(i);
    }
    std::sort(files_.begin(), files_.end(), [&](size_t a, size_t b) { return before(listing.files[a], listing.files[b]); });
    for (const size_t file : files_) pictures_.push_back(looksLikeImage(listing.files[file]));
  }

  Level level(const std::string& top) const {
    Level level;
    for (size_t i = 0; i < files_.size(); ++i) {
      const std::string& file = listing_.files[files_[i]];
      if (!file.starts_with(top)) continue;
      const size_t slash = file.find('/', top.size());
      if (slash == std::string::npos) {
        level.loose |= pictures_[i];
        continue;
      }
      auto& pictures = level.folders[file.substr(top.size(), slash - top.size())];
      if (pictures_[i]) pictures.push_back(files_[i]);
    }
    for (const std::string& folder : listing_.folders) {
      if (folder.starts_with(top) && folder.size() > top.size() && !anyHidden(folder))
        level.folders[folder.substr(top.size(), folder.find('/', top.size()) - top.size())];
    }
    return level;
  }

 private:
  const Listing& listing_;
  std::vector<size_t> files_;  // the visible ones, in order
  std::vector<bool> pictures_;
};

// A train folder beside folders of other names is a class of that name.
bool isSplit(const Level& level) {
  bool train = false;
  for (const auto& [folder, pictures] : level.folders) {
    const std::string name = lower(folder);
    train |= name == "train";
    if (name != "train" && name != "test" && !isValidationName(name)) return false;
  }
  return train;
}

class Builder {
 public:
  Builder(const Tree& tree, fs::path root, const std::vector<std::string>& excluded) : tree_(tree), root_(std::move(root)), excluded_(excluded) {}

  // The classes below `top`. The first call decides which there are.
  Result<void> add(const std::string& top, Part part) {
    const Level level = tree_.level(top);
    const bool first = layout_.classes.empty();
    bool any = false;
    for (const auto& [name, pictures] : level.folders) {
      any |= !pictures.empty();
      if (pictures.empty() && !first) continue;
      if (pictures.empty() && std::find(excluded_.begin(), excluded_.end(), name) == excluded_.end()) {
        return fail(ErrorCode::Data, kEmptyClass, placeOf(root_, top + name),
                    "put pictures into it (JPEG, PNG, BMP, WebP, TIFF), leave it out with data.exclude_classes, or remove it");
      }
      if (first) layout_.classes.push_back(name);
      TRAINYARD_CHECK(place(name, pictures, top, part));
    }
    if (any) return {};
    return fail(ErrorCode::Data, level.loose ? "there are pictures here but no class folders" : "there are no class folders with pictures here",
                placeOf(root_, top), kLayout);
  }

  // Test pictures often come without their classes, loose or in one folder: those are of no use here.
  bool knowsAnyOf(const std::string& top) const {
    const Level level = tree_.level(top);
    return std::any_of(level.folders.begin(), level.folders.end(), [&](const auto& folder) {
      return !folder.second.empty() && std::binary_search(layout_.classes.begin(), layout_.classes.end(), folder.first);
    });
  }

  ClassLayout done() { return std::move(layout_); }

 private:
  // A class that only a later part has can never be learned.
  Result<void> place(const std::string& name, const std::vector<size_t>& pictures, const std::string& top, Part part) {
    const auto& names = layout_.classes;
    const auto found = std::lower_bound(names.begin(), names.end(), name);
    if (found == names.end() || *found != name) {
      const std::string near = nearestWord(name, names);
      return fail(ErrorCode::Data, "the class \"" + name + "\" is in " + (part == Part::Test ? "the test part" : "validation") + " but not in training",
                  placeOf(root_, top + name), near.empty() ? "add training pictures of it, or remove it" : "did you mean \"" + near + "\"?");
    }
    for (const size_t file : pictures) layout_.samples.push_back({file, static_cast<int>(found - names.begin()), part});
    return {};
  }

  const Tree& tree_;
  fs::path root_;
  const std::vector<std::string>& excluded_;
  ClassLayout layout_;
};

}  // namespace

Result<ClassLayout> layOutClasses(const Listing& listing, const std::string& top, const fs::path& root, const std::vector<std::string>& excluded) {
  const Tree tree(listing);
  const Level level = tree.level(top);
  Builder builder(tree, root, excluded);
  if (!isSplit(level)) {
    TRAINYARD_CHECK(builder.add(top, Part::Unassigned));
    return builder.done();
  }
  std::string train, validation, test;
  for (const auto& [folder, pictures] : level.folders) {
    if (lower(folder) == "train") train = folder;
    if (lower(folder) == "test") test = folder;
    if (!isValidationName(lower(folder))) continue;
    if (!validation.empty())
      return fail(ErrorCode::Data, "there are two validation folders, " + validation + " and " + folder, placeOf(root, top), "keep one of them");
    validation = folder;
  }
  TRAINYARD_CHECK(builder.add(top + train + "/", Part::Train));
  if (!validation.empty()) TRAINYARD_CHECK(builder.add(top + validation + "/", Part::Validation));
  if (!test.empty() && builder.knowsAnyOf(top + test + "/")) TRAINYARD_CHECK(builder.add(top + test + "/", Part::Test));
  return builder.done();
}

std::string wrappingFolder(const Listing& listing) {
  const Tree tree(listing);
  std::string top;
  while (true) {
    const Level level = tree.level(top);
    if (level.folders.size() != 1 || level.loose || isSplit(level)) return top;
    const std::string inner = top + level.folders.begin()->first + "/";
    const Level next = tree.level(inner);
    if (next.loose || next.folders.empty()) return top;
    top = inner;
  }
}

}  // namespace trainyard::data
