#include "core/data/image_decode.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/data/codecs/module.h"

namespace trainyard::data {

namespace {

constexpr std::array<std::string_view, 9> kExtensions = {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".bmp", ".webp", ".tif", ".tiff"};

struct Module {
  codecs::DecodeFn decode = nullptr;
  codecs::EncodePngFn encode_png = nullptr;
};

fs::path modulePath() {
  constexpr char kName[] = "libtrainyard_images.so";
  const char* chosen = std::getenv("TRAINYARD_LIB");
  if (chosen != nullptr && *chosen != '\0') return fs::path(chosen) / kName;
  return programFolder() / ".." / "lib" / "trainyard" / kName;
}

Result<Module> load() {
  const fs::path path = modulePath();
  constexpr char kHint[] = "the installation is incomplete: install Trainyard again, or set TRAINYARD_LIB to the folder that holds this file";
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fail(ErrorCode::Failed, std::string("the picture decoder cannot be loaded: ") + ::dlerror(), displayPath(path), kHint);
  Module module;
  module.decode = reinterpret_cast<codecs::DecodeFn>(::dlsym(handle, codecs::kDecodeName));
  module.encode_png = reinterpret_cast<codecs::EncodePngFn>(::dlsym(handle, codecs::kEncodePngName));
  if (module.decode == nullptr || module.encode_png == nullptr) {
    return fail(ErrorCode::Failed, "the picture decoder is of another version", displayPath(path), kHint);
  }
  return module;
}

const Result<Module>& module() {
  static const Result<Module> kModule = load();
  return kModule;
}

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

Result<cv::Mat> decodeImage(std::string_view bytes, const std::string& name, const DecodeOptions&) {
  if (!module()) return tl::unexpected(module().error());
  cv::Mat picture;
  codecs::Problem problem;
  if (!module()->decode(bytes, picture, problem)) return fail(ErrorCode::Data, std::move(problem.what), name, std::move(problem.hint));
  return picture;
}

Result<cv::Mat> decodeImageFile(const fs::path& file, const DecodeOptions& options) {
  TRAINYARD_TRY(const std::string bytes, readFile(file));
  return decodeImage(bytes, displayPath(file), options);
}

Result<std::unique_ptr<augment::Source>> openImage(std::string bytes, const std::string& name, const DecodeOptions& options) {
  TRAINYARD_TRY(cv::Mat pixels, decodeImage(bytes, name, options));
  return std::make_unique<augment::Decoded>(std::move(pixels));
}

Result<ImageFacts> inspectImage(std::string_view bytes, const std::string& name) {
  TRAINYARD_TRY(const cv::Mat pixels, decodeImage(bytes, name));
  ImageFacts facts;
  facts.width = pixels.cols;
  facts.height = pixels.rows;
  facts.channels = pixels.channels();
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
