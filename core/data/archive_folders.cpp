// An archive of class folders (.tar, .tar.gz, …, .zip), read in place.
#include "core/base/units.h"
#include "core/data/class_layout.h"
#include "core/data/formats.h"
#include "core/data/packed_file.h"
#include "core/data/packed_pictures.h"
#include "core/data/tar_index.h"
#include "core/data/zip_file.h"

namespace trainyard::data {

namespace {

// The archive's files, in the same order as the names of the listing.
struct Place {
  uint64_t at = 0, size = 0;
};

Result<fs::path> archiveOf(const recipe::Data& data, const char* kind) {
  std::error_code error;
  if (!fs::exists(data.path, error))
    return fail(ErrorCode::Data, "there is no such file", displayPath(data.path), "check data.path; a relative path starts at the recipe's folder");
  if (!fs::is_regular_file(data.path, error)) return fail(ErrorCode::Data, "is not a file", displayPath(data.path), std::string("give the ") + kind + " file");
  return data.path;
}

Result<std::unique_ptr<Dataset>> laidOut(const recipe::Data& data, const Listing& listing, const std::vector<Place>& places,
                                         std::unique_ptr<Container> container) {
  TRAINYARD_TRY(ClassLayout layout, layOutClasses(listing, wrappingFolder(listing), data.path, data.exclude_classes));
  std::vector<PackedPictures::Sample> samples;
  samples.reserve(layout.samples.size());
  for (const auto& [file, label, part] : layout.samples) samples.push_back({listing.files[file], places[file].at, places[file].size, 0, label, part});
  auto pictures = std::make_unique<PackedPictures>(data.path, decodeOptions(data));
  pictures->add(std::move(container));
  pictures->set(std::move(samples), std::move(layout.classes));
  return pictures;
}

}  // namespace

Result<std::unique_ptr<Dataset>> openTar(const recipe::Data& data) {
  TRAINYARD_TRY(const fs::path path, archiveOf(data, ".tar"));
  TRAINYARD_TRY(const auto file, OpenFile::open(path));
  TRAINYARD_TRY(const Packing packing, packingOf(*file));
  std::shared_ptr<const Bytes> bytes = std::make_shared<WatchedFile>(path, *file);
  const Bytes* indexed = file.get();
  if (packing != Packing::None) {
    // A packed archive cannot be read from the middle.
    TRAINYARD_TRY(std::string content,
                  unpack(*file, halfOfFreeMemory(), "half of the free memory is the limit; unpack it, or repack it as a plain .tar or .zip"));
    bytes = std::make_shared<HeldBytes>(std::move(content), file->name());
    indexed = bytes.get();
  }
  TRAINYARD_TRY(TarIndex index, indexTar(*indexed));
  Listing listing;
  std::vector<Place> places;
  for (TarEntry& entry : index.files) {
    listing.files.push_back(std::move(entry.name));
    places.push_back({entry.offset, entry.size});
  }
  listing.folders = std::move(index.folders);
  return laidOut(data, listing, places, std::make_unique<BytesContainer>(std::move(bytes), file->modifiedNs()));
}

Result<std::unique_ptr<Dataset>> openZip(const recipe::Data& data) {
  TRAINYARD_TRY(const fs::path path, archiveOf(data, ".zip"));
  TRAINYARD_TRY(auto zip, ZipFile::open(path));
  Listing listing;
  std::vector<Place> places;
  for (const ZipFile::Entry& entry : zip->entries()) {
    if (entry.folder) {
      listing.folders.push_back(entry.name);
    } else {
      listing.files.push_back(entry.name);
      places.push_back({entry.number, entry.size});
    }
  }
  return laidOut(data, listing, places, std::move(zip));
}

}  // namespace trainyard::data
