#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>

#include <csignal>

#include "core/fetch/download.h"
#include "core/fetch/sha256.h"
#include "tests/fetch/server.h"

using namespace trainyard;
using testing::Server;

class TestDownload : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  std::string content_, digest_;
  fs::path file_;

  fs::path part() const { return file_.string() + ".part"; }
  Result<void> fetchFrom(const Server& server) const { return fetch::download({server.address(), digest_.substr(0, 8), file_}, {}); }
  static std::string text(const Result<void>& result) { return result ? "done" : toText(result.error()); }

 private Q_SLOTS:
  void init() {
    static int count = 0;
    for (int i = 0; i < 200000; ++i) content_.push_back(static_cast<char>(i * 7 + i / 256));
    content_.resize(200000);
    file_ = fs::path(dir_.path().toStdString()) / ("cache " + std::to_string(++count)) / "file.pth";
    QVERIFY(replaceFile(fs::path(dir_.path().toStdString()) / "whole", content_));
    digest_ = *fetch::sha256Of(fs::path(dir_.path().toStdString()) / "whole");
  }

  void sha256IsThePublishedOne() {
    const fs::path file = fs::path(dir_.path().toStdString()) / "abc";
    QVERIFY(replaceFile(file, "abc"));
    QCOMPARE(*fetch::sha256Of(file), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));  // FIPS 180-2, B.1
    QVERIFY(replaceFile(file, ""));
    QCOMPARE(*fetch::sha256Of(file), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    QVERIFY(!fetch::sha256Of(file.parent_path() / "nowhere"));
  }

  void arrivesWholeAndTellsItsProgress() {
    Server server(content_);
    uint64_t last = 0, of = 0;
    const auto fetched = fetch::download({server.address(), digest_, file_}, {[&](uint64_t done, uint64_t total) {
                                                                                 if (done < last) qFatal("went back");
                                                                                 last = done;
                                                                                 of = total;
                                                                               },
                                                                               nullptr});
    QVERIFY2(fetched, text(fetched).c_str());
    QCOMPARE(*readFile(file_), content_);
    QCOMPARE(last, uint64_t{200000});
    QCOMPARE(of, uint64_t{200000});
    QVERIFY(!fs::exists(part()));
  }

  void goesOnWhereTheConnectionBroke() {
    Server server(content_);
    server.misbehave({.break_after = 50000});
    const auto broken = fetchFrom(server);
    QVERIFY(!broken);
    QCOMPARE(broken.error().code, ErrorCode::Failed);
    QVERIFY2(text(broken).find("the connection broke after 48.") != std::string::npos, text(broken).c_str());
    QVERIFY(!fs::exists(file_));
    const uint64_t kept = fs::file_size(part());
    QVERIFY(kept > 40000 && kept < 50000);
    QVERIFY(fetchFrom(server));
    QCOMPARE(*readFile(file_), content_);
    QCOMPARE(server.requests().back(), "GET /file.pth " + std::to_string(kept) + "-");
  }

  void takesTheWholeFileWhereRangesAreUnknown() {
    Server server(content_);
    QVERIFY(makeFolder(file_.parent_path()));
    QVERIFY(replaceFile(part(), content_.substr(0, 1000) + "other bytes"));
    server.misbehave({.ranges = false});
    const auto fetched = fetchFrom(server);
    QVERIFY2(fetched, text(fetched).c_str());
    QCOMPARE(*readFile(file_), content_);
  }

  void aWholePartIsOnlyVerified() {
    Server server(content_);
    QVERIFY(makeFolder(file_.parent_path()));
    QVERIFY(replaceFile(part(), content_));
    const auto fetched = fetchFrom(server);
    QVERIFY2(fetched, text(fetched).c_str());
    QCOMPARE(*readFile(file_), content_);
  }

  void anotherFileIsRefusedAndRemoved() {
    Server server(content_ + "!");
    const auto fetched = fetchFrom(server);
    QVERIFY(!fetched);
    QCOMPARE(fetched.error().code, ErrorCode::Data);
    QVERIFY2(text(fetched).find("not " + digest_.substr(0, 8)) != std::string::npos, text(fetched).c_str());
    QVERIFY(!fs::exists(file_));
    QVERIFY(!fs::exists(part()));
    // A part of another file spoils one try only.
    Server right(content_);
    QVERIFY(replaceFile(part(), std::string(1000, 'x')));
    QVERIFY(!fetchFrom(right));
    QVERIFY(fetchFrom(right));
    QCOMPARE(*readFile(file_), content_);
  }

  void refusalsAndRedirects() {
    Server server(content_);
    server.misbehave({.status = 404});
    const auto gone = fetchFrom(server);
    QVERIFY(!gone);
    QVERIFY2(text(gone).find("status 404") != std::string::npos, text(gone).c_str());
    QVERIFY(!fs::exists(file_));
    server.misbehave({.redirect = "/elsewhere.pth"});
    QVERIFY(fetchFrom(server));
    QCOMPARE(server.requests().back(), std::string("GET /elsewhere.pth"));
    QCOMPARE(*readFile(file_), content_);
  }

  void noServerIsAClearError() {
    std::string address;
    {
      const Server server("");
      address = server.address();
    }
    const auto fetched = fetch::download({address, digest_, file_}, {});
    QVERIFY(!fetched);
    QCOMPARE(fetched.error().code, ErrorCode::Failed);
    QVERIFY(fetched.error().what.find("cannot be fetched") != std::string::npos);
    QCOMPARE(fetched.error().where, address);
  }

  // The limit of a file's size stands in for a full disk.
  void aFullDiskIsSaidAndWhatIsThereIsKept() {
    Server server(content_);
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{}, small{};
    getrlimit(RLIMIT_FSIZE, &limit);
    small = {70000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto fetched = fetchFrom(server);
    setrlimit(RLIMIT_FSIZE, &limit);
    QVERIFY(!fetched);
    QVERIFY2(text(fetched).find("cannot write") != std::string::npos, text(fetched).c_str());
    QCOMPARE(fs::file_size(part()), uintmax_t{70000});
    QVERIFY(!fs::exists(file_));
    QVERIFY(fetchFrom(server));
    QCOMPARE(*readFile(file_), content_);
  }

  void endsWhenAsked() {
    Server server(content_);
    std::atomic<bool> stop{true};
    const auto fetched = fetch::download({server.address(), digest_, file_}, {{}, &stop});
    QVERIFY(!fetched);
    QCOMPARE(fetched.error().code, ErrorCode::Interrupted);
    QVERIFY(!fs::exists(file_));
  }

  void twoAtATimeAreRefused() {
    Server server(content_);
    Result<void> second;
    const auto fetched = fetch::download({server.address(), digest_, file_}, {[&](uint64_t, uint64_t) {
                                                                                 if (second) second = fetchFrom(server);
                                                                               },
                                                                               nullptr});
    QVERIFY2(fetched, text(fetched).c_str());
    QVERIFY(!second);
    QCOMPARE(second.error().code, ErrorCode::Usage);
  }
};

QTEST_APPLESS_MAIN(TestDownload)
#include "tst_download.moc"
