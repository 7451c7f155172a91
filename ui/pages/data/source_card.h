#pragma once
// Where the data is, in what format, and how far the scan has come.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>

#include "ui/context.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class SourceCard : public Card {
  Q_OBJECT
 public:
  explicit SourceCard(Context& context, QWidget* parent = nullptr);
  void refresh();
  QLineEdit* path() const { return path_; }
  QComboBox* format() const { return format_; }
  QPushButton* scanButton() const { return again_; }  // "Scan again"; "Stop" while one runs
  QString summary() const { return summary_->text(); }
  void retranslate();

 Q_SIGNALS:
  void chosen(const QString& path);  // a folder or file, from the dialog

 private:
  void choose(bool file);
  void showProgress();
  QString counts() const;

  Context& context_;
  QComboBox* format_;
  QLineEdit* path_;
  QPushButton *choose_, *again_;
  QAction *choose_folder_, *choose_file_;
  QLabel* summary_;
  QProgressBar* progress_;
};

}  // namespace trainyard::ui
