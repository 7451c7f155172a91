#pragma once
// A page of the window. Built on its first visit, so constructors may build widgets but must not read disks or wait.
#include <QEvent>
#include <QVariant>
#include <QWidget>

#include "ui/context.h"

namespace trainyard::ui {

class Page : public QWidget {
  Q_OBJECT
 public:
  explicit Page(Context& context, QWidget* parent = nullptr) : QWidget(parent), context_(context) {}
  virtual QString id() const = 0;  // "home", "data", … as in --page
  virtual void shown() {}          // each time the page comes to the front
  // Brings the field of a recipe key into view and focuses it; false when the page has none for it.
  virtual bool reveal(const QString&) { return false; }
  // False while something asked for in the background (a scan, thumbnails) is still on its way: --grab waits for it.
  virtual bool settled() const { return true; }

 Q_SIGNALS:
  // ("run", directory of a run) opens that run; other ids open their page. ("take", folder) makes a recipe for it, ("practise") starts the
  // practice run, ("error", text) tells what went wrong.
  void navigate(const QString& pageId, const QVariant& argument);

 protected:
  // Sets every text that tr() gives. Called by subclasses at the end of their constructors, and again when the language changes.
  virtual void retranslate() = 0;
  void changeEvent(QEvent* event) override {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
  }

  Context& context_;
};

}  // namespace trainyard::ui
