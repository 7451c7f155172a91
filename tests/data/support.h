#pragma once
// Helpers of the tests of core/data: small files of every format.
#include <QTest>
#include <filesystem>
#include <fstream>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/image_decode.h"

namespace trainyard::data::test {

inline fs::path pathOf(const QString& text) { return text.toStdString(); }

inline void write(const fs::path& file, const std::string& bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

inline std::string bigEndian(uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

// An IDX file of bytes; magic 0 0 8 <number of sizes>.
inline std::string idx(const std::vector<uint32_t>& sizes, const std::string& values) {
  std::string bytes = {0, 0, 8, static_cast<char>(sizes.size())};
  for (const uint32_t size : sizes) bytes += bigEndian(size);
  return bytes + values;
}

inline std::string counting(size_t count, int first = 0) {
  std::string bytes;
  for (size_t i = 0; i < count; ++i) bytes += static_cast<char>(first + static_cast<int>(i));
  return bytes;
}

// A PNG of one colour.
inline std::string png(int height, int width, const cv::Vec3b& colour) { return *encodePng(cv::Mat(height, width, CV_8UC3, cv::Scalar(colour))); }

inline recipe::Data dataOf(const std::string& format, const fs::path& path, Json validation = "auto") {
  recipe::Data data;
  data.format.id = format;
  data.path = path;
  data.validation = std::move(validation);
  return data;
}

inline QString textOf(const Error& error) { return QString::fromStdString(toText(error)); }

// An error of this kind that names all of `parts`, and says what to do.
inline void compareError(const Error& error, ErrorCode code, const QStringList& parts) {
  QVERIFY2(error.code == code, qPrintable(textOf(error)));
  QVERIFY2(!error.what.empty() && !error.where.empty() && !error.hint.empty(), qPrintable(textOf(error)));
  for (const QString& part : parts) QVERIFY2(textOf(error).contains(part), qPrintable(textOf(error) + " lacks " + part));
}

// Pixels in rows, channels innermost, as hexadecimal.
inline QByteArray hexOf(const cv::Mat& picture) {
  QByteArray bytes;
  for (int y = 0; y < picture.rows; ++y)
    bytes += QByteArray(reinterpret_cast<const char*>(picture.ptr(y)), static_cast<qsizetype>(picture.cols * picture.elemSize()));
  return bytes.toHex();
}

}  // namespace trainyard::data::test

#define TRAINYARD_VERIFY(result) QVERIFY2((result).has_value(), (result) ? "" : qPrintable(trainyard::data::test::textOf((result).error())))
