#include "ui/pages/train/machines_card.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <algorithm>

#include "ui/forms/simple_fields.h"
#include "ui/pages/train/own_address.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kUsualPort = 29500;
constexpr int kMostMachines = 64;
constexpr int kNumberWidth = 80, kHostWidth = 220;
constexpr int kCommandLines = 2, kCommandFrame = 16;

catalogue::ParamSpec numberSpec(double least, double most, int64_t fallback) {
  catalogue::ParamSpec spec;
  spec.kind = catalogue::ParamKind::Integer;
  spec.minimum = least;
  spec.maximum = most;
  spec.fallback = fallback;
  return spec;
}

bool within(const Json& value, const catalogue::ParamSpec& spec) {
  return value.is_number_integer() && double(value.get<int64_t>()) >= *spec.minimum && double(value.get<int64_t>()) <= *spec.maximum;
}

// As one word of a shell; a plain one stays as it is.
QString shellWord(const QString& text) {
  static const QString kPlain = QStringLiteral("-_./~:+,=@%");
  const bool plain =
      !text.isEmpty() && std::all_of(text.begin(), text.end(), [](QChar c) { return (c.unicode() < 128 && c.isLetterOrNumber()) || kPlain.contains(c); });
  return plain ? text : QLatin1Char('\'') + QString(text).replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

}  // namespace

MachinesCard::MachinesCard(Context& context, QWidget* parent) : Card(parent), context_(context), port_(kUsualPort), host_(ownAddress()) {
  static const catalogue::ParamSpec kMachines = numberSpec(2, kMostMachines, 2), kPort = numberSpec(1, 65535, kUsualPort);
  fold_ = makeLink(this);
  fold_->setObjectName("foldMachines");
  header()->addWidget(fold_);
  intro_ = makeLabel("secondary", this, true);
  body()->addWidget(intro_);
  inside_ = new QWidget(this);
  auto* all = new QVBoxLayout(inside_);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(10);
  single_ = makeLabel("error", inside_, true);
  auto* fields = new QHBoxLayout;
  fields->setSpacing(8);
  machines_field_ = new NumberField(kMachines, inside_);
  port_field_ = new NumberField(kPort, inside_);
  host_field_ = new QLineEdit(inside_);
  host_field_->setText(host_);
  host_field_->setFixedWidth(kHostWidth);
  for (Field* field : {machines_field_, port_field_}) field->setFixedWidth(kNumberWidth);
  for (auto [title, field] : {std::pair<QLabel**, QWidget*>{&machines_title_, machines_field_}, {&host_title_, host_field_}, {&port_title_, port_field_}}) {
    *title = new QLabel(inside_);
    (*title)->setBuddy(field);
    fields->addWidget(*title);
    fields->addWidget(field);
    fields->addSpacing(8);
  }
  fields->addStretch(1);
  grid_ = new QGridLayout;
  grid_->setHorizontalSpacing(8);
  grid_->setVerticalSpacing(4);
  grid_->setColumnStretch(0, 1);
  private_ = makeLabel("secondary", inside_, true);
  all->addWidget(single_);
  all->addLayout(fields);
  all->addLayout(grid_);
  all->addWidget(private_);
  body()->addWidget(inside_);
  inside_->hide();
  connect(fold_, &QPushButton::clicked, this, [this] { unfold(!unfolded()); });
  connect(machines_field_, &Field::edited, this, [this](const Json& value) {
    machines_field_->setInvalid(!within(value, kMachines));
    if (within(value, kMachines)) setMachines(value.get<int>());
  });
  connect(port_field_, &Field::edited, this, [this](const Json& value) {
    port_field_->setInvalid(!within(value, kPort));
    if (within(value, kPort)) setMeeting(host_, value.get<int>());
  });
  connect(host_field_, &QLineEdit::textEdited, this, [this](const QString& text) { setMeeting(text.trimmed(), port_); });
  connect(context_.recipe, &RecipeDocument::changed, this, &MachinesCard::refresh);
  connect(context_.recipe, &RecipeDocument::loaded, this, &MachinesCard::refresh);
  retranslate();
}

