#include <QTest>
#include <set>

#include "core/catalogue/catalogue.h"

using namespace trainyard;
using namespace trainyard::catalogue;

// Every entry and every key must be fit to be shown and to be checked.
class TestCatalogue : public QObject {
  Q_OBJECT

  static void checkSpec(const ParamSpec& spec, const std::string& path, bool nested) {
    const auto fault = [&](const char* what) { QFAIL(qPrintable(QString::fromStdString(path + ": " + what))); };
    if (!nested && (spec.key.empty() || spec.title.empty() || spec.help.empty())) fault("key, title and help are needed");
    if (spec.kind == ParamKind::Choice && spec.choices.empty()) fault("a choice without choices");
    if (spec.kind == ParamKind::List && spec.items.size() != 1) fault("a list has one element spec");
    if (spec.kind == ParamKind::Union && spec.items.size() < 2) fault("a union has alternatives");
    if (spec.kind == ParamKind::Tables && (findSection(spec.section) == nullptr || !findSection(spec.section)->repeated)) fault("tables of no repeated section");
    if (spec.required && !spec.fallback.is_null()) fault("required and a default");
    if (spec.minimum && spec.maximum && *spec.minimum > *spec.maximum) fault("an empty range");
    for (const auto& item : spec.items) checkSpec(item, path + "/", true);
  }

 private Q_SLOTS:
  void everySectionAndEntryIsComplete() {
    std::set<std::string> sections_seen;
    for (const auto& section : sections()) {
      QVERIFY(sections_seen.insert(section.key).second);
      QVERIFY(!section.title.empty());
      std::set<std::string> keys{section.selector};
      for (const auto& spec : section.params) {
        QVERIFY2(keys.insert(spec.key).second, spec.key.c_str());
        checkSpec(spec, section.key + "." + spec.key, false);
      }
      QCOMPARE(section.selector.empty(), section.choices.empty());
      std::set<std::string> ids;
      for (const auto& entry : section.choices) {
        QVERIFY2(ids.insert(entry.id).second, entry.id.c_str());
        QVERIFY2(!entry.title.empty() && !entry.help.empty(), entry.id.c_str());
        for (const auto& spec : entry.params) {
          QVERIFY2(!keys.contains(spec.key), (entry.id + "." + spec.key).c_str());
          checkSpec(spec, section.key + "." + entry.id + "." + spec.key, false);
        }
      }
      if (!section.default_choice.empty()) QVERIFY(find(section.choices, section.default_choice) != nullptr);
    }
    QCOMPARE(sections_seen.size(), size_t{13});
  }

  void findsById() {
    QCOMPARE(find(optimizers(), "adamw")->state_bytes_per_parameter, 8.0);
    QVERIFY(find(optimizers(), "adamx") == nullptr);
    QVERIFY(findSection("train") != nullptr);
    QVERIFY(findSection("training") == nullptr);
  }
};

QTEST_APPLESS_MAIN(TestCatalogue)
#include "tst_catalogue.moc"
