#include "ui/pages/input/input_page.h"

#include <QRandomGenerator>
#include <QScrollArea>
#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "ui/icons/icons.h"
#include "ui/models/run_text.h"
#include "ui/pages/data/normalise.h"
#include "ui/pages/input/chain_steps.h"
#include "ui/pages/input/samples_view.h"
#include "ui/pages/input/step_list.h"
#include "ui/pictures/data_doctor.h"
#include "ui/pictures/picture_delegate.h"
#include "ui/pictures/picture_model.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kLeftWidth = 352;
constexpr int kSamples = 8;
constexpr auto kSizeKey = "data.size";
constexpr int kUsualSize = 224;
constexpr int kSmall = 64;  // pictures up to this are small ones

}  // namespace

InputPage::InputPage(Context& context, QWidget* parent) : Page(context, parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(20, 16, 20, 16);
  row->setSpacing(16);
  preview_ = new ChainPreview(context_.recipe, this);
  row->addWidget(makeLeft());
  row->addWidget(makeMiddle(), 1);
  connect(context_.recipe, &RecipeDocument::changed, this, &InputPage::refresh);
  connect(context_.dataset, &DatasetScan::changed, this, &InputPage::refresh);
  connect(preview_, &ChainPreview::changed, this, &InputPage::fill);
  InputPage::retranslate();
}

QWidget* InputPage::makeLeft() {
  left_ = new QScrollArea(this);
  left_->setWidgetResizable(true);
  left_->setFrameShape(QFrame::NoFrame);
  left_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  left_->setFixedWidth(kLeftWidth);
  auto* holder = new QWidget;
  holder->setObjectName("scrolled");
  auto* column = new QVBoxLayout(holder);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(14);
  chain_ = new Card(holder);
  tabs_ = new QTabBar(chain_);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->addTab({});
  tabs_->addTab({});
  intro_ = makeLabel("secondary", chain_, true);
  empty_ = new QWidget(chain_);
  auto* buttons = new QVBoxLayout(empty_);
  buttons->setContentsMargins(0, 0, 0, 0);
  buttons->setSpacing(6);
  photos_ = makeButton(empty_);
  small_ = makeButton(empty_);
  buttons->addWidget(photos_, 0, Qt::AlignLeft);
  buttons->addWidget(small_, 0, Qt::AlignLeft);
  steps_ = new StepList(context_.recipe, chain_);
  note_ = makeLabel("secondary", chain_, true);
  own_ = makeButton(chain_);
  for (QWidget* widget : std::initializer_list<QWidget*>{tabs_, intro_, empty_, steps_, note_}) chain_->body()->addWidget(widget);
  chain_->body()->addWidget(own_, 0, Qt::AlignLeft);
  step_card_ = new Card(holder);
  step_help_ = makeLabel("secondary", step_card_, true);
  step_card_->body()->addWidget(step_help_);
  column->addWidget(chain_);
  column->addWidget(step_card_);
  column->addStretch(1);
  left_->setWidget(holder);
  connect(tabs_, &QTabBar::currentChanged, this, &InputPage::refresh);
  connect(steps_, &StepList::selectionChanged, this, &InputPage::refreshForm);
  connect(photos_, &QPushButton::clicked, this, [this] { suggest(true); });
  connect(small_, &QPushButton::clicked, this, [this] { suggest(false); });
  connect(own_, &QPushButton::clicked, this, &InputPage::toggleOwnChain);
  return left_;
}

