#pragma once
// A place that invites a folder: a drawing of how it should look inside, a sentence, a button. (The whole window takes drops; this says so.)
#include <QFrame>
#include <QLabel>
#include <QPushButton>

namespace trainyard::ui {

class DropZone : public QFrame {
  Q_OBJECT
 public:
  explicit DropZone(QWidget* parent = nullptr, bool with_drawing = true);

 Q_SIGNALS:
  void folderChosen(const QString& folder);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void choose();

  QLabel *title_, *text_, *drawing_ = nullptr;
  QPushButton* choose_;
};

}  // namespace trainyard::ui
