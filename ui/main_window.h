#pragma once
// The window: rail, top bar, and the pages, each built on its first visit. It owns no state but which page is in front.
#include <QMap>
#include <QStackedWidget>
#include <QWidget>

#include "ui/context.h"

namespace trainyard {
struct Error;
namespace recipe {
struct Problem;
}
}  // namespace trainyard

namespace trainyard::ui {

class NoticeBar;
class Page;
class Rail;
class TopBar;

class MainWindow : public QWidget {
  Q_OBJECT
 public:
  explicit MainWindow(Context& context, QWidget* parent = nullptr);

  // Brings a page to the front. "run" takes the run's directory. An unknown id changes nothing and returns false.
  bool open(const QString& page, const QVariant& argument = {});
  Page* current() const;
  QString currentId() const;

  void start();        // trains the recipe, or explains why not
  void showProblem();  // brings the first wrong value into view
  void tell(const Error& error);
  NoticeBar* notice() const { return notice_; }
  // A folder becomes a new recipe, a .toml file is opened. Error when it is neither.
  void take(const QString& path);

 Q_SIGNALS:
  void practiceRequested();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void go(const QString& where, const QVariant& argument);
  void tellAbout(const recipe::Problem& problem);
  void addShortcuts();
  void retitle();
  void askBeforeClosing(const QStringList& live);

  Context& context_;
  Rail* rail_;
  TopBar* top_;
  NoticeBar* notice_;
  QStackedWidget* stack_;
  QMap<QString, Page*> pages_;
  bool closing_ = false;
};

}  // namespace trainyard::ui
