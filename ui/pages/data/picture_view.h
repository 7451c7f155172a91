#pragma once
// One picture, large, with what is known about it. It keeps the data it came from, so a picture that has just been left out can still be
// looked at and put back.
#include <QFormLayout>
#include <QLabel>

#include "ui/pictures/picture_model.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class PictureView : public Card {
  Q_OBJECT
 public:
  explicit PictureView(QWidget* parent = nullptr);
  void open(const std::shared_ptr<const DatasetScan::Facts>& facts, uint64_t sample);
  void setLeftOut(bool left_out);
  void setFindings(const QStringList& lines);
  QString name() const { return name_; }  // empty: nothing is shown
  bool settled() const { return !loading_; }
  QString factText() const;  // all facts, a line each
  QPushButton* leaveButton() const { return leave_; }
  void retranslate();

 Q_SIGNALS:
  void closed();
  void moved(int by);  // -1, 1
  void leaveOutRequested(const QString& name, bool out);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Loaded;
  void load();
  void arrived(uint64_t generation, const std::shared_ptr<const Loaded>& loaded);
  void fillFacts();
  void fit();

  std::shared_ptr<const DatasetScan::Facts> facts_;
  uint64_t sample_ = 0, generation_ = 0;
  QString name_;
  bool loading_ = false, left_out_ = false;
  std::shared_ptr<const Loaded> loaded_;
  QStringList findings_;
  QToolButton *back_, *before_, *after_;
  PathLabel* title_;
  QLabel *picture_, *problem_;
  QVBoxLayout* rows_;
  QPushButton *leave_, *folder_;
};

}  // namespace trainyard::ui
