#include "ui/pages/data/picture_view.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QKeyEvent>
#include <QPointer>
#include <QThreadPool>
#include <QUrl>

#include "core/data/image_decode.h"
#include "ui/icons/icons.h"
#include "ui/pictures/thumbnail.h"

namespace trainyard::ui {
namespace {

constexpr int kFactsWidth = 220;
constexpr QSize kMost(1600, 1200);  // pixels kept of a picture

QToolButton* makeTool(const char* name, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(icon(name));
  return button;
}

}  // namespace

struct PictureView::Loaded {
  QImage image;
  int width = 0, height = 0, channels = 0;  // as decoded
  quint64 bytes = 0;
  std::optional<data::ImageFacts> file;
  QString problem;
};

PictureView::PictureView(QWidget* parent) : Card(parent) {
  setFocusPolicy(Qt::StrongFocus);
  auto* top = new QHBoxLayout;
  top->setSpacing(8);
  back_ = makeTool("back", this);
  title_ = new PathLabel(this);
  title_->setProperty("look", "section");
  before_ = makeTool("previous", this);
  after_ = makeTool("next", this);
  top->addWidget(back_);
  top->addWidget(title_, 1);
  top->addWidget(before_);
  top->addWidget(after_);
  body()->addLayout(top);
  auto* middle = new QHBoxLayout;
  middle->setSpacing(16);
  picture_ = new QLabel(this);
  picture_->setAlignment(Qt::AlignCenter);
  picture_->setMinimumSize(80, 80);
  picture_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
  middle->addWidget(picture_, 1);
  auto* side = new QWidget(this);
  side->setFixedWidth(kFactsWidth);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(10);
  problem_ = makeLabel("error", side, true);
  rows_ = new QVBoxLayout;
  rows_->setSpacing(8);
  leave_ = makeButton(side);
  folder_ = makeButton(side);
  column->addWidget(problem_);
  column->addLayout(rows_);
  column->addSpacing(6);
  column->addWidget(leave_);
  column->addWidget(folder_);
  column->addStretch(1);
  middle->addWidget(side);
  body()->addLayout(middle, 1);
  connect(back_, &QToolButton::clicked, this, &PictureView::closed);
  connect(before_, &QToolButton::clicked, this, [this] { Q_EMIT moved(-1); });
  connect(after_, &QToolButton::clicked, this, [this] { Q_EMIT moved(1); });
  connect(leave_, &QPushButton::clicked, this, [this] { Q_EMIT leaveOutRequested(name_, !left_out_); });
  connect(folder_, &QPushButton::clicked, this, [this] {
    const QFileInfo file(QString::fromStdString(facts_->dataset->file(sample_).string()));
    QDesktopServices::openUrl(QUrl::fromLocalFile(file.absolutePath()));
  });
  retranslate();
}

void PictureView::open(const std::shared_ptr<const DatasetScan::Facts>& facts, uint64_t sample) {
  facts_ = facts;
  sample_ = sample;
  name_ = QString::fromStdString(facts->dataset->name(sample));
  loaded_.reset();
  findings_.clear();
  left_out_ = false;
  title_->setPath(name_);
  picture_->clear();
  folder_->setVisible(!facts->dataset->file(sample).empty());
  retranslate();
  load();
}

void PictureView::setLeftOut(bool left_out) {
  if (left_out_ == left_out) return;
  left_out_ = left_out;
  retranslate();
}

void PictureView::setFindings(const QStringList& lines) {
  if (findings_ == lines) return;
  findings_ = lines;
  fillFacts();
}

void PictureView::load() {
  loading_ = true;
  QThreadPool::globalInstance()->start([self = QPointer(this), generation = ++generation_, facts = facts_, sample = sample_] {
    auto loaded = std::make_shared<Loaded>();
    if (const auto bytes = facts->dataset->fileBytes(sample)) {
      loaded->bytes = bytes->size();
      if (const auto seen = data::inspectImage(*bytes, facts->dataset->name(sample))) loaded->file = *seen;
    }
    if (const auto picture = facts->dataset->picture(sample)) {
      loaded->width = picture->cols;
      loaded->height = picture->rows;
      loaded->channels = picture->channels();
      loaded->image = makePicture(*picture, kMost, 1);
    } else {
      loaded->problem = QString::fromStdString(picture.error().what);
    }
    QMetaObject::invokeMethod(
        qApp,
        [self, generation, loaded] {
          if (!self.isNull()) self->arrived(generation, loaded);
        },
        Qt::QueuedConnection);
  });
}

void PictureView::arrived(uint64_t generation, const std::shared_ptr<const Loaded>& loaded) {
  if (generation != generation_) return;
  loading_ = false;
  loaded_ = loaded;
  fit();
  fillFacts();
}

void PictureView::fit() {
  if (!loaded_ || loaded_->image.isNull()) return picture_->setText(loaded_ ? tr("No picture") : QString());
  const qreal scale = devicePixelRatioF();
  const QSize room = picture_->size() * scale;
  const bool enlarge = loaded_->image.width() < room.width() && loaded_->image.height() < room.height() && loaded_->width < 100;
  const bool shrink = loaded_->image.width() > room.width() || loaded_->image.height() > room.height();
  QPixmap shown = QPixmap::fromImage(
      enlarge || shrink ? loaded_->image.scaled(room, Qt::KeepAspectRatio, enlarge ? Qt::FastTransformation : Qt::SmoothTransformation) : loaded_->image);
  shown.setDevicePixelRatio(scale);
  picture_->setPixmap(shown);
}

void PictureView::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  // The label has its size after this event.
  QMetaObject::invokeMethod(this, &PictureView::fit, Qt::QueuedConnection);
}

