#pragma once
// The starting point: which architecture, from scratch or from weights, its own parameters, and its layers.
#include <QGridLayout>
#include <QHash>

#include "ui/forms/param_form.h"
#include "ui/pages/model/known_networks.h"
#include "ui/pages/page.h"
#include "ui/widgets/choice_card.h"
#include "ui/widgets/parts.h"

class QStackedWidget;
class QTabBar;

namespace trainyard::ui {

class Columns;
class LayerCard;
class StartCard;

class ModelPage : public Page {
  Q_OBJECT
 public:
  explicit ModelPage(Context& context, QWidget* parent = nullptr);
  QString id() const override { return "model"; }
  void shown() override;
  bool settled() const override;
  bool reveal(const QString& key) override;
  void showLayers(bool on);
  StartCard* start() const { return start_; }
  LayerCard* layers() const { return layers_; }
  ChoiceCard* card(const QString& architecture) const { return cards_.value(architecture); }
  QString recommended() const;  // the architecture that suits the data; empty: unknown

 protected:
  void retranslate() override;

 private:
  struct Group {
    Family family;
    QLabel* title;
  };
  void addFamilies();
  void refresh();
  QString aside(const QString& architecture) const;

  QTabBar* tabs_;
  QStackedWidget* stack_;
  Columns* columns_;
  QLabel *title_, *intro_;
  std::vector<Group> groups_;
  QHash<QString, ChoiceCard*> cards_;  // by architecture
  Card* own_;
  StartCard* start_;
  LayerCard* layers_;
  ParamForm* own_form_;
};

}  // namespace trainyard::ui
