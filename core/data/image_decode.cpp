#include "core/data/image_decode.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/data/codecs/module.h"

namespace trainyard::data {

namespace {

constexpr std::array<std::string_view, 14> kExtensions = {".jpg", ".jpeg", ".jpe", ".jfif", ".png",  ".bmp", ".webp",
                                                          ".tif", ".tiff", ".gif", ".heic", ".heif", ".hif", ".avif"};

struct Module {
  decltype(&codecs::trainyard_decode_picture) decode = nullptr;
  decltype(&codecs::trainyard_decode_part) decode_part = nullptr;
  decltype(&codecs::trainyard_inspect_picture) inspect = nullptr;
  decltype(&codecs::trainyard_encode_png) encode_png = nullptr;
};

fs::path modulePath() {
  constexpr char kName[] = "libtrainyard_images.so";
  const char* chosen = std::getenv("TRAINYARD_LIB");
  if (chosen != nullptr && *chosen != '\0') return fs::path(chosen) / kName;
  return programFolder() / ".." / "lib" / "trainyard" / kName;
}

template <class Function>
bool find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
  return function != nullptr;
}

Result<Module> load() {
  const fs::path path = modulePath();
  constexpr char kHint[] = "the installation is incomplete: install Trainyard again, or set TRAINYARD_LIB to the folder that holds this file";
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fail(ErrorCode::Failed, std::string("the picture decoder cannot be loaded: ") + ::dlerror(), displayPath(path), kHint);
  Module module;
  if (!find(handle, "trainyard_decode_picture", module.decode) || !find(handle, "trainyard_decode_part", module.decode_part) ||
      !find(handle, "trainyard_inspect_picture", module.inspect) || !find(handle, "trainyard_encode_png", module.encode_png)) {
    return fail(ErrorCode::Failed, "the picture decoder is of another version", displayPath(path), kHint);
  }
  return module;
}

const Result<Module>& module() {
  static const Result<Module> kModule = load();
  return kModule;
}

tl::unexpected<Error> unreadable(codecs::Problem problem, const std::string& name) {
  return fail(ErrorCode::Data, std::move(problem.what), name, std::move(problem.hint));
}

// Only JPEGs can be decoded in part; of the others all is kept once it is there.
class Encoded : public augment::Source {
 public:
  Encoded(std::string bytes, std::string name, const DecodeOptions& options, const ImageFacts& facts)
      : bytes_(std::move(bytes)), name_(std::move(name)), options_(options), width_(facts.width), height_(facts.height), parts_(facts.kind == "jpeg") {}

  int height() const override { return height_; }
  int width() const override { return width_; }

  Result<cv::Mat> all() override {
    if (pixels_.empty()) {
      TRAINYARD_TRY(pixels_, decodeImage(bytes_, name_, options_));
    }
    return pixels_;
  }

  bool reduces() const override { return parts_ && options_.reduce; }

  Result<augment::Cut> part(const cv::Rect& region, cv::Size target) override {
    if (parts_ && pixels_.empty()) {
      augment::Cut cut;
      codecs::Problem problem;
      if (!module()->decode_part(bytes_, options_, region, target, cut, problem)) return unreadable(std::move(problem), name_);
      return cut;
    }
    TRAINYARD_TRY(const cv::Mat pixels, all());
    return augment::Cut{pixels(region), cv::Rect2d(0, 0, region.width, region.height)};
  }

 private:
  std::string bytes_, name_;
  DecodeOptions options_;
  int width_, height_;
  bool parts_;
  cv::Mat pixels_;
};

}  // namespace

bool looksLikeImage(const fs::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

DecodeOptions decodeOptions(const recipe::Data& data) {
  DecodeOptions options;
  options.channels = data.channels;
  options.background = data.background;
  options.max_pixels = static_cast<uint64_t>(data.max_megapixels * 1e6);
  options.reduce = data.reduced_decode;
  return options;
}

Result<cv::Mat> decodeImage(std::string_view bytes, const std::string& name, const DecodeOptions& options) {
  if (!module()) return tl::unexpected(module().error());
  cv::Mat picture;
  codecs::Problem problem;
  if (!module()->decode(bytes, options, picture, problem)) return unreadable(std::move(problem), name);
  return picture;
}

Result<cv::Mat> decodeImageFile(const fs::path& file, const DecodeOptions& options) {
  TRAINYARD_TRY(const std::string bytes, readFile(file));
  return decodeImage(bytes, displayPath(file), options);
}

Result<std::unique_ptr<augment::Source>> openImage(std::string bytes, const std::string& name, const DecodeOptions& options) {
  TRAINYARD_TRY(const ImageFacts facts, inspectImage(bytes, name));
  return std::make_unique<Encoded>(std::move(bytes), name, options, facts);
}

Result<ImageFacts> inspectImage(std::string_view bytes, const std::string& name) {
  if (!module()) return tl::unexpected(module().error());
  ImageFacts facts;
  codecs::Problem problem;
  if (!module()->inspect(bytes, facts, problem)) return unreadable(std::move(problem), name);
  return facts;
}

Result<std::string> encodePng(const cv::Mat& picture) {
  if (!module()) return tl::unexpected(module().error());
  std::string bytes;
  codecs::Problem problem;
  if (!module()->encode_png(picture, bytes, problem)) return fail(ErrorCode::Failed, std::move(problem.what), {}, std::move(problem.hint));
  return bytes;
}

}  // namespace trainyard::data
