#pragma once
// What pages share. Everything lives as long as the window; nobody here owns anything.

namespace trainyard::ui {

class Theme;
class Settings;
class RecipeDocument;
class EngineLink;
class RunsModel;

struct Context {
  Theme* theme = nullptr;
  Settings* settings = nullptr;
  RecipeDocument* recipe = nullptr;
  EngineLink* engine = nullptr;
  RunsModel* runs = nullptr;
};

}  // namespace trainyard::ui
