#include "ui/widgets/drop_zone.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QVBoxLayout>

#include "ui/icons/icons.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

DropZone::DropZone(QWidget* parent, bool with_drawing) : QFrame(parent) {
  setProperty("dropzone", true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 20, 24, 20);
  column->setSpacing(10);
  title_ = makeLabel("section", this, true);
  title_->setAlignment(Qt::AlignCenter);
  text_ = makeLabel("secondary", this, true);
  text_->setAlignment(Qt::AlignCenter);
  column->addStretch(1);
  column->addWidget(title_);
  column->addWidget(text_);
  if (with_drawing) {
    drawing_ = makeLabel("secondary", this);
    drawing_->setTextFormat(Qt::PlainText);
    drawing_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    column->addWidget(drawing_, 0, Qt::AlignCenter);
  }
  choose_ = makeButton(this);
  choose_->setIcon(icon("folder"));
  column->addWidget(choose_, 0, Qt::AlignCenter);
  column->addStretch(1);
  connect(choose_, &QPushButton::clicked, this, &DropZone::choose);
  retranslate();
}

void DropZone::choose() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder with pictures"), QDir::homePath());
  if (!folder.isEmpty()) Q_EMIT folderChosen(folder);
}

void DropZone::retranslate() {
  title_->setText(tr("Drop a folder of pictures here"));
  text_->setText(tr("One folder for each kind of picture. Nothing in it is changed."));
  choose_->setText(tr("Choose folder…"));
  if (drawing_ == nullptr) return;
  const QString picture = tr("picture"), daisies = tr("daisies"), roses = tr("roses");
  drawing_->setText(QString("%1/\n├── %2/\n│   ├── %3 1.jpg\n│   └── %3 2.jpg\n└── %4/\n    └── %3 3.jpg").arg(tr("flowers"), daisies, picture, roses));
}

void DropZone::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QFrame::changeEvent(event);
}

}  // namespace trainyard::ui
