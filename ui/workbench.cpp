#include "ui/workbench.h"

#include <QDir>
#include <QFileInfo>
#include <QTimer>

#include "core/runs/run_directory.h"
#include "ui/engine_link/engine_link.h"
#include "ui/grab.h"
#include "ui/language.h"
#include "ui/main_window.h"
#include "ui/models/runs_model.h"
#include "ui/pictures/data_doctor.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"
#include "ui/settings.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

constexpr auto kPractice = "digits";
constexpr auto kRunsVariable = "TRAINYARD_RUNS";

bool anyRuns() {
  const QString home = QString::fromStdString(displayPath(runsHome()));
  return !QDir(home).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty();
}

}  // namespace

Workbench::Workbench(const Launch& launch, const QString& settings_file) : launch_(launch) {
  settings_ = std::make_unique<Settings>(settings_file);
  // A folder chosen in the settings counts for the engines that this window starts, too; one given from outside goes before it.
  if (!qEnvironmentVariableIsSet(kRunsVariable) && !settings_->runsFolder().isEmpty()) qputenv(kRunsVariable, settings_->runsFolder().toUtf8());
  first_start_ = settings_->fresh() && !anyRuns();
  language_ = std::make_unique<Language>();
  language_->choose(launch_.language.isEmpty() ? settings_->language() : launch_.language);
  theme_ = std::make_unique<Theme>(settings_->desktopDark());
  if (launch_.theme.isEmpty()) {
    theme_->choose(settings_->theme());
  } else {
    theme_->choose(launch_.theme == "dark" ? ThemeChoice::Dark : ThemeChoice::Light);
  }
  recipe_ = std::make_unique<RecipeDocument>();
  engine_ = std::make_unique<EngineLink>();
  runs_ = std::make_unique<RunsModel>();
  restoreRecipe();
  dataset_ = std::make_unique<DatasetScan>(recipe_.get());
  doctor_ = std::make_unique<DataDoctor>(recipe_.get(), dataset_.get(), [this] { return !engine_->liveRuns().isEmpty(); });
  context_ = {theme_.get(), settings_.get(), recipe_.get(), engine_.get(), runs_.get(), dataset_.get(), doctor_.get()};
  window_ = std::make_unique<MainWindow>(context_);
  follow();
}

Workbench::~Workbench() = default;

void Workbench::follow() {
  QObject::connect(settings_.get(), &Settings::themeChanged, theme_.get(), [this] { theme_->choose(settings_->theme()); });
  QObject::connect(settings_.get(), &Settings::languageChanged, language_.get(), [this] { language_->choose(settings_->language()); });
  QObject::connect(settings_.get(), &Settings::runsFolderChanged, runs_.get(), [this] {
    if (settings_->runsFolder().isEmpty()) {
      qunsetenv(kRunsVariable);
    } else {
      qputenv(kRunsVariable, settings_->runsFolder().toUtf8());
    }
    runs_->refresh();
  });
  QObject::connect(window_.get(), &MainWindow::practiceRequested, window_.get(), [this] { practise(true); });
  QObject::connect(theme_.get(), &Theme::changed, settings_.get(), [this] { settings_->setDesktopDark(theme_->desktopDark()); });
  QObject::connect(recipe_.get(), &RecipeDocument::loaded, settings_.get(), [this] { settings_->setLastRecipe(recipe_->file()); });
}

QString Workbench::practiceFile() { return QString::fromStdString(displayPath(resourcesFolder() / "recipes" / "digits.toml")); }

void Workbench::restoreRecipe() {
  if (!settings_->lastRecipe().isEmpty() && QFileInfo::exists(settings_->lastRecipe()) && recipe_->open(settings_->lastRecipe())) return;
  (void)recipe_->openPractice(practiceFile());
}

void Workbench::practise(bool start) {
  const auto opened = recipe_->openPractice(practiceFile());
  if (!opened) return window_->tell(opened.error());
  if (start) window_->start();
}

void Workbench::show() {
  if (launch_.size.isValid()) {
    window_->resize(launch_.size);
  } else if (launch_.grab.isEmpty()) {
    window_->restoreGeometry(settings_->geometry());
  }
  window_->open(launch_.page.isEmpty() || launch_.page == "run" ? QStringLiteral("home") : launch_.page);
  window_->show();
  // After the first paint.
  QTimer::singleShot(0, window_.get(), [this] { begin(); });
}

void Workbench::begin() {
  if (!launch_.start.isEmpty()) {
    if (launch_.start == kPractice) {
      practise(true);
    } else if (const auto opened = recipe_->open(launch_.start)) {
      window_->start();
    } else {
      window_->tell(opened.error());
    }
  } else if (!launch_.run.isEmpty() || launch_.page == "run") {
    const auto found = runs::findRun(launch_.run.isEmpty() ? "latest" : launch_.run.toStdString());
    if (found) {
      window_->open("run", QString::fromStdString(displayPath(found->dir)));
    } else {
      window_->tell(found.error());
    }
  } else if (first_start_ && launch_.grab.isEmpty()) {
    settings_->setTheme(ThemeChoice::System);  // writes the file: the next start is not the first
    practise(true);
  }
  if (!launch_.grab.isEmpty()) grabWhenSettled(*window_, *dataset_, launch_.grab);
}

}  // namespace trainyard::ui
