#include "ui/pages/data/data_page.h"

#include <QDir>
#include <QFileDialog>
#include <QScrollArea>
#include <QSignalBlocker>
#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/data/dataset.h"
#include "ui/forms/simple_fields.h"
#include "ui/pages/data/findings.h"
#include "ui/pages/data/picture_grid.h"
#include "ui/pictures/dataset_scan.h"
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
  all->addWidget(makeSource());
  auto* below = new QHBoxLayout;
  below->setSpacing(16);
  middle_ = new QStackedWidget(this);
  grid_ = new PictureGrid(middle_);
  drop_ = new DropZone(middle_);
  trouble_ = new Card(middle_);
  trouble_what_ = makeLabel("section", trouble_, true);
  trouble_hint_ = makeLabel("secondary", trouble_, true);
  trouble_->body()->addWidget(trouble_what_);
  trouble_->body()->addWidget(trouble_hint_);
  trouble_->body()->addStretch(1);
  for (QWidget* page : std::initializer_list<QWidget*>{grid_, drop_, trouble_}) middle_->addWidget(page);
  below->addWidget(middle_, 1);
  below->addWidget(makeRight());
  all->addLayout(below, 1);
  connect(drop_, &DropZone::folderChosen, this, [this](const QString& folder) {
    inviting_ = false;
    Q_EMIT navigate("take", folder);
  });
  connect(context_.recipe, &RecipeDocument::loaded, this, [this] { inviting_ = false; });
  connect(bars_, &BarList::clicked, grid_, &PictureGrid::showClass);
  connect(context_.recipe, &RecipeDocument::changed, this, &DataPage::refresh);
  connect(context_.dataset, &DatasetScan::changed, this, &DataPage::refresh);
  connect(context_.theme, &Theme::changed, this, &DataPage::refresh);
  DataPage::retranslate();
}

QWidget* DataPage::makeSource() {
  source_ = new Card(this);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  format_ = new QComboBox(source_);
  format_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (const auto& entry : catalogue::formats()) format_->addItem(QString(), QVariant(QString::fromStdString(entry.id)));
  path_ = new RecipeEdit(source_);
  choose_ = makeButton(source_);
  again_ = makeButton(source_);
  summary_ = makeLabel("secondary", source_);
  row->addWidget(format_);
  row->addWidget(path_, 1);
  row->addWidget(choose_);
  row->addWidget(again_);
  row->addWidget(summary_);
  source_->body()->addLayout(row);
  connect(format_, &QComboBox::activated, this, [this](int index) { context_.recipe->choose("data", format_->itemData(index).toString()); });
  connect(path_, &QLineEdit::textEdited, this,
          [this](const QString& text) { context_.recipe->set("data.path", text.isEmpty() ? Json() : Json(text.toStdString())); });
  connect(choose_, &QPushButton::clicked, this, &DataPage::chooseFolder);
  connect(again_, &QPushButton::clicked, context_.dataset, &DatasetScan::scanAgain);
  return source_;
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
  findings_ = new Card(holder);
  findings_rows_ = new QVBoxLayout;
  findings_rows_->setSpacing(10);
  findings_->body()->addLayout(findings_rows_);
  classes_ = new Card(holder);
  bars_ = new BarList(classes_);
  classes_->body()->addWidget(bars_);
  split_ = new Card(holder);
  form_ = new ParamForm(context_.recipe, split_, true);
  for (const auto* key : {"data.validation", "data.size", "data.channels", "data.workers"}) form_->addKey(key);
  form_->build();
  split_->body()->addWidget(form_);
  for (Card* card : {findings_, classes_, split_}) column->addWidget(card);
  column->addStretch(1);
  right_->setWidget(holder);
  return right_;
}

void DataPage::chooseFolder() {
  const QString now = path_->text();
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder with pictures"), now.isEmpty() ? QDir::homePath() : now);
  if (!folder.isEmpty()) setFolder(folder);
}

// The recipe stays; only where its pictures are, and in what format, changes.
void DataPage::setFolder(const QString& folder) {
  if (context_.recipe->file().isEmpty()) return Q_EMIT navigate("take", folder);
  Json next = context_.recipe->given();
  putAt(next, "data.path", folder.toStdString());
  putAt(next, "data.format", data::guessFormat(fs::path(folder.toStdString())));
  context_.recipe->replaceAll(next);
}

