#pragma once
// Helpers of the tests of core/runs.
#include <QByteArray>
#include <QFloat16>  // QCOMPARE of Json needs the whole type
#include <QString>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/runs/event.h"

namespace trainyard::runs::test {

inline std::filesystem::path pathOf(const QString& text) { return text.toStdString(); }

inline void writeText(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

inline void appendText(const std::filesystem::path& file, const std::string& text) { std::ofstream(file, std::ios::binary | std::ios::app) << text; }

inline std::string textOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

inline Event makeEvent(const std::string& type, std::optional<int64_t> step = {}, Json fields = Json::object()) {
  Event event;
  event.type = type;
  event.step = step;
  event.fields = std::move(fields);
  return event;
}

// "step 10, eval 10, resumed 5": types and steps, for comparing whole histories.
inline QString brief(const std::vector<Event>& events) {
  QString text;
  for (const Event& event : events) {
    if (!text.isEmpty()) text += ", ";
    text += QString::fromStdString(event.type);
    if (event.step) text += " " + QString::number(*event.step);
  }
  return text;
}

}  // namespace trainyard::runs::test

// A Result that must hold a value; shows the error when it does not.
#define QVERIFY_OK(result)                                                              \
  do {                                                                                  \
    const auto& verified_ = (result);                                                   \
    QVERIFY2(verified_, verified_ ? "" : trainyard::toText(verified_.error()).c_str()); \
  } while (false)
