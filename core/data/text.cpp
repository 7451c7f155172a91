#include <algorithm>
#include <cctype>
#include <cstdio>

#include "core/base/units.h"
#include "core/data/formats.h"

namespace trainyard::data {

namespace {

constexpr int kVocabulary = 256;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Files one after the other, cut into windows that share their border: the last token of one, which only ends it, is the first of the next. So each
// byte but the very first is to be predicted once.
class Text : public Dataset {
 public:
  struct File {
    uint64_t first = 0;  // where it starts in the whole
    std::string name;
  };

  Text(std::string bytes, std::vector<File> files, uint64_t context) : bytes_(std::move(bytes)), files_(std::move(files)), context_(context) {
    for (int byte = 0; byte < kVocabulary; ++byte) classes_.push_back(tokenName(byte));
  }
  uint64_t size() const override { return (bytes_.size() - 1) / context_; }
  Part part(uint64_t) const override { return Part::Unassigned; }
  std::string name(uint64_t index) const override {
    const uint64_t at = index * context_;
    const auto after = std::upper_bound(files_.begin(), files_.end(), at, [](uint64_t place, const File& file) { return place < file.first; });
    return std::prev(after)->name + " " + std::to_string(at - std::prev(after)->first);
  }
  Task task() const override { return Task::Tokens; }
  int label(uint64_t) const override { return 0; }
  const std::vector<std::string>& classes() const override { return classes_; }
  Result<cv::Mat> picture(uint64_t index) const override { return fail(ErrorCode::Usage, "is a part of a text, not a picture", name(index)); }
  bool inMemory() const override { return true; }
  Result<std::string> fileBytes(uint64_t index) const override { return bytes_.substr(index * context_, context_ + 1); }

 private:
  // A letter stands for itself, any other byte is "0x0A".
  static std::string tokenName(int byte) {
    if (byte > ' ' && byte < 0x7F) return std::string(1, static_cast<char>(byte));
    char text[8];
    std::snprintf(text, sizeof text, "0x%02X", static_cast<unsigned>(byte));
    return text;
  }

  std::string bytes_;
  std::vector<File> files_;
  uint64_t context_;
  std::vector<std::string> classes_;
};

bool isTextName(const fs::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".txt";
}

// Bytes of the character that starts at `at`; 0 where none does (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
size_t characterAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const auto follows = [&](size_t i, unsigned low = 0x80, unsigned high = 0xBF) { return byte(i) >= low && byte(i) <= high; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) return follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (lead >= 0xF0 && lead <= 0xF4) return follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

Result<void> checkUtf8(std::string_view text, const fs::path& file) {
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  for (size_t at = 0; at < text.size();) {
    const size_t length = characterAt(text, at);
    if (length == 0) {
      return fail(ErrorCode::Data, "is not UTF-8 at byte " + std::to_string(at) + (utf16 ? ": it looks like UTF-16" : ""), displayPath(file),
                  "save it as UTF-8, for example with iconv -t UTF-8");
    }
    at += length;
  }
  return {};
}

Result<void> addFiles(const fs::path& folder, std::vector<fs::path>& files) {
  TRAINYARD_TRY(const auto entries, listFolder(folder));
  std::error_code ignored;
  for (const auto& entry : entries) {
    if (fs::is_directory(entry, ignored))
      TRAINYARD_CHECK(addFiles(entry, files));
    else if (isTextName(entry))
      files.push_back(entry);
  }
  return {};
}

Result<std::vector<fs::path>> filesOf(const recipe::Data& data) {
  std::error_code error;
  if (!fs::exists(data.path, error)) {
    return fail(ErrorCode::Data, "there is no such file or folder", displayPath(data.path), "check data.path; a relative path starts at the recipe's folder");
  }
  std::vector<fs::path> files;
  if (!fs::is_directory(data.path, error)) return std::vector{data.path};
  TRAINYARD_CHECK(addFiles(data.path, files));
  if (files.empty()) return fail(ErrorCode::Data, "there is no .txt file in the folder", displayPath(data.path), "add text files, or give the path of one");
  return files;
}

}  // namespace

Result<std::unique_ptr<Dataset>> openText(const recipe::Data& data) {
  TRAINYARD_TRY(const auto files, filesOf(data));
  const auto context = data.format.params.value("context", uint64_t{256});
  std::string bytes;
  std::vector<Text::File> starts;
  for (const auto& file : files) {
    TRAINYARD_TRY(const std::string read, readFile(file));
    TRAINYARD_CHECK(checkUtf8(read, file));
    const std::string_view text = std::string_view(read).substr(read.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    if (text.empty()) continue;
    if (!bytes.empty() && bytes.back() != '\n') bytes += '\n';
    starts.push_back({bytes.size(), displayPath(files.size() == 1 && file == data.path ? file.filename() : file.lexically_relative(data.path))});
    bytes += text;
  }
  if (bytes.empty())
    return fail(ErrorCode::Data, "there is no text: " + std::string(files.size() == 1 ? "the file is" : "all files are") + " empty", displayPath(data.path),
                "add text");
  if (bytes.size() < context + 1) {
    return fail(ErrorCode::Data, "the text is too short: it has " + formatCount(bytes.size()) + " bytes, and one window takes " + formatCount(context + 1),
                displayPath(data.path), "add text, or use a smaller data.context");
  }
  return std::make_unique<Text>(std::move(bytes), std::move(starts), context);
}

bool looksLikeText(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return isTextName(path);
  const auto entries = listFolder(path);
  return entries && !entries->empty() &&
         std::ranges::all_of(*entries, [&](const fs::path& entry) { return fs::is_regular_file(entry, ignored) && isTextName(entry); });
}

}  // namespace trainyard::data
