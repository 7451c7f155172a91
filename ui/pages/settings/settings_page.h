#pragma once
// Language, theme, folders. Everything takes effect at once.
#include "ui/forms/choice_fields.h"
#include "ui/pages/page.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class SettingsPage : public Page {
  Q_OBJECT
 public:
  explicit SettingsPage(Context& context, QWidget* parent = nullptr);
  QString id() const override { return "settings"; }
  Segments* languages() const { return language_; }
  Segments* themes() const { return theme_; }

 protected:
  void retranslate() override;

 private:
  struct Line {
    QLabel *title, *note;
  };
  Line addLine(Card* card, QWidget* field);
  QWidget* makeFolderField();
  void refresh();
  void chooseRunsFolder();

  QLabel* title_;
  Card *looks_, *folders_, *about_;
  Segments *language_, *theme_;
  Line language_line_, theme_line_, runs_line_, recipes_line_;
  PathLabel *runs_path_, *recipes_path_;
  QPushButton *runs_choose_, *runs_usual_, *recipes_open_;
  QLabel* about_text_;
};

}  // namespace trainyard::ui