void PictureView::fillFacts() {
  clearLayout(rows_);
  problem_->setVisible(loaded_ && !loaded_->problem.isEmpty());
  if (loaded_) problem_->setText(loaded_->problem);
  if (!facts_) return;
  const auto add = [this](const QString& title, const QString& text) {
    if (text.isEmpty()) return;
    auto* name = makeLabel("caps", this);
    name->setText(title);
    auto* value = makeLabel("", this, true);
    value->setText(text);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* pair = new QVBoxLayout;
    pair->setSpacing(0);
    pair->addWidget(name);
    pair->addWidget(value);
    rows_->addLayout(pair);
  };
  const data::Dataset& dataset = *facts_->dataset;
  const int label = dataset.label(sample_);
  if (dataset.task() == data::Task::Classes && label >= 0 && size_t(label) < dataset.classes().size())
    add(tr("Class"), QString::fromStdString(dataset.classes()[size_t(label)]));
  if (loaded_) {
    if (loaded_->width > 0) add(tr("Size"), QString("%1 × %2").arg(loaded_->width).arg(loaded_->height));
    QStringList file;
    if (loaded_->file) file << QString::fromStdString(loaded_->file->kind).toUpper();
    if (loaded_->bytes > 0) file << formatSize(loaded_->bytes);
    if (loaded_->channels > 0) file << (loaded_->channels == 1 ? tr("grey") : tr("colour"));
    if (loaded_->file && loaded_->file->bits > 8) file << tr("%1 bits").arg(loaded_->file->bits);
    add(tr("File"), file.join(" · "));
  }
  add(tr("The scan says"), findings_.join("\n"));
  if (left_out_) add(tr("This recipe"), tr("Left out. The file is untouched."));
}

QString PictureView::factText() const {
  QStringList lines;
  for (auto* label : findChildren<QLabel*>()) {
    if (!label->isHidden() && !label->text().isEmpty() && label != picture_) lines << label->text();
  }
  return lines.join("\n");
}

void PictureView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
      return Q_EMIT closed();
    case Qt::Key_Left:
      return Q_EMIT moved(-1);
    case Qt::Key_Right:
      return Q_EMIT moved(1);
    case Qt::Key_Delete:
      return Q_EMIT leaveOutRequested(name_, !left_out_);
    default:
      Card::keyPressEvent(event);
  }
}

void PictureView::retranslate() {
  const std::pair<QToolButton*, QString> kTools[] = {{back_, tr("Back to all pictures  (Esc)")}, {before_, tr("Previous  (←)")}, {after_, tr("Next  (→)")}};
  for (const auto& [button, text] : kTools) {
    button->setToolTip(text);
    button->setAccessibleName(text);
  }
  leave_->setText(left_out_ ? tr("Put back") : tr("Leave out"));
  leave_->setToolTip(tr("Recorded in the recipe; the file is never touched."));
  folder_->setText(tr("Open folder"));
  fillFacts();
}

}  // namespace trainyard::ui
