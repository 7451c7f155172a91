#pragma once
// The small parts that pages are made of. Looks come from the style sheet through properties.
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <functional>
#include <string>

namespace trainyard::ui {

// Sets a property that the style sheet looks at, and has the widget styled anew.
void setLook(QWidget* widget, const char* property, const QVariant& value);

// A label in one of the looks "axis", "secondary", "caps", "strong", "section", "page", "hero", "error".
QLabel* makeLabel(const char* look, QWidget* parent = nullptr, bool wraps = false);
QPushButton* makeButton(QWidget* parent = nullptr);
QPushButton* makeLink(QWidget* parent = nullptr);
QFrame* makeLine(QWidget* parent = nullptr);

// Text of the catalogue's tables in the window's language.
QString catalogueText(const std::string& source);

// "1,124" and "3.1 GiB" as the window's language writes them.
QString formatNumber(qlonglong value);
QString formatSize(quint64 bytes);

// A round mark of a few pixels: changed, good, bad. None keeps the place.
class Dot : public QWidget {
  Q_OBJECT
 public:
  explicit Dot(QWidget* parent = nullptr);
  enum class Tone { None, Accent, Good, Caution, Bad };
  void setTone(Tone tone);
  Tone tone() const { return tone_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Tone tone_ = Tone::None;
};

// A rounded ground with a title, an optional note at the title's right, and what one puts into body().
class Card : public QFrame {
  Q_OBJECT
 public:
  explicit Card(QWidget* parent = nullptr);
  void setTitle(const QString& title);
  void setAside(const QString& text);
  QVBoxLayout* body() { return body_; }
  QHBoxLayout* header() { return header_; }

 private:
  QLabel *title_, *aside_;
  QHBoxLayout* header_;
  QVBoxLayout* body_;
};

// A label that cuts its text in the middle rather than growing: for paths. The whole text is in its tooltip.
class PathLabel : public QLabel {
  Q_OBJECT
 public:
  explicit PathLabel(QWidget* parent = nullptr) : QLabel(parent) {}
  void setPath(const QString& text);
  QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QString whole_;
};

// A strip across the window that says something once: text, up to two actions, close.
class NoticeBar : public QFrame {
  Q_OBJECT
 public:
  explicit NoticeBar(QWidget* parent = nullptr);
  // `kind`: "bad", "caution" or "good".
  void tell(const char* kind, const QString& text, const QString& action = {}, std::function<void()> act = {});
  QString text() const { return text_->text(); }

 private:
  QLabel* text_;
  QPushButton* action_;
  QToolButton* close_;
  std::function<void()> act_;
};

// Removes and deletes everything in a layout.
void clearLayout(QLayout* layout);

}  // namespace trainyard::ui
