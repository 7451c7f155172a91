#pragma once
// The window's language, switched while it runs. GUI thread.
#include <QObject>
#include <QTranslator>

namespace trainyard::ui {

class Language : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  // "en", "zh_CN"; empty: the system's when we speak it, else English. Widgets get a LanguageChange event.
  void choose(const QString& name);
  QString current() const { return current_; }

 private:
  QTranslator ours_, qt_;
  QString current_;
};

}  // namespace trainyard::ui
