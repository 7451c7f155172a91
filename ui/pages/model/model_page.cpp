#include "ui/pages/model/model_page.h"

#include <QCoreApplication>
#include <QStackedWidget>
#include <QTabBar>
#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "ui/models/run_text.h"
#include "ui/pages/model/layer_table.h"
#include "ui/pages/model/start_card.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"
#include "ui/widgets/columns.h"

namespace trainyard::ui {
namespace {

constexpr int kColumns = 2;
constexpr int kRightWidth = 372;
constexpr int kSmallPicture = 40;  // pixels: below it, networks made for photos shrink the picture away
constexpr uint64_t kFewPictures = 200;

struct FamilyText {
  Q_DECLARE_TR_FUNCTIONS(ModelPage)
};

QString familyTitle(Family family) {
  switch (family) {
    case Family::Small: return FamilyText::tr("Small, for first experiments");
    case Family::Residual: return FamilyText::tr("Residual networks: dependable");
    case Family::Light: return FamilyText::tr("Light: for slow computers and phones");
    case Family::Modern: return FamilyText::tr("Modern convolutions: accurate");
    case Family::Transformer: return FamilyText::tr("Transformers: for much data or published weights");
    case Family::Classic: return FamilyText::tr("Classics: for comparison");
    case Family::Text: return FamilyText::tr("For text");
    default: return FamilyText::tr("Your own");
  }
}

QString idOf(const catalogue::Descriptor& entry) { return QString::fromStdString(entry.id); }

}  // namespace

ModelPage::ModelPage(Context& context, QWidget* parent) : Page(context, parent) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  tabs_ = new QTabBar(this);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  for (int i = 0; i < 2; ++i) tabs_->addTab(QString());
  auto* head = new QHBoxLayout;
  head->setContentsMargins(20, 8, 20, 0);
  head->addWidget(tabs_);
  head->addStretch(1);
  all->addLayout(head);
  stack_ = new QStackedWidget(this);
  all->addWidget(stack_, 1);
  columns_ = new Columns(this, kRightWidth);
  title_ = makeLabel("page", columns_);
  intro_ = makeLabel("secondary", columns_, true);
  columns_->left()->addWidget(title_);
  columns_->left()->addWidget(intro_);
  addFamilies();
  own_ = new Card(columns_);
  own_form_ = new ParamForm(context_.recipe, own_, true);
  own_form_->addChosenParams("model");
  own_->body()->addWidget(own_form_);
  start_ = new StartCard(context_, columns_);
  columns_->right()->addWidget(start_);
  columns_->right()->addWidget(own_);
  columns_->finish();
  auto* layers_page = new QWidget(this);
  auto* layers_column = new QVBoxLayout(layers_page);
  layers_column->setContentsMargins(20, 12, 20, 16);
  layers_ = new LayerCard(context_, layers_page);
  layers_column->addWidget(layers_);
  stack_->addWidget(columns_);
  stack_->addWidget(layers_page);
  connect(own_form_, &ParamForm::built, this, [this] { own_->setVisible(!own_form_->empty()); });
  own_form_->build();
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    stack_->setCurrentIndex(index);
    if (index == 1) layers_->look();
  });
  connect(context_.recipe, &RecipeDocument::changed, this, &ModelPage::refresh);
  connect(context_.dataset, &DatasetScan::changed, this, &ModelPage::refresh);
  ModelPage::retranslate();
}

void ModelPage::addFamilies() {
  const auto architectures = catalogue::architectures();
  for (const Family family : families()) {
    QGridLayout* grid = nullptr;
    int place = 0;
    for (const auto& entry : architectures) {
      if (knownNetwork(entry.id).family != family) continue;
      if (grid == nullptr) {
        groups_.push_back({family, makeLabel("strong", columns_)});
        grid = new QGridLayout;
        grid->setSpacing(12);
        for (int column = 0; column < kColumns; ++column) grid->setColumnStretch(column, 1);
        columns_->left()->addWidget(groups_.back().title);
        columns_->left()->addLayout(grid);
      }
      auto* card = new ChoiceCard(columns_);
      cards_[idOf(entry)] = card;
      grid->addWidget(card, place / kColumns, place % kColumns);
      ++place;
      connect(card, &ChoiceCard::clicked, this, [this, id = idOf(entry)] {
        context_.recipe->choose("model", id);
        refresh();  // a click on the chosen one leaves it chosen
      });
    }
  }
}

QString ModelPage::recommended() const {
  const auto& facts = context_.dataset->facts();
  if (!facts) return {};
  const std::string format = context_.recipe->value("data.format").is_string() ? context_.recipe->value("data.format").get<std::string>() : "";
  if (facts->dataset->task() == data::Task::Tokens || format == "text") return QStringLiteral("gpt");
  if (facts->dataset->columns() != nullptr) return QStringLiteral("mlp");
  if (facts->width == 0) return {};
  const Json size = context_.recipe->value("data.size");
  const int given = size.is_number_integer() ? size.get<int>() : 0;
  const int edge = given > 0 ? given : std::min(facts->width, facts->height);
  const bool from_published = start_->way() == StartCard::Published;
  return edge <= kSmallPicture || (facts->dataset->size() < kFewPictures && !from_published) ? QStringLiteral("smallcnn") : QStringLiteral("resnet18");
}

QString ModelPage::aside(const QString& architecture) const {
  const KnownNetwork known = knownNetwork(architecture.toStdString());
  QStringList parts;
  if (recommended() == architecture) parts << tr("Suits your data");
  if (known.parameters > 0) parts << tr("%1 parameters").arg(shortCount(known.parameters));
  if (known.accuracy > 0) parts << tr("%1 on ImageNet").arg(percentText(known.accuracy));
  return parts.join(QStringLiteral(" · "));
}

void ModelPage::refresh() {
  const Json chosen = context_.recipe->value("model.arch");
  for (const auto& entry : catalogue::architectures()) {
    ChoiceCard* card = cards_.value(idOf(entry));
    card->setTexts(catalogueText(entry.title), catalogueText(entry.help), aside(idOf(entry)));
    card->setChecked(chosen == Json(entry.id));
  }
  const auto& facts = context_.dataset->facts();
  start_->setClasses(facts && facts->dataset->task() != data::Task::Tokens ? tr("Your data has %n class(es).", nullptr, int(facts->dataset->classes().size())) : QString());
  if (isVisible() && stack_->currentIndex() == 1) layers_->look();
}

void ModelPage::shown() {
  start_->shown();
  if (stack_->currentIndex() == 1) layers_->look();
}

bool ModelPage::settled() const { return start_->settled() && (stack_->currentIndex() == 0 || layers_->settled()); }

void ModelPage::showLayers(bool on) { tabs_->setCurrentIndex(on ? 1 : 0); }

bool ModelPage::reveal(const QString& key) {
  showLayers(false);
  if (own_form_->reveal(key) || start_->reveal(key)) return true;
  if (key != "model.arch") return false;
  cards_.value(idOf(catalogue::architectures().front()))->setFocus(Qt::OtherFocusReason);
  return true;
}

void ModelPage::retranslate() {
  title_->setText(tr("Choose a network"));
  intro_->setText(tr("Larger ones are more accurate, slower, and want more data. Where weights are published, a network can begin with what it learned from "
                     "photos."));
  tabs_->setTabText(0, tr("Networks"));
  tabs_->setTabText(1, tr("Layers"));
  for (const Group& group : groups_) group.title->setText(familyTitle(group.family));
  own_->setTitle(tr("Its own settings"));
  own_form_->retranslate();
  start_->retranslate();
  layers_->retranslate();
  refresh();
}

}  // namespace trainyard::ui
