// What reading and decoding JPEGs costs at the least: libjpeg and as many threads as there are cores, nothing kept. Prints {"pictures", "seconds"}.
//
//   read_and_decode FOLDER
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>
// jpeglib.h needs <cstdio> before it.
#include <jpeglib.h>

namespace {

void readAndDecode(const std::filesystem::path& file, std::string& bytes, std::vector<unsigned char>& pixels) {
  std::FILE* opened = std::fopen(file.c_str(), "rb");
  bytes.resize(std::filesystem::file_size(file));
  if (opened == nullptr || std::fread(bytes.data(), 1, bytes.size(), opened) != bytes.size()) std::abort();
  std::fclose(opened);
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  const size_t stride = 3 * static_cast<size_t>(info.output_width);
  pixels.resize(stride * info.output_height);
  while (info.output_scanline < info.output_height) {
    unsigned char* row = pixels.data() + info.output_scanline * stride;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("read_and_decode FOLDER\n", stderr);
    return 2;
  }
  const auto started = std::chrono::steady_clock::now();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1])) {
    if (entry.path().extension() == ".jpg") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::atomic<size_t> next{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
      threads.emplace_back([&] {
        std::string bytes;
        std::vector<unsigned char> pixels;
        for (size_t i = next++; i < files.size(); i = next++) readAndDecode(files[i], bytes, pixels);
      });
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  std::printf("{\"pictures\": %zu, \"seconds\": %.3f}\n", files.size(), seconds.count());
  return 0;
}