void DataPage::invite() {
  inviting_ = true;
  refresh();
}

QString DataPage::summary() const {
  const DatasetScan& scan = *context_.dataset;
  if (scan.busy()) return tr("Reading…");
  if (!scan.facts() || scan.state() != DatasetScan::State::Ready) return {};
  const auto& facts = *scan.facts();
  return tr("%Ln picture(s)", nullptr, int(facts.dataset->size())) + " · " + tr("%Ln class(es)", nullptr, int(facts.dataset->classes().size()));
}

void DataPage::refresh() {
  const DatasetScan& scan = *context_.dataset;
  const Json format = context_.recipe->value("data.format"), path = context_.recipe->value("data.path");
  format_->setCurrentIndex(format.is_string() ? format_->findData(QString::fromStdString(format.get<std::string>())) : -1);
  const QString text = path.is_string() ? QString::fromStdString(path.get<std::string>()) : QString();
  if (path_->text() != text) path_->setText(text);
  setLook(path_, "invalid", scan.state() == DatasetScan::State::Failed);
  summary_->setText(summary());
  again_->setEnabled(!text.isEmpty() && !scan.busy());
  if (scan.state() == DatasetScan::State::Failed && scan.error() && !inviting_) {
    trouble_what_->setText(QString::fromStdString(scan.error()->what));
    const QString where = QString::fromStdString(scan.error()->where), hint = QString::fromStdString(scan.error()->hint);
    trouble_hint_->setText(where + (where.isEmpty() || hint.isEmpty() ? "" : "\n") + hint);
    middle_->setCurrentWidget(trouble_);
  } else if (text.isEmpty() || inviting_) {
    middle_->setCurrentWidget(drop_);
  } else {
    middle_->setCurrentWidget(grid_);
  }
  grid_->setFacts(scan.facts());
  const auto& facts = scan.facts();
  classes_->setVisible(facts != nullptr);
  if (facts) {
    QStringList names;
    for (const auto& name : facts->dataset->classes()) names << QString::fromStdString(name);
    bars_->setRows(names, QVector<quint64>(facts->class_counts.begin(), facts->class_counts.end()));
    bars_->setColor(context_.theme->tokens().series[0]);
    form_->setNote(
        "data.validation",
        tr("%1 for training, %2 held out").arg(formatNumber(qlonglong(facts->parts.train.size())), formatNumber(qlonglong(facts->parts.validation.size()))));
    const QString size = QString("%1 × %2").arg(facts->width).arg(facts->height);
    form_->setNote("data.size", facts->width > 0 ? tr("The first picture has %1. 0 keeps pictures as they are.").arg(size) : QString());
  }
  refreshFindings();
}

void DataPage::refreshFindings() {
  clearLayout(findings_rows_);
  const auto found = context_.dataset->facts() ? findingsOf(*context_.dataset->facts()) : std::vector<Finding>();
  findings_->setVisible(!found.empty());
  for (const Finding& finding : found) {
    auto* what = makeLabel("strong", findings_, true);
    what->setText(finding.what);
    setLook(what, "tone", "caution");
    auto* why = makeLabel("secondary", findings_, true);
    why->setText(finding.why);
    findings_rows_->addWidget(what);
    findings_rows_->addWidget(why);
  }
}

bool DataPage::reveal(const QString& key) {
  if (key == "data.path" || key == "data.format") {
    (key == "data.path" ? static_cast<QWidget*>(path_) : format_)->setFocus(Qt::OtherFocusReason);
    return true;
  }
  if (!form_->reveal(key)) return false;
  right_->ensureWidgetVisible(form_->row(key));
  return true;
}

bool DataPage::settled() const { return grid_->settled(); }

void DataPage::retranslate() {
  const auto formats = catalogue::formats();
  for (int i = 0; i < format_->count(); ++i) format_->setItemText(i, catalogueText(formats[size_t(i)].title));
  path_->setPlaceholderText(tr("Folder with pictures"));
  choose_->setText(tr("Choose…"));
  again_->setText(tr("Scan again"));
  findings_->setTitle(tr("Worth a look"));
  classes_->setTitle(tr("Classes"));
  split_->setTitle(tr("Split and size"));
  form_->retranslate();
  grid_->retranslate();
  refresh();
}

}  // namespace trainyard::ui
