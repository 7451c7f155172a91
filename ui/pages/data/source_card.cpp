#include "ui/pages/data/source_card.h"

#include <QDir>
#include <QFileDialog>
#include <QMenu>

#include "core/catalogue/catalogue.h"
#include "ui/forms/simple_fields.h"
#include "ui/models/run_text.h"
#include "ui/pictures/data_doctor.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kFormatWidth = 190;
constexpr int kThousandths = 1000;

}  // namespace

SourceCard::SourceCard(Context& context, QWidget* parent) : Card(parent), context_(context) {
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  format_ = new QComboBox(this);
  format_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  format_->setMaximumWidth(kFormatWidth);
  for (const auto& entry : catalogue::formats()) format_->addItem(QString(), QVariant(QString::fromStdString(entry.id)));
  path_ = new RecipeEdit(this);
  path_->setMinimumWidth(120);
  choose_ = makeButton(this);
  auto* menu = new QMenu(choose_);
  choose_folder_ = menu->addAction(QString(), this, [this] { choose(false); });
  choose_file_ = menu->addAction(QString(), this, [this] { choose(true); });
  choose_->setMenu(menu);
  again_ = makeButton(this);
  summary_ = makeLabel("secondary", this);
  for (QWidget* widget : std::initializer_list<QWidget*>{format_, choose_, again_, summary_}) row->addWidget(widget);
  row->insertWidget(1, path_, 1);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setRange(0, kThousandths);
  body()->addLayout(row);
  body()->addWidget(progress_);
  progress_->hide();
  connect(format_, &QComboBox::activated, this, [this](int index) { context_.recipe->choose("data", format_->itemData(index).toString()); });
  connect(path_, &QLineEdit::textEdited, this,
          [this](const QString& text) { context_.recipe->set("data.path", text.isEmpty() ? Json() : Json(text.toStdString())); });
  connect(again_, &QPushButton::clicked, this, [this] {
    if (context_.doctor->state() == DataDoctor::State::Running) return context_.doctor->stop();
    context_.dataset->scanAgain();
  });
  connect(context_.doctor, &DataDoctor::progressed, this, &SourceCard::showProgress);
}

void SourceCard::choose(bool file) {
  const QString now = path_->text().isEmpty() ? QDir::homePath() : path_->text();
  const QString path = file ? QFileDialog::getOpenFileName(this, tr("Table or archive of pictures"), now)
                            : QFileDialog::getExistingDirectory(this, tr("Folder with pictures"), now);
  if (!path.isEmpty()) Q_EMIT chosen(path);
}

QString SourceCard::counts() const {
  const DatasetScan& scan = *context_.dataset;
  if (scan.busy()) return tr("Reading…");
  if (!scan.facts() || scan.state() != DatasetScan::State::Ready) return {};
  const data::Dataset& dataset = *scan.facts()->dataset;
  const int size = int(dataset.size()), classes = int(dataset.classes().size());
  if (dataset.task() == data::Task::Tokens) return tr("%Ln window(s) of text", nullptr, size);
  QString text = dataset.columns() != nullptr ? tr("%Ln row(s)", nullptr, size) : tr("%Ln picture(s)", nullptr, size);
  if (dataset.task() != data::Task::Numbers) text += " · " + tr("%Ln class(es)", nullptr, classes);
  return text;
}

void SourceCard::showProgress() {
  const DataDoctor& doctor = *context_.doctor;
  const bool running = doctor.state() == DataDoctor::State::Running;
  progress_->setVisible(running);
  again_->setText(running ? tr("Stop") : tr("Scan again"));
  if (!running) {
    const QString all = counts();
    const bool ready = doctor.state() == DataDoctor::State::Ready && doctor.report() && !context_.dataset->busy();
    summary_->setText(ready ? all + " · " + tr("scanned in %1").arg(durationText(std::max(1.0, doctor.report()->seconds))) : all);
    return;
  }
  const uint64_t done = doctor.done(), total = doctor.total();
  progress_->setValue(total > 0 ? int(double(done) / double(total) * kThousandths) : 0);
  QString text = tr("Looking at %1 of %2").arg(formatNumber(qlonglong(done)), formatNumber(qlonglong(total)));
  if (doctor.secondsLeft() >= 0) text += " · " + tr("%1 left").arg(durationText(doctor.secondsLeft()));
  summary_->setText(text);
}

void SourceCard::refresh() {
  const Json format = context_.recipe->value("data.format"), path = context_.recipe->value("data.path");
  format_->setCurrentIndex(format.is_string() ? format_->findData(QString::fromStdString(format.get<std::string>())) : -1);
  const QString text = path.is_string() ? QString::fromStdString(path.get<std::string>()) : QString();
  if (path_->text() != text) path_->setText(text);
  setLook(path_, "invalid", context_.dataset->state() == DatasetScan::State::Failed);
  again_->setEnabled(!text.isEmpty() && !context_.dataset->busy());
  showProgress();
}

void SourceCard::retranslate() {
  const auto formats = catalogue::formats();
  for (int i = 0; i < format_->count(); ++i) format_->setItemText(i, catalogueText(formats[size_t(i)].title));
  path_->setPlaceholderText(tr("Folder with pictures"));
  choose_->setText(tr("Choose…"));
  choose_folder_->setText(tr("Folder…"));
  choose_file_->setText(tr("File (table or archive)…"));
  refresh();
}

}  // namespace trainyard::ui
