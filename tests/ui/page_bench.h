#pragma once
// What a page needs that edits a recipe, without the window around it; settings, recipes and runs go to a folder of its own.
#include <QTemporaryDir>
#include <memory>

#include "fake_engine.h"
#include "ui/context.h"
#include "ui/engine_link/engine_link.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"
#include "ui/theme/theme.h"

namespace trainyard::tests {

class PageBench {
 public:
  explicit PageBench(const Json& draft) {
    test::useFolder(folder_.path());
    theme_ = std::make_unique<ui::Theme>();
    theme_->choose(ui::ThemeChoice::Light);
    engine_ = std::make_unique<ui::EngineLink>();
    document_ = std::make_unique<ui::RecipeDocument>();
    document_->startDraft(draft);
    dataset_ = std::make_unique<ui::DatasetScan>(document_.get());
    context_.theme = theme_.get();
    context_.engine = engine_.get();
    context_.recipe = document_.get();
    context_.dataset = dataset_.get();
  }

  // Shown as large as in the window's first size.
  template <class Page>
  std::unique_ptr<Page> show() {
    auto page = std::make_unique<Page>(context_);
    page->resize(1192, 752);
    page->show();
    return page;
  }

  ui::RecipeDocument& recipe() { return *document_; }
  ui::Context& context() { return context_; }
  QString path(const QString& name) const { return folder_.filePath(name); }

 private:
  QTemporaryDir folder_;
  std::unique_ptr<ui::Theme> theme_;
  std::unique_ptr<ui::EngineLink> engine_;
  std::unique_ptr<ui::RecipeDocument> document_;
  std::unique_ptr<ui::DatasetScan> dataset_;  // reads the document until its end
  ui::Context context_;
};

}  // namespace trainyard::tests
