#include "ui/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace trainyard::ui {
namespace {

constexpr auto kEnglish = "en";
constexpr auto kChinese = "zh_CN";

QString systemLanguage() { return QLocale::system().language() == QLocale::Chinese ? kChinese : kEnglish; }

}  // namespace

void Language::choose(const QString& name) {
  const QString language = name.isEmpty() ? systemLanguage() : name;
  if (language == current_) return;
  current_ = language;
  // A system in this language, of whatever region, keeps its own way of writing numbers and dates.
  const bool systems = QLocale::system().language() == QLocale(language).language();
  QLocale::setDefault(systems ? QLocale::system() : QLocale(language == kEnglish ? "en_GB" : language));
  QCoreApplication::removeTranslator(&ours_);
  QCoreApplication::removeTranslator(&qt_);
  // English has a file, too: its plurals.
  if (qt_.load("qtbase_" + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath))) QCoreApplication::installTranslator(&qt_);
  if (ours_.load(":/translations/trainyard_" + language + ".qm")) QCoreApplication::installTranslator(&ours_);
}

}  // namespace trainyard::ui
