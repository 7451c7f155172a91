#pragma once
// The pictures of the data, with filters above.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>

#include "ui/pictures/picture_model.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class PictureGrid : public Card {
  Q_OBJECT
 public:
  explicit PictureGrid(QWidget* parent = nullptr);
  void setFacts(const std::shared_ptr<const DatasetScan::Facts>& facts);
  void showClass(int label);
  bool settled() const { return model_->idle(); }
  PictureModel* model() const { return model_; }
  QListView* view() const { return view_; }
  void retranslate();

 private:
  void filter();

  std::shared_ptr<const DatasetScan::Facts> facts_;
  QComboBox *class_, *part_;
  QLineEdit* name_;
  QListView* view_;
  PictureModel* model_;
};

}  // namespace trainyard::ui
