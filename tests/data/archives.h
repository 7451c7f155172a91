#pragma once
// Archives made in a test, byte by byte, so that they can be wrong in every way.
#include <zlib.h>

#include <cstdio>
#include <vector>

#include "tests/data/support.h"

namespace trainyard::data::test {

// A ustar header. `size_field` replaces the octal size.
inline std::string tarHeader(const std::string& name, uint64_t size, char type = '0', const std::string& link = {}, const std::string& size_field = {}) {
  std::string header(512, '\0');
  const auto put = [&](size_t at, const std::string& text) { header.replace(at, text.size(), text); };
  char octal[13];
  put(0, name.substr(0, 100));
  put(100, "0000644");
  std::snprintf(octal, sizeof octal, "%011llo", static_cast<unsigned long long>(size));
  put(124, size_field.empty() ? octal : size_field);
  put(136, "00000000000");
  put(148, "        ");
  header[156] = type;
  put(157, link);
  put(257, std::string("ustar\0"
                       "00",
                       8));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(octal, sizeof octal, "%06o", sum);
  put(148, std::string(octal) + '\0');
  return header;
}

inline std::string padded(std::string content) {
  content.resize((content.size() + 511) / 512 * 512, '\0');
  return content;
}

inline std::string tarEntry(const std::string& name, const std::string& content, char type = '0') {
  return tarHeader(name, content.size(), type) + padded(content);
}

inline std::string tarEnd() { return std::string(1024, '\0'); }

inline std::string littleEndian(uint64_t number, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> 8 * i);
  return bytes;
}

struct ZipPart {
  std::string name, content;
  int method = 0;  // stored, whatever this says
  int flags = 0;
  int64_t claimed_size = -1;  // uncompressed; -1: the true one
};

inline std::string zipOf(const std::vector<ZipPart>& parts) {
  std::string bytes, directory;
  for (const ZipPart& part : parts) {
    const auto crc = static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(part.content.data()), static_cast<uInt>(part.content.size())));
    const uint64_t size = part.claimed_size < 0 ? part.content.size() : static_cast<uint64_t>(part.claimed_size);
    const std::string common = littleEndian(20, 2) + littleEndian(static_cast<uint64_t>(part.flags), 2) + littleEndian(static_cast<uint64_t>(part.method), 2) +
                               littleEndian(0, 4) + littleEndian(crc, 4) + littleEndian(part.content.size(), 4) + littleEndian(size, 4) +
                               littleEndian(part.name.size(), 2) + littleEndian(0, 2);
    directory += "PK\1\2" + littleEndian(20, 2) + common + littleEndian(0, 10) + littleEndian(bytes.size(), 4) + part.name;
    bytes += "PK\3\4" + common + part.name + part.content;
  }
  const std::string end = "PK\5\6" + littleEndian(0, 4) + littleEndian(parts.size(), 2) + littleEndian(parts.size(), 2) + littleEndian(directory.size(), 4) +
                          littleEndian(bytes.size(), 4) + littleEndian(0, 2);
  return bytes + directory + end;
}

// The colour of a picture of one colour, as "10 20 30", or the error.
inline QString colourOf(const Dataset& dataset, uint64_t index) {
  const auto picture = dataset.picture(index);
  if (!picture) return textOf(picture.error());
  const auto pixel = picture->at<cv::Vec3b>(0, 0);
  return QString("%1 %2 %3").arg(pixel[0]).arg(pixel[1]).arg(pixel[2]);
}

// "file=label part colour" in order.
inline QStringList contentsOf(const Dataset& dataset) {
  QStringList lines;
  const char* parts[] = {"", " train", " validation", " test"};
  for (uint64_t i = 0; i < dataset.size(); ++i)
    lines << QString("%1=%2%3 %4")
                 .arg(QString::fromStdString(dataset.name(i)))
                 .arg(dataset.label(i))
                 .arg(parts[static_cast<int>(dataset.part(i))])
                 .arg(colourOf(dataset, i));
  return lines;
}

inline QStringList classesOf(const Dataset& dataset) {
  QStringList names;
  for (const auto& name : dataset.classes()) names << QString::fromStdString(name);
  return names;
}

}  // namespace trainyard::data::test
