#include "ui/pages/data/data_page.h"

#include <QCollator>
#include <algorithm>
#include <numeric>

#include "core/catalogue/catalogue.h"
#include "core/data/dataset.h"
#include "ui/pages/data/exclusions_card.h"
#include "ui/pages/data/findings_card.h"
#include "ui/pages/data/picture_grid.h"
#include "ui/pages/data/picture_view.h"
#include "ui/pages/data/row_table.h"
#include "ui/pages/data/source_card.h"
#include "ui/pages/data/split_card.h"
#include "ui/pictures/data_doctor.h"
#include "ui/recipe_document.h"
#include "ui/theme/theme.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/drop_zone.h"

namespace trainyard::ui {
namespace {

constexpr int kRightWidth = 330;

}  // namespace

DataPage::DataPage(Context& context, QWidget* parent) : Page(context, parent) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(20, 16, 20, 16);
  all->setSpacing(14);
  source_ = new SourceCard(context_, this);
  all->addWidget(source_);
  auto* below = new QHBoxLayout;
  below->setSpacing(16);
  below->addWidget(makeMiddle(), 1);
  below->addWidget(makeRight());
  all->addLayout(below, 1);
  connectAll();
  DataPage::retranslate();
}

QWidget* DataPage::makeMiddle() {
  middle_ = new QStackedWidget(this);
  grid_ = new PictureGrid(middle_);
  picture_ = new PictureView(middle_);
  rows_ = new RowTable(middle_);
  drop_ = new DropZone(middle_);
  trouble_ = new Card(middle_);
  trouble_what_ = makeLabel("section", trouble_, true);
  trouble_hint_ = makeLabel("secondary", trouble_, true);
  trouble_leave_ = makeButton(trouble_);
  trouble_->body()->addWidget(trouble_what_);
  trouble_->body()->addWidget(trouble_hint_);
  trouble_->body()->addWidget(trouble_leave_, 0, Qt::AlignLeft);
  trouble_->body()->addStretch(1);
  for (QWidget* page : std::initializer_list<QWidget*>{grid_, picture_, rows_, drop_, trouble_}) middle_->addWidget(page);
  return middle_;
}

QWidget* DataPage::makeRight() {
  right_ = new QScrollArea(this);
  right_->setWidgetResizable(true);
  right_->setFrameShape(QFrame::NoFrame);
  right_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  right_->setFixedWidth(kRightWidth);
  auto* holder = new QWidget;
  holder->setObjectName("scrolled");
  auto* column = new QVBoxLayout(holder);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(14);
  findings_ = new FindingsCard(holder);
  exclusions_ = new ExclusionsCard(context_.recipe, holder);
  classes_ = new Card(holder);
  bars_ = new BarList(classes_);
  classes_->body()->addWidget(bars_);
  split_ = new SplitCard(context_, holder);
  own_ = new Card(holder);
  own_form_ = new ParamForm(context_.recipe, own_, true);
  own_form_->addChosenParams("data");
  own_->body()->addWidget(own_form_);
  for (QWidget* card : std::initializer_list<QWidget*>{findings_, exclusions_, own_, classes_, split_}) column->addWidget(card);
  column->addStretch(1);
  right_->setWidget(holder);
  return right_;
}

void DataPage::connectAll() {
  connect(drop_, &DropZone::folderChosen, this, [this](const QString& folder) {
    inviting_ = false;
    Q_EMIT navigate("take", folder);
  });
  connect(source_, &SourceCard::chosen, this, &DataPage::setSource);
  connect(context_.recipe, &RecipeDocument::loaded, this, [this] {
    inviting_ = false;
    picture_row_ = -1;
  });
  connect(bars_, &BarList::clicked, this, [this](int bar) {
    picture_row_ = -1;
    refreshMiddle();
    if (size_t(bar) < bar_classes_.size()) grid_->showClass(int(bar_classes_[size_t(bar)]));
  });
  const auto leave = [this](const QStringList& pictures, const QStringList& classes) { leaveOut(*context_.recipe, pictures, classes); };
  const auto showFinding = [this](const QString& code) {
    picture_row_ = -1;
    refreshMiddle();
    grid_->showFinding(code);
  };
  connect(findings_, &FindingsCard::showRequested, this, showFinding);
  connect(findings_, &FindingsCard::leaveOutRequested, this, leave);
  connect(findings_, &FindingsCard::classRequested, this, [this, showFinding](const QString& name) {
    const auto& facts = context_.dataset->facts();
    if (!facts) return;
    const auto& names = facts->dataset->classes();
    const auto found = std::find(names.begin(), names.end(), name.toStdString());
    showFinding({});
    if (found != names.end()) grid_->showClass(int(found - names.begin()));
  });
  connect(grid_, &PictureGrid::leaveOutRequested, this, leave);
  connect(grid_, &PictureGrid::opened, this, &DataPage::openPicture);
  connect(grid_, &PictureGrid::networkToggled, this, &DataPage::refreshChain);
  connect(picture_, &PictureView::closed, this, [this] {
    picture_row_ = -1;
    refreshMiddle();
    grid_->view()->setFocus();
  });
  connect(picture_, &PictureView::moved, this, &DataPage::movePicture);
  connect(picture_, &PictureView::leaveOutRequested, this,
          [this](const QString& name, bool out) { out ? leaveOut(*context_.recipe, {name}) : putBack(*context_.recipe, {name}); });
  connect(trouble_leave_, &QPushButton::clicked, this, [this] { leaveOut(*context_.recipe, {}, {trouble_leave_->property("class").toString()}); });
  connect(own_form_, &ParamForm::built, this, [this] { own_->setVisible(!own_form_->empty()); });
  own_form_->build();
  connect(context_.recipe, &RecipeDocument::changed, this, &DataPage::refresh);
  connect(context_.dataset, &DatasetScan::changed, this, &DataPage::refresh);
  connect(context_.doctor, &DataDoctor::changed, this, &DataPage::refresh);
  connect(context_.theme, &Theme::changed, this, &DataPage::refresh);
}

