#pragma once
// The pictures of the data, with filters above.
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QToolButton>

#include "ui/pages/data/finding_groups.h"
#include "ui/pictures/picture_model.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class PictureGrid : public Card {
  Q_OBJECT
 public:
  explicit PictureGrid(QWidget* parent = nullptr);
  // Filters and place stay when `same_source`: only what is left out, or the split, has changed.
  void setFacts(const std::shared_ptr<const DatasetScan::Facts>& facts, bool same_source);
  void setFindings(const std::vector<FindingGroup>& groups);
  void showClass(int label);
  void showFinding(const QString& code);  // "" all pictures again
  // Null: pictures as they are stored. `problem`: why there is nothing else to show.
  void setPreview(std::shared_ptr<const loader::Preview> preview, const QString& problem);
  bool asNetwork() const { return network_->isChecked(); }
  bool settled() const { return model_->idle(); }
  PictureModel* model() const { return model_; }
  QListView* view() const { return view_; }
  QComboBox* what() const { return what_; }
  QToolButton* networkSwitch() const { return network_; }
  QPushButton* leaveAllOut() const { return leave_; }
  void retranslate();

 Q_SIGNALS:
  void opened(int row);
  void leaveOutRequested(const QStringList& pictures, const QStringList& classes);
  void networkToggled(bool on);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLayout* makeFilters();
  QWidget* makeBanner();
  void filter();
  void fillWhat(const QString& current);
  const FindingGroup* finding() const;  // that is shown; nullptr: none
  QStringList selected() const;
  void menu(const QPoint& at);

  std::shared_ptr<const DatasetScan::Facts> facts_;
  std::vector<FindingGroup> groups_;
  QComboBox *class_, *what_;
  QLineEdit* name_;
  QToolButton* network_;
  QFrame* banner_;
  QLabel* banner_text_;
  QPushButton *leave_, *all_;
  QListView* view_;
  PictureModel* model_;
  int restore_scroll_ = -1;
};

}  // namespace trainyard::ui
