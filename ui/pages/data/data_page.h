#pragma once
// What the network will learn from: the folder, its pictures, its classes, and how it is split.
#include <QComboBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QStackedWidget>

#include "ui/forms/param_form.h"
#include "ui/pages/page.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class BarList;
class Columns;
class DropZone;
class PictureGrid;

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
  QWidget* makeSource();
  QWidget* makeRight();
  void refresh();
  void refreshFindings();
  void chooseFolder();
  void setFolder(const QString& folder);
  QString summary() const;

  Card* source_;
  QComboBox* format_;
  QLineEdit* path_;
  QPushButton *choose_, *again_;
  QLabel* summary_;
  QStackedWidget* middle_;
  PictureGrid* grid_;
  DropZone* drop_;
  Card* trouble_;
  QLabel *trouble_what_, *trouble_hint_;
  QScrollArea* right_;
  Card *findings_, *classes_, *split_;
  QVBoxLayout* findings_rows_;
  BarList* bars_;
  ParamForm* form_;
  bool inviting_ = false;
};

}  // namespace trainyard::ui
