#pragma once
// How long, how fast, how precisely, when it stops, where: the recipe's training part, and what it comes to.
#include <vector>

#include "ui/forms/param_form.h"
#include "ui/pages/page.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class Columns;
class MachinesCard;
class ParameterGroups;
class PresetBar;
class RateCard;
class WhereCard;

class TrainPage : public Page {
  Q_OBJECT
 public:
  explicit TrainPage(Context& context, QWidget* parent = nullptr);
  QString id() const override { return "train"; }
  bool reveal(const QString& key) override;
  bool settled() const override;

 protected:
  void retranslate() override;

 private:
  struct Group {
    Card* card;
    ParamForm* form;
    const char* title;
  };
  ParamForm* addGroup(const char* title);
  void addGroups();
  void countUp();
  QString shares() const;

  Columns* columns_;
  std::vector<Group> groups_;
  WhereCard* where_;
  MachinesCard* machines_;
  PresetBar* presets_;
  ParameterGroups* parameters_;
  RateCard* rate_;
  Card* numbers_;
  QLabel *updates_, *samples_, *epoch_;
  QLabel *updates_name_, *samples_name_, *epoch_name_;
};

}  // namespace trainyard::ui
