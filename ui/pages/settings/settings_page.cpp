#include "ui/pages/settings/settings_page.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QUrl>

#include "core/base/files.h"
#include "ui/recipe_document.h"
#include "ui/settings.h"
#include "ui/widgets/columns.h"

namespace trainyard::ui {
namespace {

const QStringList kLanguages = {"", "en", "zh_CN"};
constexpr ThemeChoice kThemes[] = {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark};
constexpr int kTitleWidth = 160;
constexpr int kRightWidth = 240;  // nothing there: lines stay readable

}  // namespace

SettingsPage::SettingsPage(Context& context, QWidget* parent) : Page(context, parent) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  auto* columns = new Columns(this, kRightWidth);
  all->addWidget(columns);
  title_ = makeLabel("page", columns);
  columns->left()->addWidget(title_);
  for (Card** card : {&looks_, &folders_, &about_}) {
    *card = new Card(columns);
    columns->left()->addWidget(*card);
  }
  language_ = new Segments(looks_);
  theme_ = new Segments(looks_);
  language_line_ = addLine(looks_, language_);
  theme_line_ = addLine(looks_, theme_);
  runs_line_ = addLine(folders_, makeFolderField());
  auto* recipes = new QWidget(folders_);
  auto* row = new QHBoxLayout(recipes);
  row->setContentsMargins(0, 0, 0, 0);
  recipes_path_ = new PathLabel(recipes);
  recipes_open_ = makeButton(recipes);
  row->addWidget(recipes_path_, 1);
  row->addWidget(recipes_open_);
  recipes_line_ = addLine(folders_, recipes);
  about_text_ = makeLabel("secondary", about_, true);
  about_->body()->addWidget(about_text_);
  columns->finish();
  connect(language_, &Segments::chosen, this, [this](int index) { context_.settings->setLanguage(kLanguages[index]); });
  connect(theme_, &Segments::chosen, this, [this](int index) { context_.settings->setTheme(kThemes[index]); });
  connect(recipes_open_, &QPushButton::clicked, this, [] {
    QDir().mkpath(RecipeDocument::draftsFolder());
    QDesktopServices::openUrl(QUrl::fromLocalFile(RecipeDocument::draftsFolder()));
  });
  for (auto changed : {&Settings::languageChanged, &Settings::themeChanged, &Settings::runsFolderChanged})
    connect(context_.settings, changed, this, &SettingsPage::refresh);
  SettingsPage::retranslate();
}

SettingsPage::Line SettingsPage::addLine(Card* card, QWidget* field) {
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  auto* title = new QLabel(card);
  title->setFixedWidth(kTitleWidth);
  auto* column = new QVBoxLayout;
  column->setSpacing(4);
  auto* note = makeLabel("secondary", card, true);
  column->addWidget(field);
  column->addWidget(note);
  row->addWidget(title, 0, Qt::AlignTop);
  row->addLayout(column, 1);
  title->setMinimumHeight(28);
  card->body()->addLayout(row);
  return {title, note};
}

QWidget* SettingsPage::makeFolderField() {
  auto* field = new QWidget(folders_);
  auto* row = new QHBoxLayout(field);
  row->setContentsMargins(0, 0, 0, 0);
  runs_path_ = new PathLabel(field);
  runs_choose_ = makeButton(field);
  runs_usual_ = makeButton(field);
  row->addWidget(runs_path_, 1);
  row->addWidget(runs_choose_);
  row->addWidget(runs_usual_);
  connect(runs_choose_, &QPushButton::clicked, this, &SettingsPage::chooseRunsFolder);
  connect(runs_usual_, &QPushButton::clicked, this, [this] { context_.settings->setRunsFolder({}); });
  return field;
}

void SettingsPage::chooseRunsFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for runs"), QString::fromStdString(displayPath(runsHome())));
  if (!folder.isEmpty()) context_.settings->setRunsFolder(folder);
}

void SettingsPage::refresh() {
  language_->setCurrent(int(kLanguages.indexOf(context_.settings->language())));
  for (int i = 0; i < 3; ++i) {
    if (context_.settings->theme() == kThemes[i]) theme_->setCurrent(i);
  }
  runs_path_->setPath(QString::fromStdString(displayPath(runsHome())));
  recipes_path_->setPath(RecipeDocument::draftsFolder());
  runs_usual_->setVisible(!context_.settings->runsFolder().isEmpty());
}

void SettingsPage::retranslate() {
  title_->setText(tr("Settings"));
  looks_->setTitle(tr("Looks"));
  folders_->setTitle(tr("Folders"));
  about_->setTitle(tr("About"));
  // Languages call themselves by their own names.
  language_->setTexts({tr("System"), QStringLiteral("English"), QStringLiteral("简体中文")});
  theme_->setTexts({tr("System"), tr("Light"), tr("Dark")});
  language_line_.title->setText(tr("Language"));
  language_line_.note->setText(QString());
  theme_line_.title->setText(tr("Theme"));
  theme_line_.note->setText(tr("System follows the desktop's colour scheme."));
  runs_line_.title->setText(tr("Runs"));
  runs_line_.note->setText(tr("New runs are stored here. Runs that are already going stay where they are."));
  recipes_line_.title->setText(tr("Recipes"));
  recipes_line_.note->setText(tr("Recipes are saved here by themselves."));
  runs_choose_->setText(tr("Choose…"));
  runs_usual_->setText(tr("Use the usual place"));
  recipes_open_->setText(tr("Open folder"));
  about_text_->setText(
      tr("Trainyard %1. Free software under the GNU General Public License, version 3 or later.\n"
         "Built on Qt, LibTorch, OpenCV and QCustomPlot. The practice digits: Alpaydin and Kaynak, UCI Machine Learning Repository, CC BY 4.0.")
          .arg(TRAINYARD_VERSION));
  for (const Line& line : {language_line_, theme_line_, runs_line_, recipes_line_}) line.note->setVisible(!line.note->text().isEmpty());
  refresh();
}

}  // namespace trainyard::ui