QWidget* InputPage::makeMiddle() {
  pictures_ = new Card(this);
  auto* top = new QHBoxLayout;
  top->setSpacing(6);
  const auto tool = [this](const char* name, auto act) {
    auto* button = new QToolButton(pictures_);
    button->setIcon(icon(name));
    connect(button, &QToolButton::clicked, this, act);
    return button;
  };
  before_ = tool("previous", [this] { step(-1); });
  after_ = tool("next", [this] { step(1); });
  random_ = tool("shuffle", [this] { random(); });
  name_ = new PathLabel(pictures_);
  name_->setProperty("look", "strong");
  seed_ = makeLabel("secondary", pictures_);
  more_ = makeButton(pictures_);
  more_->setProperty("primary", true);
  for (QWidget* widget : std::initializer_list<QWidget*>{before_, after_, random_}) top->addWidget(widget);
  top->addWidget(name_, 1);
  top->addWidget(seed_);
  top->addWidget(more_);
  pictures_->body()->addLayout(top);
  trouble_ = makeLabel("error", pictures_, true);
  free_size_ = makeButton(pictures_);
  free_size_->hide();
  pictures_->body()->addWidget(trouble_);
  pictures_->body()->addWidget(free_size_, 0, Qt::AlignLeft);
  connect(free_size_, &QPushButton::clicked, this, [this] { context_.recipe->set(kSizeKey, 0); });
  samples_ = new SamplesView(pictures_);
  pictures_->body()->addWidget(samples_, 1);
  strip_model_ = new PictureModel(this);
  strip_ = new QListView(pictures_);
  strip_->setModel(strip_model_);
  strip_->setItemDelegate(new PictureDelegate(strip_));
  strip_->setViewMode(QListView::IconMode);
  strip_->setFlow(QListView::LeftToRight);
  strip_->setWrapping(false);
  strip_->setMovement(QListView::Static);
  strip_->setLayoutMode(QListView::Batched);
  strip_->setUniformItemSizes(true);
  strip_->setSpacing(6);
  strip_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  strip_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  strip_->setFixedHeight(PictureModel::kThumbHeight + 44);
  pictures_->body()->addWidget(strip_);
  connect(more_, &QPushButton::clicked, this, [this] {
    epoch_ += kSamples;
    ask();
  });
  connect(strip_, &QListView::clicked, this, [this](const QModelIndex& index) { showSample(index.data(PictureModel::IndexRole).toULongLong()); });
  return pictures_;
}

bool InputPage::ownEvaluation() const {
  const Json apart = context_.recipe->value("eval_augment");
  return apart.is_array() && !apart.empty();
}

// The edge that steps are made for.
int InputPage::networkSize() const {
  const Json size = context_.recipe->value(kSizeKey);
  if (size.is_number_integer() && size.get<int>() > 0) return size.get<int>();
  return facts_ && facts_->width > 0 && facts_->width <= kSmall ? facts_->width : kUsualSize;
}

void InputPage::refresh() {
  if (!context_.dataset->busy() && context_.dataset->facts() != facts_) {
    facts_ = context_.dataset->facts();
    asked_ = nullptr;
    if (!facts_ || sample_ >= facts_->dataset->size()) sample_ = 0;
    strip_model_->setScale(devicePixelRatioF());
    strip_model_->setFacts(facts_);
    if (facts_ && !facts_->parts.train.empty() && sample_ == 0) sample_ = facts_->parts.train.front();
  }
  refreshChain();
  refreshForm();
  // Not for a page that nobody looks at.
  if (isVisible()) ask();
}

void InputPage::refreshChain() {
  steps_->setNewSize(networkSize());
  if (training()) {
    steps_->setChain("augment");
  } else if (ownEvaluation()) {
    steps_->setChain("eval_augment");
  } else {
    steps_->setFixed(derivedEvaluation(context_.recipe->value("augment")));
  }
  steps_->refresh();
  refreshEmpty();
}

void InputPage::refreshEmpty() {
  const bool none = steps_->rows().empty();
  const bool derived = !training() && !ownEvaluation();
  empty_->setVisible(training() && none);
  own_->setVisible(!training());
  own_->setText(derived ? tr("Edit a chain of its own") : tr("Follow the training chain again"));
  QString intro = tr("Every picture goes through these steps, with new random numbers in each epoch.");
  if (training() && none)
    intro = tr("There is no step yet: the network gets every picture the same way each time. Some change makes it learn more from few pictures.");
  if (derived) intro = none ? tr("Pictures are evaluated as they are.") : tr("It follows from the training chain: the same sizes, nothing random.");
  if (!training() && !derived) intro = tr("Pictures go through these steps when the network is evaluated and used. Nothing random belongs here.");
  intro_->setText(intro);
  bool mixes = false;
  for (const StepRow* row : steps_->rows()) mixes |= row->step().enabled && (row->step().op == "mixup" || row->step().op == "cutmix");
  note_->setText(mixes ? tr("Mixup and CutMix act on whole updates: each picture gets a share of the one before it, written below it here.") : QString());
  note_->setVisible(mixes);
}

