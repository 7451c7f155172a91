// HEIC and AVIF through libheif, which also turns and mirrors: what EXIF says of the orientation is not applied a second time.
#include <libheif/heif.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <opencv2/core.hpp>
#include <vector>

#include "core/data/codecs/bytes.h"
#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

using Context = std::unique_ptr<heif_context, decltype(&heif_context_free)>;
using Handle = std::unique_ptr<const heif_image_handle, decltype(&heif_image_handle_release)>;

void check(const heif_error& error, const char* kind) {
  if (error.code == heif_error_Ok) return;
  const std::string reason = error.message != nullptr ? error.message : "no reason given";
  if (error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature || error.code == heif_error_Decoder_plugin_error)
    refuse(std::string("is a ") + kind + " of a kind that this system's libheif does not read: " + reason, "save it as JPEG or PNG");
  refuse(std::string("is a damaged or cut ") + kind + ": " + reason);
}

void requireDecoder(heif_compression_format format, const char* kind, const char* package) {
  if (heif_have_decoder_for_format(format)) return;
  refuse(std::string("is a ") + kind + " picture, for which this system's libheif has no decoder",
         std::string("install ") + package + ", or save it as JPEG or PNG");
}

// The file's main picture. The context reads from `bytes` as long as it lives.
struct File {
  File(std::string_view bytes, const char* kind) : context(heif_context_alloc(), heif_context_free), handle(nullptr, heif_image_handle_release) {
    check(heif_context_read_from_memory_without_copy(context.get(), bytes.data(), bytes.size(), nullptr), kind);
    heif_context_set_max_decoding_threads(context.get(), 0);  // pictures are decoded side by side already
    heif_image_handle* primary = nullptr;
    check(heif_context_get_primary_image_handle(context.get(), &primary), kind);
    handle.reset(primary);
  }

  Context context;
  Handle handle;
};

std::optional<int64_t> takenAt(const heif_image_handle* handle) {
  heif_item_id id = 0;
  if (heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &id, 1) != 1) return {};
  std::string block(heif_image_handle_get_metadata_size(handle, id), '\0');
  if (block.size() < 8 || heif_image_handle_get_metadata(handle, id, block.data()).code != heif_error_Ok) return {};
  const uint64_t offset = Bytes(block, Endian::Big).at(0, 4);  // of the TIFF structure, counted from behind these four bytes
  return offset > block.size() - 4 ? std::nullopt : readExif(std::string_view(block).substr(4 + offset)).taken;
}

ImageFacts inspect(std::string_view bytes, const char* kind) {
  const File file(bytes, kind);
  ImageFacts facts;
  facts.width = heif_image_handle_get_width(file.handle.get());
  facts.height = heif_image_handle_get_height(file.handle.get());
  facts.alpha = heif_image_handle_has_alpha_channel(file.handle.get()) != 0;
  facts.channels = facts.alpha ? 4 : 3;
  facts.bits = std::max(heif_image_handle_get_luma_bits_per_pixel(file.handle.get()), 1);
  facts.taken = takenAt(file.handle.get());
  return facts;
}

cv::Mat decode(std::string_view bytes, const ImageFacts& facts, const char* kind) {
  const File file(bytes, kind);
  const std::unique_ptr<heif_decoding_options, decltype(&heif_decoding_options_free)> options(heif_decoding_options_alloc(), heif_decoding_options_free);
  if (options->version >= 2) options->convert_hdr_to_8bit = 1;
  if (options->version >= 3) options->strict_decoding = 1;
  heif_image* decoded = nullptr;
  const heif_chroma chroma = facts.alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  const heif_error error = heif_decode_image(file.handle.get(), &decoded, heif_colorspace_RGB, chroma, options.get());
  const std::unique_ptr<const heif_image, decltype(&heif_image_release)> image(decoded, heif_image_release);
  check(error, kind);
  heif_error warning{};
  if (heif_image_get_decoding_warnings(decoded, 0, &warning, 1) > 0) check(warning, kind);
  int stride = 0;
  const uint8_t* pixels = heif_image_get_plane_readonly(image.get(), heif_channel_interleaved, &stride);
  if (pixels == nullptr || heif_image_get_primary_width(image.get()) != facts.width || heif_image_get_primary_height(image.get()) != facts.height)
    refuse(std::string("is a damaged ") + kind + ": its header and its pixels do not agree");
  cv::Mat picture(facts.height, facts.width, facts.alpha ? CV_8UC4 : CV_8UC3);
  for (int y = 0; y < picture.rows; ++y) std::memcpy(picture.ptr(y), pixels + static_cast<ptrdiff_t>(y) * stride, picture.cols * picture.elemSize());
  if (facts.alpha && heif_image_handle_is_premultiplied_alpha(file.handle.get())) divideByAlpha(picture);
  return picture;
}

bool hasBrand(std::string_view bytes, std::initializer_list<std::string_view> brands) {
  if (bytes.size() < 12 || bytes.substr(4, 4) != "ftyp") return false;
  const uint64_t end = std::min<uint64_t>(Bytes(bytes, Endian::Big).at(0, 4), bytes.size());
  for (uint64_t at = 8; at + 4 <= std::max<uint64_t>(end, 12); at += at == 8 ? 8 : 4) {
    if (std::find(brands.begin(), brands.end(), bytes.substr(at, 4)) != brands.end()) return true;
  }
  return false;
}

bool isAvif(std::string_view bytes) { return hasBrand(bytes, {"avif", "avis"}); }
bool isHeic(std::string_view bytes) { return !isAvif(bytes) && hasBrand(bytes, {"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"}); }

ImageFacts inspectHeic(std::string_view bytes) { return inspect(bytes, "HEIC"); }
ImageFacts inspectAvif(std::string_view bytes) { return inspect(bytes, "AVIF"); }

cv::Mat decodeHeic(std::string_view bytes, const ImageFacts& facts, const DecodeOptions&) {
  requireDecoder(heif_compression_HEVC, "HEIC", "libheif-plugin-libde265");
  return decode(bytes, facts, "HEIC");
}

cv::Mat decodeAvif(std::string_view bytes, const ImageFacts& facts, const DecodeOptions&) {
  requireDecoder(heif_compression_AV1, "AVIF", "libheif-plugin-dav1d");
  return decode(bytes, facts, "AVIF");
}

}  // namespace

const Codec kHeic{"heic", isHeic, inspectHeic, decodeHeic};
const Codec kAvif{"avif", isAvif, inspectAvif, decodeAvif};

}  // namespace trainyard::codecs