// The recipe stays; only where its pictures are, and in what format, changes.
void DataPage::setSource(const QString& path) {
  if (context_.recipe->file().isEmpty()) return Q_EMIT navigate("take", path);
  const catalogue::Section* section = catalogue::findSection("data");
  const Json old = valueAt(context_.recipe->given(), "data");
  Json data = {{"format", data::guessFormat(fs::path(path.toStdString()))}, {"path", path.toStdString()}};
  const bool same_format = old.is_object() && old.value("format", Json()) == data["format"];
  for (const auto& [key, value] : old.items()) {
    // Names of pictures and classes belong to the folder they were in, a format's own keys to the format.
    if (data.contains(key) || key == "exclude" || key == "exclude_classes") continue;
    const bool common = std::any_of(section->params.begin(), section->params.end(), [&, name = key](const auto& spec) { return spec.key == name; });
    if (same_format || common) data[key] = value;
  }
  Json next = context_.recipe->given();
  next["data"] = std::move(data);
  context_.recipe->replaceAll(next);
}

void DataPage::invite() {
  inviting_ = true;
  picture_row_ = -1;
  refresh();
}

void DataPage::refresh() {
  source_->refresh();
  exclusions_->refresh();
  const auto& facts = context_.dataset->facts();
  const Json source = {context_.recipe->value("data.format"), context_.recipe->value("data.path")};
  // While another folder is being read the former pictures stay.
  if (!context_.dataset->busy()) {
    const bool table = facts && facts->dataset->columns() != nullptr;
    const bool text = facts && facts->dataset->task() == data::Task::Tokens;
    grid_->setFacts(table || text ? nullptr : facts, source == shown_source_);
    rows_->setFacts(table ? facts : nullptr);
    if (source != shown_source_) picture_row_ = -1;
    shown_source_ = source;
  }
  refreshMiddle();
  refreshFindings();
  refreshClasses();
  split_->refresh();
  refreshChain();
  refreshPicture();
}

void DataPage::refreshMiddle() {
  const DatasetScan& scan = *context_.dataset;
  const Json path = context_.recipe->value("data.path");
  const bool empty = !path.is_string() || path.get_ref<const std::string&>().empty();
  if (scan.state() == DatasetScan::State::Failed && scan.error() && !inviting_) {
    trouble_what_->setText(QString::fromStdString(scan.error()->what));
    const QString where = QString::fromStdString(scan.error()->where), hint = QString::fromStdString(scan.error()->hint);
    trouble_hint_->setText(where + (where.isEmpty() || hint.isEmpty() ? "" : "\n") + hint);
    const fs::path at(scan.error()->where);
    std::error_code ignored;
    const bool of_class = !empty && at.has_filename() && at.parent_path() == expandUser(path.get<std::string>()) && fs::is_directory(at, ignored);
    trouble_leave_->setVisible(of_class);
    trouble_leave_->setProperty("class", QString::fromStdString(displayPath(at.filename())));
    trouble_leave_->setText(tr("Leave the class “%1” out").arg(trouble_leave_->property("class").toString()));
    middle_->setCurrentWidget(trouble_);
  } else if (empty || inviting_) {
    middle_->setCurrentWidget(drop_);
  } else {
    const bool table = rows_->model()->rowCount() > 0;
    middle_->setCurrentWidget(table ? static_cast<QWidget*>(rows_) : picture_row_ >= 0 ? static_cast<QWidget*>(picture_) : grid_);
  }
}

void DataPage::refreshFindings() {
  const DataDoctor& doctor = *context_.doctor;
  const auto& report = doctor.report();
  const auto& facts = context_.dataset->facts();
  findings_->setVisible(facts != nullptr);
  if (!facts) return;
  if (!report) {
    grouped_report_.reset();
    QString text;
    if (doctor.state() == DataDoctor::State::Running) text = tr("Every picture is being looked at once. No file is changed.");
    if (doctor.state() == DataDoctor::State::Stopped)
      text = tr("Stopped at %1 of %2. “Scan again” goes on from there.").arg(formatNumber(qlonglong(doctor.done())), formatNumber(qlonglong(doctor.total())));
    if (doctor.state() == DataDoctor::State::Failed && doctor.error()) text = QString::fromStdString(doctor.error()->what + ". " + doctor.error()->hint);
    findings_->setMessage(text);
    return grid_->setFindings({});
  }
  const Exclusions without = exclusionsOf(*context_.recipe);
  if (report == grouped_report_ && facts == grouped_facts_ && without.pictures == grouped_without_.pictures && without.classes == grouped_without_.classes)
    return;
  grouped_report_ = report;
  grouped_facts_ = facts;
  grouped_without_ = without;
  const auto groups = groupFindings(*report, *facts, without);
  findings_->setGroups(scanSentence(*report, groups), groups);
  grid_->setFindings(groups);
}

