#include "core/data/test_part.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_set>

#include "core/base/units.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace trainyard::data {

namespace {

// <hash>.json holds the names and never changes; <hash>.opened.jsonl grows by a line for each opening.
fs::path recordFile(const recipe::Recipe& recipe, const char* ending) {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(recipe.data.path, ignored);
  const std::string key = recipe.run.name + '\n' + path.string();
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(XXH3_64bits(key.data(), key.size())));
  return dataHome() / "test-parts" / (std::string(hash) + ending);
}

constexpr char kNames[] = ".json", kOpenings[] = ".opened.jsonl";
constexpr char kWritable[] = "the test part has to be remembered: make this folder writable, or set XDG_DATA_HOME to one that is; or leave data.test out";

Error cannotWrite(const fs::path& path) { return {ErrorCode::Failed, std::string("cannot write: ") + std::strerror(errno), displayPath(path), kWritable}; }

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Result<void> makeHome(const fs::path& file) {
  auto made = makeFolder(file.parent_path());
  if (!made) made.error().hint = kWritable;
  return made;
}

// Two first runs at once: the one that comes second leaves what the first has written.
Result<void> writeOnce(const fs::path& file, const std::string& text) {
  TRAINYARD_CHECK(makeHome(file));
  fs::path aside = file;
  aside += ".new." + std::to_string(::getpid());
  if (auto written = replaceFile(aside, text); !written) {
    written.error().hint = kWritable;
    return written;
  }
  const bool there = ::link(aside.c_str(), file.c_str()) == 0 || errno == EEXIST;
  const auto error = cannotWrite(file);
  ::unlink(aside.c_str());
  if (!there) return tl::unexpected(error);
  return {};
}

Result<void> readNames(const fs::path& file, TestPart& part) {
  if (!isThere(file)) return {};
  TRAINYARD_TRY(const std::string text, readFile(file));
  const Json json = Json::parse(text, nullptr, false);
  const auto isText = [](const Json& value) { return value.is_string(); };
  if (!json.is_object() || !json.contains("names") || !json.at("names").is_array() || !std::all_of(json.at("names").begin(), json.at("names").end(), isText) ||
      !json.contains("made") || !json.at("made").is_number()) {
    return fail(ErrorCode::Data, "the record of the test part is damaged", displayPath(file),
                "remove it to set a new test part aside, or give the recipe another name");
  }
  part.names = json.at("names").get<std::vector<std::string>>();
  part.made = json.at("made").get<double>();
  return {};
}

}  // namespace

Result<TestPart> testPartOf(const recipe::Recipe& recipe) {
  TestPart part;
  TRAINYARD_CHECK(readNames(recordFile(recipe, kNames), part));
  const fs::path opened = recordFile(recipe, kOpenings);
  if (!isThere(opened)) return part;
  TRAINYARD_TRY(const std::string text, readFile(opened));
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    // A line that a crash cut short still says that the part was opened.
    if (end > at)
      part.openings.push_back(line.is_object() ? TestPart::Opening{line.value("run", ""), line.value("time", 0.0), line.value("samples", uint64_t{0})}
                                               : TestPart::Opening{});
    at = end + 1;
  }
  return part;
}

Result<Opened> openWithTestPart(const recipe::Recipe& recipe) {
  if (!recipe.data.test.is_number()) return openWithSplit(recipe.data, recipe.run.seed);
  TRAINYARD_TRY(const TestPart part, testPartOf(recipe));
  return openWithSplit(recipe.data, recipe.run.seed, part.made == 0 ? nullptr : &part.names);
}

Result<void> settleTestPart(const recipe::Recipe& recipe, const Dataset& dataset, const std::vector<uint64_t>& test) {
  if (!recipe.data.test.is_number()) return {};
  const fs::path file = recordFile(recipe, kNames);
  if (!isThere(file)) {
    Json record{
        {"recipe", recipe.run.name}, {"data", displayPath(recipe.data.path)}, {"test", recipe.data.test}, {"made", unixTime()}, {"names", Json::array()}};
    for (const uint64_t sample : test) record["names"].push_back(dataset.name(sample));
    TRAINYARD_CHECK(writeOnce(file, compactJson(record) + "\n"));
  }
  TRAINYARD_TRY(const TestPart settled, testPartOf(recipe));
  const std::unordered_set<std::string> names(settled.names.begin(), settled.names.end());
  if (std::all_of(test.begin(), test.end(), [&](uint64_t sample) { return names.contains(dataset.name(sample)); })) return {};
  return fail(ErrorCode::Failed, "another run of this recipe has just set aside another test part", displayPath(file), "start this run again");
}

Result<void> recordOpening(const recipe::Recipe& recipe, const std::string& run, uint64_t samples) {
  const fs::path file = recordFile(recipe, kOpenings);
  TRAINYARD_CHECK(makeHome(file));
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) return tl::unexpected(cannotWrite(file));
  const std::string line = compactJson({{"run", run}, {"time", unixTime()}, {"samples", samples}}) + "\n";
  const bool written = ::write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && ::fsync(descriptor) == 0;
  const Error error = cannotWrite(file);
  ::close(descriptor);
  if (!written) return tl::unexpected(error);
  return {};
}

}  // namespace trainyard::data
