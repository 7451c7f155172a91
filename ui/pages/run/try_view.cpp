#include "ui/pages/run/try_view.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QImageReader>
#include <QMimeData>
#include <QProgressBar>
#include <cmath>

#include "ui/forms/number_text.h"
#include "ui/models/run_text.h"
#include "ui/widgets/bar_list.h"

namespace trainyard::ui {
namespace {

constexpr int kPicture = 160, kBars = 420;
constexpr int kPermille = 1000;

QPixmap pictureOf(const QString& file, qreal scale) {
  QImageReader reader(file);
  reader.setAutoTransform(true);
  const QSize whole = reader.size();
  if (whole.isValid()) reader.setScaledSize(whole.scaled(QSize(kPicture, kPicture) * scale, Qt::KeepAspectRatio));
  QPixmap pixmap = QPixmap::fromImage(reader.read());
  pixmap.setDevicePixelRatio(scale);
  return pixmap;
}

QStringList filesOf(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile() && QFileInfo(url.toLocalFile()).isFile()) files << url.toLocalFile();
  }
  return files;
}

}  // namespace

TryView::TryView(QWidget* parent) : QWidget(parent) {
  setAcceptDrops(true);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(8);
  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  choose_ = makeButton(this);
  choose_->setObjectName("choosePictures");
  setLook(choose_, "primary", true);
  intro_ = makeLabel("secondary", this, true);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setRange(0, 0);
  progress_->setFixedWidth(120);
  head->addWidget(choose_);
  head->addWidget(progress_);
  head->addWidget(intro_, 1);
  note_ = makeLabel("error", this, true);
  scroll_ = new QScrollArea(this);
  scroll_->setWidgetResizable(true);
  auto* inside = new QWidget(scroll_);
  inside->setObjectName("scrolled");
  list_ = new QVBoxLayout(inside);
  list_->setContentsMargins(0, 0, 0, 0);
  list_->setSpacing(8);
  scroll_->setWidget(inside);
  all->addLayout(head);
  all->addWidget(note_);
  all->addWidget(scroll_, 1);
  connect(choose_, &QPushButton::clicked, this, &TryView::choose);
  connect(&call_, &EngineCall::finished, this, &TryView::show);
  connect(&call_, &EngineCall::failed, this, [this](const Error& error) {
    problem_ = QString::fromStdString(error.what + (error.where.empty() ? "" : " – " + error.where) + (error.hint.empty() ? "" : " – " + error.hint));
    place();
  });
}

void TryView::setRun(const QString& run_dir, bool has_checkpoint) {
  if (run_dir != run_dir_) {
    call_.cancel();
    answers_ = {};
    problem_.clear();
  }
  if (run_dir == run_dir_ && has_checkpoint == has_checkpoint_) return;
  run_dir_ = run_dir;
  has_checkpoint_ = has_checkpoint;
  place();
}

void TryView::choose() {
  auto* dialog = new QFileDialog(this, tr("Pictures to try"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, &TryView::ask);
  dialog->open();
}

void TryView::ask(const QStringList& files) {
  if (files.isEmpty() || !has_checkpoint_) return;
  problem_.clear();
  call_.start(QStringList{QStringLiteral("predict"), run_dir_} + files);
  place();
}

void TryView::show(const Json& answers) {
  answers_ = answers;
  place();
}

QWidget* TryView::makeAnswer(const Json& answer) {
  auto* card = new Card(scroll_->widget());
  const QString file = answer.contains("file") && answer["file"].is_string() ? QString::fromStdString(answer["file"].get<std::string>()) : QString();
  QStringList names;
  QVector<quint64> shares;
  QString first;
  if (answer.contains("top") && answer["top"].is_array()) {
    for (const Json& guess : answer["top"]) {
      const QString name = QString::fromStdString(guess.value("class", std::string()));
      const bool number = guess.contains("value");
      const double value = numberFrom(guess.value(number ? "value" : "probability", Json(0)));
      const QString text = number ? numberText(value) : percentText(value);
      names << (name + QStringLiteral("  ") + text);
      shares << quint64(std::llround(kPermille * std::max(0.0, value)));
      if (first.isEmpty()) first = tr("%1, %2").arg(name, text);
    }
  }
  card->setTitle(first);
  card->setAside(QFileInfo(file).fileName());
  auto* row = new QHBoxLayout;
  row->setSpacing(16);
  auto* picture = new QLabel(card);
  picture->setFixedSize(kPicture, kPicture);
  picture->setAlignment(Qt::AlignCenter);
  picture->setPixmap(pictureOf(file, devicePixelRatioF()));
  picture->setToolTip(file);
  auto* bars = new BarList(card);
  bars->setRows(names, shares, false);
  bars->setMaximumWidth(kBars);
  row->addWidget(picture);
  row->addWidget(bars, 1, Qt::AlignVCenter);
  row->addStretch(1);
  card->body()->addLayout(row);
  return card;
}

void TryView::place() {
  clearLayout(list_);
  if (answers_.is_array()) {
    for (const Json& answer : answers_) {
      if (answer.is_object()) list_->addWidget(makeAnswer(answer));
    }
  }
  list_->addStretch(1);
  choose_->setText(tr("Choose pictures…"));
  choose_->setEnabled(has_checkpoint_ && !call_.running());
  progress_->setVisible(call_.running());
  intro_->setText(has_checkpoint_ ? tr("Or drop them here. The best checkpoint answers; nothing is changed.") : tr("Once a checkpoint is saved, pictures can be tried here."));
  note_->setText(problem_);
  note_->setVisible(!problem_.isEmpty());
}

void TryView::dragEnterEvent(QDragEnterEvent* event) {
  if (has_checkpoint_ && !filesOf(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void TryView::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  ask(filesOf(event->mimeData()));
}

void TryView::retranslate() { place(); }

}  // namespace trainyard::ui