// The form is made anew only for another step: a field that is being typed into must stay.
void InputPage::refreshForm() {
  const QString path = steps_->selected();
  const Json op = path.isEmpty() ? Json() : context_.recipe->value(path + ".op");
  const auto* entry = op.is_string() ? catalogue::find(catalogue::augmentations(), op.get<std::string>()) : nullptr;
  step_card_->setVisible(entry != nullptr);
  const QString wanted = entry == nullptr ? QString() : path + " " + QString::fromStdString(entry->id);
  if (wanted == form_of_) return;
  form_of_ = wanted;
  if (form_ != nullptr) {
    form_->hide();
    form_->deleteLater();
    form_ = nullptr;
  }
  if (entry == nullptr) return;
  step_card_->setTitle(catalogueText(entry->title));
  step_help_->setText(catalogueText(entry->help));
  form_ = new ParamForm(context_.recipe, step_card_, true);
  for (const auto& spec : entry->params) form_->addKey(path + "." + QString::fromStdString(spec.key));
  form_->build();
  step_card_->body()->addWidget(form_);
}

void InputPage::ask() {
  // Pictures and recipe do not belong together yet.
  if (context_.dataset->busy()) return;
  const RecipeDocument& recipe = *context_.recipe;
  const bool pictures = facts_ && facts_->dataset->size() > 0 && facts_->dataset->columns() == nullptr && facts_->dataset->task() != data::Task::Tokens;
  for (QWidget* widget : std::initializer_list<QWidget*>{before_, after_, random_, more_}) widget->setEnabled(pictures);
  strip_->setVisible(pictures);
  if (!pictures) {
    asked_ = nullptr;
    samples_->setCells({});
    name_->setPath({});
    seed_->clear();
    const bool table = facts_ && facts_->dataset->columns() != nullptr;
    const bool text = facts_ && facts_->dataset->task() == data::Task::Tokens;
    trouble_->setText(text    ? tr("A text goes to the network as it is; there is nothing to see here.")
                      : table ? tr("The rows of a table go to the network as numbers; there is nothing to see here.")
                              : tr("No pictures yet: choose a folder on the Data page."));
    setLook(trouble_, "look", "secondary");
    return trouble_->show();
  }
  const Json wanted = {recipe.value("run.seed"),
                       recipe.value("train.batch_size"),
                       recipe.value("data"),
                       recipe.given().value("augment", Json()),
                       recipe.given().value("eval_augment", Json()),
                       sample_,
                       epoch_,
                       training()};
  if (wanted == asked_ && preview_->shown().wanted.sample == sample_) return;
  asked_ = wanted;
  name_->setPath(QString::fromStdString(facts_->dataset->name(sample_)));
  samples_->setStale(true);
  preview_->request(facts_, {training(), sample_, epoch_, training() ? kSamples : 1});
}

void InputPage::fill() {
  const ChainPreview::Shown& shown = preview_->shown();
  std::map<QString, QString> faults;
  QString general = shown.problem;
  bool size = false;
  for (const auto& fault : shown.faults) {
    if (fault.step.isEmpty() || fault.step == kSizeKey) {
      general = fault.text;
      size |= fault.step == kSizeKey;
    } else {
      faults.emplace(fault.step, fault.text);
    }
  }
  steps_->setFaults(faults);
  setLook(trouble_, "look", "error");
  trouble_->setText(general);
  trouble_->setVisible(!general.isEmpty());
  free_size_->setVisible(size);
  QVector<SamplesView::Cell> cells;
  cells.push_back({shown.original, shown.width > 0 ? tr("Original, %1 × %2").arg(shown.width).arg(shown.height) : tr("Original")});
  for (size_t i = 0; i < shown.samples.size(); ++i) {
    const QImage& image = shown.samples[i];
    const QString size = QString("%1 × %2").arg(image.width()).arg(image.height());
    QString label = shown.wanted.training ? tr("Epoch %1").arg(shown.wanted.epoch + i + 1) : tr("As evaluated, %1").arg(size);
    if (i < shown.mixed.size() && !shown.mixed[i].with.isEmpty())
      label += " · " + tr("%1 from %2").arg(percentText(1 - shown.mixed[i].share, 0), shown.mixed[i].with);
    cells.push_back({image, label});
  }
  samples_->setCells(cells);
  const auto seen = shown.samples.empty() ? QString() : QString("%1 × %2 · ").arg(shown.samples[0].width()).arg(shown.samples[0].height());
  seed_->setText(seen + tr("seed %1").arg(shown.seed));
}

