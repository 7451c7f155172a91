#include "ui/pages/model/model_page.h"

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"
#include "ui/widgets/columns.h"

namespace trainyard::ui {
namespace {

constexpr int kColumns = 2;
constexpr int kRightWidth = 372;
constexpr int kSmallPicture = 40;  // pixels: below it, networks made for photos shrink the picture away
constexpr uint64_t kFewPictures = 200;

}  // namespace

ModelPage::ModelPage(Context& context, QWidget* parent) : Page(context, parent) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  columns_ = new Columns(this, kRightWidth);
  all->addWidget(columns_);
  title_ = makeLabel("page", columns_);
  intro_ = makeLabel("secondary", columns_, true);
  columns_->left()->addWidget(title_);
  columns_->left()->addWidget(intro_);
  auto* grid = new QGridLayout;
  grid->setSpacing(12);
  const auto architectures = catalogue::architectures();
  for (size_t i = 0; i < architectures.size(); ++i) {
    auto* card = new ChoiceCard(columns_);
    card->setAutoExclusive(true);
    cards_.push_back(card);
    grid->addWidget(card, int(i) / kColumns, int(i) % kColumns);
    connect(card, &ChoiceCard::clicked, this, [this, id = QString::fromStdString(architectures[i].id)] { context_.recipe->choose("model", id); });
  }
  for (int column = 0; column < kColumns; ++column) grid->setColumnStretch(column, 1);
  columns_->left()->addLayout(grid);

  own_ = new Card(columns_);
  own_form_ = new ParamForm(context_.recipe, own_, true);
  own_form_->addChosenParams("model");
  own_->body()->addWidget(own_form_);
  start_ = new Card(columns_);
  start_form_ = new ParamForm(context_.recipe, start_, true);
  start_form_->addKey("model.weights");
  start_form_->addKey("model.classes");
  classes_ = makeLabel("secondary", start_, true);
  start_->body()->addWidget(start_form_);
  start_->body()->addWidget(classes_);
  columns_->right()->addWidget(start_);
  columns_->right()->addWidget(own_);
  columns_->finish();
  connect(own_form_, &ParamForm::built, this, [this] { own_->setVisible(!own_form_->empty()); });
  own_form_->build();
  start_form_->build();
  connect(context_.recipe, &RecipeDocument::changed, this, &ModelPage::refresh);
  connect(context_.dataset, &DatasetScan::changed, this, &ModelPage::refresh);
  ModelPage::retranslate();
}

QString ModelPage::recommended() const {
  const auto& facts = context_.dataset->facts();
  if (!facts || facts->width == 0) return {};
  const Json size = context_.recipe->value("data.size");
  const int given = size.is_number_integer() ? size.get<int>() : 0;
  const int edge = given > 0 ? given : std::min(facts->width, facts->height);
  return edge <= kSmallPicture || facts->dataset->size() < kFewPictures ? QStringLiteral("smallcnn") : QStringLiteral("resnet18");
}

void ModelPage::refresh() {
  const Json chosen = context_.recipe->value("model.arch");
  const QString suits = recommended();
  const auto architectures = catalogue::architectures();
  for (size_t i = 0; i < cards_.size(); ++i) {
    const auto& entry = architectures[i];
    const bool suggested = suits == QString::fromStdString(entry.id);
    cards_[i]->setTexts(catalogueText(entry.title), catalogueText(entry.help), suggested ? tr("Suits your pictures") : QString());
    cards_[i]->setChecked(chosen == Json(entry.id));
  }
  const auto& facts = context_.dataset->facts();
  classes_->setText(facts ? tr("Your data has %n class(es).", nullptr, int(facts->dataset->classes().size())) : QString());
  classes_->setVisible(!classes_->text().isEmpty());
}

bool ModelPage::reveal(const QString& key) {
  if (own_form_->reveal(key) || start_form_->reveal(key)) return true;
  if (key != "model.arch") return false;
  cards_.front()->setFocus(Qt::OtherFocusReason);
  return true;
}

void ModelPage::retranslate() {
  title_->setText(tr("Choose a network"));
  intro_->setText(tr("All of them learn from scratch on your pictures, or go on from weights you have."));
  own_->setTitle(tr("Its own settings"));
  start_->setTitle(tr("Starting point"));
  own_form_->retranslate();
  start_form_->retranslate();
  refresh();
}

}  // namespace trainyard::ui
