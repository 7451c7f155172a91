#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include "core/catalogue/catalogue.h"

using namespace trainyard;

namespace {

struct Message {
  QString context, source;
  QStringList translations;
  bool unfinished = false;
};

QList<Message> readCatalog(const QString& file) {
  QFile in(file);
  if (!in.open(QIODevice::ReadOnly)) return {};
  QXmlStreamReader xml(&in);
  QList<Message> messages;
  Message now;
  QString context;
  while (!xml.atEnd()) {
    xml.readNext();
    if (xml.isStartElement()) {
      if (xml.name() == u"name")
        context = xml.readElementText();
      else if (xml.name() == u"message")
        now = {context, {}, {}, false};
      else if (xml.name() == u"source")
        now.source = xml.readElementText();
      else if (xml.name() == u"numerusform")
        now.translations << xml.readElementText();
      else if (xml.name() == u"translation") {
        now.unfinished = xml.attributes().value("type") == u"unfinished";
        // Plain text, or numerusform elements, which the loop then meets.
        QString text;
        while (xml.readNext() == QXmlStreamReader::Characters) text += xml.text();
        if (!text.trimmed().isEmpty()) now.translations << text;
        if (xml.isStartElement() && xml.name() == u"numerusform") now.translations << xml.readElementText();
      }
    } else if (xml.isEndElement() && xml.name() == u"message") {
      messages << now;
    }
  }
  return xml.hasError() ? QList<Message>() : messages;
}

QString catalogFile(const char* language) { return qEnvironmentVariable("TRAINYARD_RESOURCES") + "/translations/trainyard_" + language + ".ts"; }

// "%1 of %Ln" → {"%1", "%n"}
QSet<QString> placeholders(QString text) {
  static const QRegularExpression kMark("%L?(\\d+|n)|\\{[a-z_]+\\}");
  QSet<QString> found;
  auto it = kMark.globalMatch(text);
  while (it.hasNext()) found << it.next().captured(0).remove('L');
  return found;
}

void collect(const catalogue::ParamSpec& spec, QSet<QString>& out) {
  for (const auto& text : {spec.title, spec.help, spec.unit}) out << QString::fromStdString(text);
  for (const auto& option : spec.choices) out << QString::fromStdString(option.title) << QString::fromStdString(option.help);
  for (const auto& item : spec.items) collect(item, out);
}

}  // namespace

class TranslationsTest : public QObject {
  Q_OBJECT
  QList<Message> chinese_;

 private Q_SLOTS:
  void initTestCase() {
    chinese_ = readCatalog(catalogFile("zh_CN"));
    QVERIFY2(chinese_.size() > 200, qPrintable(catalogFile("zh_CN")));
  }

  void everythingIsTranslated() {
    QStringList missing;
    for (const Message& message : chinese_) {
      const bool empty = message.translations.isEmpty() || message.translations.contains(QString());
      if (message.unfinished || empty) missing << message.context + ": " + message.source;
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join("\n")));
  }

  void placeholdersAgree() {
    QStringList wrong;
    for (const Message& message : chinese_) {
      for (const QString& translation : message.translations) {
        if (placeholders(message.source) != placeholders(translation)) wrong << message.source + " → " + translation;
      }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
  }

  void theWholeCatalogueIsThere() {
    QSet<QString> wanted;
    for (const auto& section : catalogue::sections()) {
      wanted << QString::fromStdString(section.title);
      for (const auto& spec : section.params) collect(spec, wanted);
      for (const auto& entry : section.choices) {
        wanted << QString::fromStdString(entry.title) << QString::fromStdString(entry.help);
        for (const auto& spec : entry.params) collect(spec, wanted);
      }
    }
    wanted.remove(QString());
    QVERIFY(wanted.size() > 80);
    for (const Message& message : chinese_) {
      if (message.context == "catalogue") wanted.remove(message.source);
    }
    const QStringList missing(wanted.begin(), wanted.end());
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join("\n")));
  }

  void englishPluralsAreTwo() {
    const auto english = readCatalog(catalogFile("en"));
    QVERIFY(english.size() > 10);
    for (const Message& message : english) {
      QVERIFY2(!message.unfinished && message.translations.size() == 2 && !message.translations.contains(QString()), qPrintable(message.source));
      for (const QString& translation : message.translations) QCOMPARE(placeholders(translation), placeholders(message.source));
    }
  }

  // No tr() with a plural may be left out of the English file: it would show "(s)".
  void everyPluralHasEnglish() {
    QSet<QString> english;
    for (const Message& message : readCatalog(catalogFile("en"))) english << message.context + message.source;
    for (const Message& message : chinese_) {
      if (placeholders(message.source).contains("%n")) QVERIFY2(english.contains(message.context + message.source), qPrintable(message.source));
    }
  }
};

QTEST_GUILESS_MAIN(TranslationsTest)
#include "tst_translations.moc"