void InputPage::showSample(uint64_t sample) {
  if (!facts_ || sample >= facts_->dataset->size()) return;
  sample_ = sample;
  ask();
}

void InputPage::step(int by) {
  const uint64_t size = facts_->dataset->size();
  showSample((sample_ + size + uint64_t(int64_t(by))) % size);
}

void InputPage::random() { showSample(QRandomGenerator::global()->generate64() % facts_->dataset->size()); }

void InputPage::suggest(bool photos) {
  const RecipeDocument& recipe = *context_.recipe;
  const bool colour = recipe.value("data.channels") == Json("rgb") || (recipe.value("data.channels") != Json("grey") && facts_ && facts_->channels == 3);
  Json next = recipe.given();
  Json chain = photos ? suggestedForPhotos(networkSize()) : suggestedForSmallPictures(networkSize(), colour);
  const auto& report = context_.doctor->report();
  const ColourStatistics colours = report ? statisticsFor(*report, recipe) : ColourStatistics();
  if (!colours.mean.empty()) chain.push_back({{"op", "normalize"}, {"mean", colours.mean}, {"std", colours.std}});
  next["augment"] = chain;
  context_.recipe->replaceAll(next);
}

void InputPage::toggleOwnChain() {
  Json next = context_.recipe->given();
  if (ownEvaluation()) {
    next.erase("eval_augment");
  } else {
    Json chain = derivedEvaluation(context_.recipe->value("augment"));
    if (chain.empty()) chain = Json::array({{{"op", "center_crop"}, {"size", networkSize()}}});
    next["eval_augment"] = chain;
  }
  context_.recipe->replaceAll(next);
}

void InputPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  refresh();
}

bool InputPage::reveal(const QString& key) {
  const bool evaluation = key.startsWith("eval_augment");
  if (!evaluation && !key.startsWith("augment")) return false;
  tabs_->setCurrentIndex(evaluation ? 1 : 0);
  const QString path = key.contains('.') ? key.left(key.lastIndexOf('.')) : key;
  steps_->select(path);
  if (form_ == nullptr || !form_->reveal(key)) return form_ != nullptr;
  left_->ensureWidgetVisible(form_->row(key));
  return true;
}

bool InputPage::settled() const { return !preview_->busy() && strip_model_->idle(); }

void InputPage::retranslate() {
  chain_->setTitle(tr("What the network sees"));
  tabs_->setTabText(0, tr("Training"));
  tabs_->setTabText(1, tr("Evaluation"));
  photos_->setText(tr("Suggested for photos"));
  small_->setText(tr("Suggested for small pictures"));
  free_size_->setText(tr("Let the steps decide the size"));
  more_->setText(tr("New samples"));
  more_->setToolTip(tr("The next eight epochs"));
  seed_->setToolTip(tr("The same seed gives the same samples; training uses exactly these."));
  const std::pair<QToolButton*, QString> kTools[] = {{before_, tr("Previous picture")}, {after_, tr("Next picture")}, {random_, tr("Any picture")}};
  for (const auto& [button, text] : kTools) {
    button->setToolTip(text);
    button->setAccessibleName(text);
  }
  form_of_.clear();
  steps_->retranslate();
  refresh();
  if (!asked_.is_null()) fill();
}

}  // namespace trainyard::ui