void DataPage::refreshClasses() {
  const auto& facts = context_.dataset->facts();
  const auto& report = context_.doctor->report();
  std::vector<uint64_t> counted;
  if (facts && facts->dataset->task() == data::Task::Classes) counted = facts->class_counts;
  // How often each label occurs is known to the scan alone.
  if (facts && report && facts->dataset->task() == data::Task::Labels && report->classes.size() == facts->dataset->classes().size()) {
    for (const auto& one : report->classes) counted.push_back(one.samples);
  }
  classes_->setVisible(!counted.empty());
  if (counted.empty()) return;
  // "10" after "9".
  QCollator order;
  order.setNumericMode(true);
  const auto nameOf = [&](size_t index) { return QString::fromStdString(facts->dataset->classes()[index]); };
  bar_classes_.resize(counted.size());
  std::iota(bar_classes_.begin(), bar_classes_.end(), size_t{0});
  std::stable_sort(bar_classes_.begin(), bar_classes_.end(), [&](size_t a, size_t b) { return order.compare(nameOf(a), nameOf(b)) < 0; });
  QStringList names;
  QVector<quint64> counts;
  for (const size_t index : bar_classes_) {
    names << nameOf(index);
    counts << counted[index];
  }
  bars_->setRows(names, counts);
  bars_->setColor(context_.theme->tokens().series[0]);
}

// The chain is made anew only when what it is made from has changed.
void DataPage::refreshChain() {
  const RecipeDocument& recipe = *context_.recipe;
  const auto& facts = context_.dataset->facts();
  if (!grid_->asNetwork() || !facts) {
    if (!chain_of_.is_null()) grid_->setPreview(nullptr, {});
    chain_of_ = nullptr;
    return;
  }
  const Json wanted = {recipe.value("augment"), recipe.value("data"), recipe.value("run.seed"), facts->width, facts->height, facts->channels};
  if (wanted == chain_of_) return;
  chain_of_ = wanted;
  const auto part = recipe.part({"run", "data", "augment"});
  const auto preview = part ? loader::Preview::make(*part, {facts->channels, facts->height, facts->width}, true) : tl::unexpected(part.error());
  if (preview) return grid_->setPreview(std::make_shared<const loader::Preview>(*preview), {});
  grid_->setPreview(nullptr, QString::fromStdString(preview.error().where + ": " + preview.error().what));
}

void DataPage::openPicture(int row) {
  const QModelIndex index = grid_->model()->index(row);
  if (!index.isValid() || !grid_->model()->facts()) return;
  picture_row_ = row;
  picture_->open(grid_->model()->facts(), index.data(PictureModel::IndexRole).toULongLong());
  refreshPicture();
  refreshMiddle();
  picture_->setFocus();
}

void DataPage::movePicture(int by) {
  const int rows = grid_->model()->rowCount();
  // What was left out is gone from the list, and the next one stands in its place.
  const bool gone = grid_->model()->index(picture_row_).data(PictureModel::NameRole).toString() != picture_->name();
  const int row = gone && by > 0 ? picture_row_ : picture_row_ + by;
  if (row >= 0 && row < rows) openPicture(row);
}

void DataPage::refreshPicture() {
  if (picture_row_ < 0 || picture_->name().isEmpty()) return;
  picture_->setLeftOut(exclusionsOf(*context_.recipe).pictures.contains(picture_->name()));
  if (context_.doctor->report()) picture_->setFindings(findingsOf(*context_.doctor->report(), picture_->name()));
}

bool DataPage::reveal(const QString& key) {
  if (key == "data.path" || key == "data.format") {
    (key == "data.path" ? static_cast<QWidget*>(source_->path()) : source_->format())->setFocus(Qt::OtherFocusReason);
    return true;
  }
  for (ParamForm* form : {split_->form(), own_form_}) {
    if (!form->reveal(key)) continue;
    right_->ensureWidgetVisible(form->row(key));
    return true;
  }
  return false;
}

bool DataPage::settled() const {
  return grid_->settled() && (picture_row_ < 0 || picture_->settled()) && context_.doctor->state() != DataDoctor::State::Running;
}

void DataPage::retranslate() {
  source_->retranslate();
  findings_->retranslate();
  exclusions_->retranslate();
  classes_->setTitle(tr("Classes"));
  split_->retranslate();
  own_->setTitle(tr("Format"));
  own_form_->retranslate();
  grid_->retranslate();
  picture_->retranslate();
  grouped_report_.reset();
  refresh();
}

}  // namespace trainyard::ui
