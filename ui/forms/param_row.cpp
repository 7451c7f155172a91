#include "ui/forms/param_row.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QMenu>
#include <QWhatsThis>

#include "ui/forms/messages.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kDotWidth = 12;
constexpr int kTitleWidth = 148;
constexpr int kFieldWidth = 248;
constexpr int kControlHeight = 28;

}  // namespace

ParamRow::ParamRow(RecipeDocument* document, QString key, std::string title, std::string help, const MakeField& make, bool compact, QWidget* parent)
    : QWidget(parent), document_(document), key_(std::move(key)), title_source_(std::move(title)), help_source_(std::move(help)) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(0);
  grid->setVerticalSpacing(2);
  title_ = new QLabel(this);
  title_->setWordWrap(true);
  dot_ = new Dot(this);
  field_ = make(this);
  note_ = makeLabel("secondary", this, true);
  title_->setBuddy(field_);
  if (compact) {
    auto* top = new QHBoxLayout;
    top->setSpacing(6);
    top->addWidget(title_);
    top->addWidget(dot_, 0, Qt::AlignVCenter);
    top->addStretch(1);
    title_->setWordWrap(false);
    grid->addLayout(top, 0, 0);
    grid->addWidget(field_, 1, 0);
    grid->addWidget(note_, 2, 0);
    grid->setVerticalSpacing(4);
  } else {
    title_->setMinimumHeight(kControlHeight);
    title_->setFixedWidth(kTitleWidth);
    dot_->setFixedSize(kDotWidth, kControlHeight);
    field_->setFixedWidth(kFieldWidth);
    note_->setContentsMargins(12, 0, 0, 0);
    note_->setMinimumHeight(kControlHeight);
    grid->addWidget(title_, 0, 0, Qt::AlignTop);
    grid->addWidget(dot_, 0, 1, Qt::AlignTop);
    grid->addWidget(field_, 0, 2, Qt::AlignTop);
    grid->addWidget(note_, 0, 3);
    grid->setColumnStretch(3, 1);
  }
  connect(field_, &Field::edited, this, [this](const Json& value) { Q_EMIT edited(key_, value); });
  retranslate();
}

void ParamRow::setNote(const QString& note) {
  if (custom_note_ == note) return;
  custom_note_ = note;
  refresh();
}

void ParamRow::refresh() {
  const Json value = document_->value(key_);
  field_->setValue(value);
  const recipe::Problem* problem = document_->problemAt(key_);
  field_->setInvalid(problem != nullptr);
  setLook(note_, "look", problem != nullptr ? "error" : "secondary");
  const QString help = custom_note_.isEmpty() ? firstSentence(catalogueText(help_source_)) : custom_note_;
  note_->setText(problem != nullptr ? problemText(specAt(document_->document(), key_), value, *problem) : help);
  const bool changed = document_->isGiven(key_) && !document_->fallback(key_).is_null();
  dot_->setTone(changed ? Dot::Tone::Accent : Dot::Tone::None);
  dot_->setToolTip(changed ? tr("Changed. Default: %1").arg(valueText(document_->fallback(key_))) : QString());
}

QString ParamRow::explanation() const {
  return QString("<p><b>%1</b></p><p>%2</p><p><code>%3</code></p>")
      .arg(catalogueText(title_source_).toHtmlEscaped(), catalogueText(help_source_).toHtmlEscaped(), key_);
}

void ParamRow::retranslate() {
  title_->setText(catalogueText(title_source_));
  field_->setAccessibleName(title_->text());
  field_->retranslate();
  const QString tip = explanation();
  title_->setToolTip(tip);
  note_->setToolTip(tip);
  refresh();
}

void ParamRow::explain(const QPoint& where) { QWhatsThis::showText(where, explanation(), this); }

void ParamRow::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  const Json fallback = document_->fallback(key_);
  const QString reset_text = fallback.is_null() ? tr("Reset") : tr("Reset to %1").arg(valueText(fallback));
  QAction* reset = menu.addAction(reset_text, this, [this] { document_->reset(key_); });
  reset->setEnabled(document_->isGiven(key_));
  menu.addAction(tr("Explain"), this, [this, where = event->globalPos()] { explain(where); });
  menu.addSeparator();
  menu.addAction(tr("Copy key"), this, [this] { QApplication::clipboard()->setText(key_); });
  menu.addAction(tr("Copy as command-line option"), this, [this] {
    const Json value = document_->value(key_);
    const QString text = value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString::fromStdString(compactJson(value));
    QApplication::clipboard()->setText(QString("--set '%1=%2'").arg(key_, text));
  });
  menu.exec(event->globalPos());
}

}  // namespace trainyard::ui
