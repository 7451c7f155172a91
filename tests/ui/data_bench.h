#pragma once
// The window on a folder of pictures whose scan says what the test wants; no test may change a file.
#include <QCryptographicHash>
#include <QDirIterator>
#include <QTest>

#include "tests/ui/sandbox.h"
#include "ui/launch.h"
#include "ui/main_window.h"
#include "ui/pages/data/exclusions.h"
#include "ui/pictures/data_doctor.h"
#include "ui/recipe_document.h"
#include "ui/workbench.h"

namespace trainyard::tests {

using namespace trainyard::ui;

inline data::Finding finding(data::Severity severity, const char* code, const std::string& file, std::vector<std::string> files = {}) {
  data::Finding found;
  found.severity = severity;
  found.code = code;
  found.file = file;
  found.text = std::string("text of ") + code;
  found.files = std::move(files);
  return found;
}

// Names and contents of everything below a folder.
inline QByteArray fingerprint(const QString& folder) {
  QCryptographicHash hash(QCryptographicHash::Sha1);
  QStringList files;
  for (QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) files << it.next();
  files.sort();
  for (const QString& name : files) {
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) return {};
    hash.addData(name.toUtf8());
    hash.addData(file.readAll());
  }
  return hash.result();
}

inline Launch quiet(const char* language = "en") {
  Launch launch;
  launch.language = language;
  launch.theme = "light";
  return launch;
}

class DataBench {
 protected:
  Sandbox box_;
  QString folder_;
  std::unique_ptr<Workbench> bench_;
  std::vector<data::Finding> findings_;
  QByteArray before_;  // no test may change a file

  MainWindow& window() { return bench_->window(); }
  RecipeDocument& recipe() { return *bench_->context().recipe; }
  DatasetScan& dataset() { return *bench_->context().dataset; }
  DataDoctor& doctor() { return *bench_->context().doctor; }
  template <class T>
  T* part() {
    return window().findChild<T*>();
  }
  QStringList excluded() { return exclusionsOf(recipe()).pictures; }

  // Says what the test has put into findings_.
  DataDoctor::Scan fake() {
    return [this](const recipe::Data& data, uint64_t seed, const data::ScanOptions&) -> Result<data::ScanReport> {
      TRAINYARD_TRY(const auto opened, data::openWithSplit(data, seed));
      data::ScanReport report;
      report.samples = opened.dataset->size();
      report.kinds = {{"png", report.samples}};
      report.width = {48, 48, 640};
      report.height = {36, 36, 480};
      report.mean = {0.471234, 0.42, 0.31};
      report.std = {0.2, 0.21, 0.22};
      for (size_t c = 0; c < opened.dataset->classes().size(); ++c) report.classes.push_back({opened.dataset->classes()[c], int(c), 12});
      report.findings = findings_;
      return report;
    };
  }

  void open(std::vector<data::Finding> findings) {
    findings_ = std::move(findings);
    window().take(folder_);
    QTRY_COMPARE(dataset().state(), DatasetScan::State::Ready);
    QTRY_COMPARE(doctor().state(), DataDoctor::State::Ready);
  }

  void makeFolder() {
    QVERIFY(box_.valid());
    folder_ = box_.makePictures("flowers", {"daisies", "roses", "tulips"}, 12);
    box_.write("config/window.ini", "[General]\n");
    before_ = fingerprint(folder_);
    QVERIFY(!before_.isEmpty());
  }
  void openWindow() {
    bench_ = std::make_unique<Workbench>(quiet(), box_.settingsFile());
    doctor().setScan(fake());
    bench_->show();
  }
  void closeWindow() {
    QVERIFY(fingerprint(folder_) == before_);
    bench_.reset();
  }
};

}  // namespace trainyard::tests
