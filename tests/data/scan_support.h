#pragma once
// Helpers of the scan's tests: pictures with something in them, files of every kind and damage.
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "core/data/scan.h"
#include "tests/data/scene.h"
#include "tests/data/support.h"

namespace trainyard::data::test {

// ".jpg", ".png", … with OpenCV's parameters; 1, 3 or 4 channels, RGB(A) order, 8 or 16 bits.
inline std::string encoded(const char* extension, const cv::Mat& picture, const std::vector<int>& parameters = {}) {
  cv::Mat ordered = picture.clone();
  if (picture.channels() == 3) cv::cvtColor(picture, ordered, cv::COLOR_RGB2BGR);
  if (picture.channels() == 4) cv::cvtColor(picture, ordered, cv::COLOR_RGBA2BGRA);
  std::vector<uchar> bytes;
  cv::imencode(extension, ordered, bytes, parameters);
  return {bytes.begin(), bytes.end()};
}

inline std::string jpeg(const cv::Mat& picture, int quality = 90) { return encoded(".jpg", picture, {cv::IMWRITE_JPEG_QUALITY, quality}); }

// With EXIF orientation 6 in front.
inline std::string turnedJpeg(const cv::Mat& picture) {
  using namespace std::string_literals;
  const std::string exif = "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"s;
  const std::string plain = jpeg(picture);
  const size_t size = exif.size() + 2;
  return plain.substr(0, 2) + "\xff\xe1"s + static_cast<char>(size >> 8) + static_cast<char>(size) + exif + plain.substr(2);
}

// The finding of this code about this file (or any file).
inline const Finding* findingOf(const ScanReport& report, const std::string& code, const std::string& file = {}) {
  for (const auto& finding : report.findings) {
    if (finding.code == code && (file.empty() || finding.file == file)) return &finding;
  }
  return nullptr;
}

inline QByteArray findingsText(const ScanReport& report) {
  std::string text;
  for (const auto& finding : report.findings) {
    text += std::string(severityName(finding.severity)) + " " + finding.code + " " + finding.file + ": " + finding.text;
    for (const auto& file : finding.files) text += " | " + file;
    text += "\n";
  }
  return QByteArray::fromStdString(text);
}

}  // namespace trainyard::data::test
