#pragma once
// What the network sees: the chain of steps, the form of one of them, and a picture with eight samples of it, made by the code and with the
// seed of the training.
#include <QListView>
#include <QTabBar>

#include "ui/forms/param_form.h"
#include "ui/pages/page.h"
#include "ui/pictures/chain_preview.h"
#include "ui/widgets/parts.h"

class QScrollArea;

namespace trainyard::ui {

class PictureModel;
class SamplesView;
class StepList;

class InputPage : public Page {
  Q_OBJECT
 public:
  explicit InputPage(Context& context, QWidget* parent = nullptr);
  QString id() const override { return "input"; }
  bool reveal(const QString& key) override;
  bool settled() const override;

  StepList* steps() const { return steps_; }
  SamplesView* samples() const { return samples_; }
  ChainPreview* preview() const { return preview_; }
  QTabBar* tabs() const { return tabs_; }
  QPushButton* newSamplesButton() const { return more_; }
  QPushButton* ownChainButton() const { return own_; }
  QPushButton* photosButton() const { return photos_; }
  QPushButton* freeSizeButton() const { return free_size_; }
  ParamForm* form() const { return form_; }
  void showSample(uint64_t sample);

 protected:
  void retranslate() override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeLeft();
  QWidget* makeMiddle();
  bool training() const { return tabs_->currentIndex() == 0; }
  bool ownEvaluation() const;
  int networkSize() const;
  void refresh();
  void refreshChain();
  void refreshEmpty();
  void refreshForm();
  void ask();
  void fill();
  void step(int by);
  void random();
  void suggest(bool photos);
  void toggleOwnChain();

  QTabBar* tabs_;
  Card *chain_, *step_card_, *pictures_;
  QLabel *intro_, *note_, *step_help_, *trouble_, *seed_;
  QWidget* empty_;
  QPushButton *photos_, *small_, *own_;
  StepList* steps_;
  QScrollArea* left_;
  ParamForm* form_ = nullptr;
  QString form_of_;  // path and op that the form was made for
  PathLabel* name_;
  QToolButton *before_, *after_, *random_;
  QPushButton *more_, *free_size_;
  SamplesView* samples_;
  QListView* strip_;
  PictureModel* strip_model_;
  ChainPreview* preview_;
  std::shared_ptr<const DatasetScan::Facts> facts_;
  uint64_t sample_ = 0, epoch_ = 0;
  Json asked_;  // what the samples that are shown, or on their way, were made from
};

}  // namespace trainyard::ui
