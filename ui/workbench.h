#pragma once
// Everything a window needs, made and wired: settings, language, theme, recipe, engine, runs, data, and the window itself. One per program;
// needs a QApplication.
#include <memory>

#include "ui/context.h"
#include "ui/launch.h"

namespace trainyard::ui {

class Language;
class MainWindow;

class Workbench {
 public:
  explicit Workbench(const Launch& launch, const QString& settings_file = {});
  ~Workbench();

  void show();  // and then, after the first paint, what the launch asked for
  MainWindow& window() { return *window_; }
  Context& context() { return context_; }
  Language& language() { return *language_; }

  // The practice recipe, loaded; started too when `start`. Errors are shown in the window.
  void practise(bool start);
  static QString practiceFile();

 private:
  void restoreRecipe();
  void begin();
  void follow();

  const Launch launch_;
  std::unique_ptr<Settings> settings_;
  std::unique_ptr<Language> language_;
  std::unique_ptr<Theme> theme_;
  std::unique_ptr<RecipeDocument> recipe_;
  std::unique_ptr<EngineLink> engine_;
  std::unique_ptr<RunsModel> runs_;
  std::unique_ptr<DatasetScan> dataset_;
  std::unique_ptr<DataDoctor> doctor_;
  Context context_;
  std::unique_ptr<MainWindow> window_;
  bool first_start_ = false;
};

}  // namespace trainyard::ui
