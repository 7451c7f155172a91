#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "core/base/units.h"
#include "core/data/scan_parts.h"

namespace trainyard::data {

namespace {

constexpr uint32_t kExtreme = 5;  // times as long as wide

using Samples = std::vector<uint64_t>;

ScanReport::Range rangeOf(std::vector<uint32_t>& values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  return {static_cast<int>(*smallest), static_cast<int>(*middle), static_cast<int>(*largest)};
}

std::vector<std::pair<std::string, uint64_t>> mostFirst(const std::map<std::string, uint64_t>& counts) {
  std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

void reportSizes(const Looks& looks, ScanReport& report) {
  std::vector<uint32_t> widths, heights;
  std::map<std::string, uint64_t> kinds, channels, bits;
  for (const Look& look : looks.all) {
    report.bytes += look.bytes;
    if (look.verdict != Verdict::Fine) continue;
    widths.push_back(look.width);
    heights.push_back(look.height);
    if (look.kind > 0) ++kinds[lookKinds().at(look.kind)];
    ++channels[std::to_string(look.channels)];
    ++bits[std::to_string(look.bits)];
  }
  report.width = rangeOf(widths);
  report.height = rangeOf(heights);
  report.kinds = mostFirst(kinds);
  report.channels = mostFirst(channels);
  report.bits = mostFirst(bits);
}

// The sums are whole numbers, so their order does not matter; 64 bits hold the squares of 10^14 pixels.
void reportColours(const Looks& looks, ScanReport& report) {
  const bool colour = std::any_of(looks.all.begin(), looks.all.end(), [](const Look& look) { return look.decoded_channels == 3; });
  const size_t channels = colour ? 3 : 1;
  std::array<uint64_t, 3> sums{}, squares{};
  uint64_t pixels = 0;
  for (const Look& look : looks.all) {
    if (look.verdict != Verdict::Fine) continue;
    pixels += static_cast<uint64_t>(look.width) * look.height;
    for (size_t c = 0; c < channels; ++c) {
      const size_t own = look.decoded_channels == 3 ? c : 0;
      sums[c] += look.sums[own];
      squares[c] += look.squares[own];
    }
  }
  if (pixels == 0) return;
  constexpr double kWhite = 255;
  for (size_t c = 0; c < channels; ++c) {
    const double mean = static_cast<double>(sums[c]) / static_cast<double>(pixels);
    const double variance = static_cast<double>(squares[c]) / static_cast<double>(pixels) - mean * mean;
    report.mean.push_back(mean / kWhite);
    report.std.push_back(std::sqrt(std::max(variance, 0.0)) / kWhite);
  }
}

void reportProblems(const Dataset& dataset, const Looks& looks, ScanReport& report) {
  report.unreadable = looks.problems.size();
  for (const auto& [sample, error] : looks.problems) {
    const Verdict verdict = looks.all[sample].verdict;
    const char* code = verdict == Verdict::Empty ? "empty" : verdict == Verdict::Truncated ? "truncated" : "unreadable";
    report.findings.push_back({Severity::Bad, code, dataset.name(sample), error.what, {}, static_cast<int64_t>(sample)});
  }
}

// One finding for all of them.
void add(const Dataset& dataset, Severity severity, const char* code, const Samples& samples, const std::string& text, ScanReport& report) {
  if (samples.empty()) return;
  Finding finding{severity, code, dataset.name(samples[0]), counted(samples.size(), "picture ", "pictures ") + text, {}, static_cast<int64_t>(samples[0])};
  for (size_t i = 1; i < samples.size(); ++i) finding.files.push_back(dataset.name(samples[i]));
  report.findings.push_back(std::move(finding));
}

std::string lowerExtension(const std::string& name) {
  std::string extension = fs::path(name).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return extension;
}

// What an extension promises; empty for those that promise nothing.
std::string_view promisedKind(const std::string& extension) {
  static const std::map<std::string, std::string_view> kPromised = {{".jpg", "jpeg"},  {".jpeg", "jpeg"}, {".jpe", "jpeg"}, {".jfif", "jpeg"}, {".png", "png"},
                                                                    {".bmp", "bmp"},   {".webp", "webp"}, {".tif", "tiff"}, {".tiff", "tiff"}, {".gif", "gif"},
                                                                    {".heic", "heic"}, {".heif", "heic"}, {".hif", "heic"}, {".avif", "avif"}};
  const auto found = kPromised.find(extension);
  return found == kPromised.end() ? std::string_view() : found->second;
}

void reportNames(const Dataset& dataset, const Looks& looks, ScanReport& report) {
  std::map<std::pair<std::string, uint8_t>, Samples> wrong;
  for (uint64_t i = 0; i < looks.all.size(); ++i) {
    const Look& look = looks.all[i];
    if (look.verdict != Verdict::Fine || look.kind == 0) continue;
    const std::string extension = lowerExtension(dataset.name(i));
    const std::string_view promised = promisedKind(extension);
    if (!promised.empty() && promised != lookKinds().at(look.kind)) wrong[{extension, look.kind}].push_back(i);
  }
  for (const auto& [what, samples] : wrong) {
    std::string kind = lookKinds().at(what.second);
    std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::toupper(c); });
    const std::string verb = samples.size() == 1 ? "is" : "are", hold = samples.size() == 1 ? "holds" : "hold";
    add(dataset, Severity::Caution, "wrong_extension", samples,
        verb + " called " + what.first + " but " + hold + " " + kind + "; read here all the same, but other programs may not", report);
  }
}

void reportStorage(const Dataset& dataset, const recipe::Data& data, const Looks& looks, ScanReport& report) {
  const auto those = [&](const std::function<bool(const Look&)>& is) {
    Samples samples;
    for (uint64_t i = 0; i < looks.all.size(); ++i) {
      if (looks.all[i].verdict == Verdict::Fine && is(looks.all[i])) samples.push_back(i);
    }
    return samples;
  };
  const auto& back = data.background;
  const std::string colour = std::to_string(back[0]) + ", " + std::to_string(back[1]) + ", " + std::to_string(back[2]);
  add(dataset, Severity::Caution, "aspect",
      those([](const Look& look) { return std::max(look.width, look.height) > kExtreme * std::min(look.width, look.height); }),
      "more than " + std::to_string(kExtreme) + " times as long as wide: crops see little of them", report);
  add(dataset, Severity::Note, "cmyk", those([](const Look& look) { return look.cmyk; }), "in CMYK, converted to RGB", report);
  add(dataset, Severity::Note, "bits16", those([](const Look& look) { return look.bits > 8; }), "with 16 bits a channel, scaled to 8", report);
  add(dataset, Severity::Note, "alpha", those([](const Look& look) { return look.alpha; }), "with transparency, laid on the background (" + colour + ")",
      report);
  add(dataset, Severity::Note, "rotated", those([](const Look& look) { return look.orientation > 1; }), "turned upright as their EXIF data says", report);
}

}  // namespace

void reportPictures(const Dataset& dataset, const recipe::Data& data, const Looks& looks, ScanReport& report) {
  reportSizes(looks, report);
  reportColours(looks, report);
  reportProblems(dataset, looks, report);
  reportNames(dataset, looks, report);
  reportStorage(dataset, data, looks, report);
}

}  // namespace trainyard::data
