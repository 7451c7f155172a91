#pragma once
// What the network will learn from: the folder, what is wrong in it, its pictures, its classes, and how it is split.
#include <QScrollArea>
#include <QStackedWidget>

#include "ui/forms/param_form.h"
#include "ui/pages/data/finding_groups.h"
#include "ui/pages/page.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class BarList;
class DropZone;
class ExclusionsCard;
class FindingsCard;
class PictureGrid;
class PictureView;
class RowTable;
class SourceCard;
class SplitCard;

class DataPage : public Page {
  Q_OBJECT
 public:
  explicit DataPage(Context& context, QWidget* parent = nullptr);
  QString id() const override { return "data"; }
  bool reveal(const QString& key) override;
  bool settled() const override;
  void invite();  // shows the place for a folder, whatever the recipe has; the folder becomes a recipe of its own

 protected:
  void retranslate() override;

 private:
  QWidget* makeMiddle();
  QWidget* makeRight();
  void connectAll();
  void refresh();
  void refreshMiddle();
  void refreshFindings();
  void refreshClasses();
  void refreshChain();
  void setSource(const QString& path);
  void openPicture(int row);
  void movePicture(int by);
  void refreshPicture();

  SourceCard* source_;
  QStackedWidget* middle_;
  PictureGrid* grid_;
  PictureView* picture_;
  RowTable* rows_;
  DropZone* drop_;
  Card* trouble_;
  QLabel *trouble_what_, *trouble_hint_;
  QPushButton* trouble_leave_;
  QScrollArea* right_;
  FindingsCard* findings_;
  ExclusionsCard* exclusions_;
  Card *classes_, *own_;
  SplitCard* split_;
  BarList* bars_;
  std::vector<size_t> bar_classes_;  // bar → class
  ParamForm* own_form_;
  bool inviting_ = false;
  int picture_row_ = -1;

  // What the findings shown were made from.
  std::shared_ptr<const data::ScanReport> grouped_report_;
  std::shared_ptr<const DatasetScan::Facts> grouped_facts_;
  Exclusions grouped_without_;
  Json shown_source_, chain_of_;
};

}  // namespace trainyard::ui
