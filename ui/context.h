#pragma once
// What pages share. Everything lives as long as the window; nobody here owns anything.

namespace trainyard::ui {

class DataDoctor;
class DatasetScan;
class EngineLink;
class RecipeDocument;
class RunsModel;
class Settings;
class Theme;

struct Context {
  Theme* theme = nullptr;
  Settings* settings = nullptr;
  RecipeDocument* recipe = nullptr;
  EngineLink* engine = nullptr;
  RunsModel* runs = nullptr;
  DatasetScan* dataset = nullptr;
  DataDoctor* doctor = nullptr;
};

}  // namespace trainyard::ui