void MachinesCard::setMachines(int count) {
  machines_ = std::clamp(count, 2, kMostMachines);
  refresh();
}

void MachinesCard::setMeeting(const QString& host, int port) {
  host_ = host;
  port_ = port;
  if (host_field_->text().trimmed() != host) host_field_->setText(host);
  refresh();
}

QStringList MachinesCard::commands() const {
  const QString file = context_.recipe->file();
  const QString recipe = shellWord(file.isEmpty() ? QStringLiteral("recipe.toml") : file);
  const QString host = host_.isEmpty() ? QStringLiteral("HOST") : host_;
  QStringList lines;
  for (int i = 0; i < machines_; ++i) {
    lines << QStringLiteral("trainyard train %1 --nnodes %2 --node-rank %3 --rendezvous %4")
                 .arg(recipe)
                 .arg(machines_)
                 .arg(i)
                 .arg(shellWord(QStringLiteral("%1:%2").arg(host).arg(port_)));
  }
  return lines;
}

void MachinesCard::refresh() {
  const bool single = context_.recipe->value("parallel.strategy") == Json("single");
  single_->setVisible(single);
  machines_field_->setValue(Json(machines_));
  port_field_->setValue(Json(port_));
  const QStringList lines = commands();
  while (int(rows_.size()) < lines.size()) {
    const int at = int(rows_.size());
    Row row{new QLabel(inside_), new QPlainTextEdit(inside_), makeButton(inside_)};
    row.command->setReadOnly(true);
    row.command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    row.command->setTabChangesFocus(true);
    row.command->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    row.command->setFixedHeight(kCommandLines * QFontMetrics(row.command->font()).lineSpacing() + kCommandFrame);
    connect(row.copy, &QPushButton::clicked, this, [this, at] { QApplication::clipboard()->setText(commands().value(at)); });
    grid_->addWidget(row.name, 2 * at, 0);
    grid_->addWidget(row.copy, 2 * at, 1);
    grid_->addWidget(row.command, 2 * at + 1, 0, 1, 2);
    rows_.push_back(row);
  }
  for (int i = 0; i < int(rows_.size()); ++i) {
    const Row& row = rows_[size_t(i)];
    const bool used = i < lines.size();
    for (QWidget* part : std::initializer_list<QWidget*>{row.name, row.command, row.copy}) part->setVisible(used);
    if (!used) continue;
    row.name->setText(i == 0 ? tr("Machine 1 (this address)") : tr("Machine %1").arg(i + 1));
    if (row.command->toPlainText() != lines[i]) row.command->setPlainText(lines[i]);
    row.command->setAccessibleName(row.name->text());
    row.copy->setText(tr("Copy"));
  }
}

bool MachinesCard::unfolded() const { return !inside_->isHidden(); }

void MachinesCard::unfold(bool open) {
  inside_->setVisible(open);
  fold_->setText(open ? tr("Hide") : tr("Show the commands"));
}

void MachinesCard::retranslate() {
  setTitle(tr("On several machines"));
  intro_->setText(
      tr("The same training on several computers at once: start one command on each. Each needs Trainyard, this recipe and the data, under the same paths. "
         "The first one keeps the run."));
  single_->setText(tr("With one device there is no work to share: choose another strategy above first."));
  machines_title_->setText(tr("Machines"));
  host_title_->setText(tr("Address of the first"));
  host_field_->setPlaceholderText(tr("such as 192.168.1.17"));
  port_title_->setText(tr("Port"));
  private_->setText(
      tr("Only on a private network: neither the place where the machines meet nor what they send each other is checked or encrypted. Whoever reaches the "
         "port can join or listen."));
  unfold(unfolded());
  refresh();
}

}  // namespace trainyard::ui
