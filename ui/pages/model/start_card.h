#pragma once
// How a network begins: from published weights, from scratch, or from a file; and which parts of it stay as they are.
#include <QProgressBar>

#include "ui/context.h"
#include "ui/engine_link/engine_call.h"
#include "ui/forms/param_form.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class Segments;

class StartCard : public Card {
  Q_OBJECT
 public:
  explicit StartCard(Context& context, QWidget* parent = nullptr);
  enum Way { Published, Scratch, File };
  Way way() const;
  void shown();  // asks once which weights are here already
  bool reveal(const QString& key) { return form_->reveal(key); }
  void setClasses(const QString& text);
  void retranslate();
  Segments* ways() const { return ways_; }
  bool settled() const { return !list_call_.running(); }

 private:
  void choose(int way);
  void fetch();
  void refresh();
  QString name() const;  // of the weights published for the architecture; empty: none

  Context& context_;
  Segments* ways_;
  QLabel *note_, *problem_, *classes_;
  QPushButton* fetch_;
  QProgressBar* progress_;
  ParamForm* form_;
  EngineCall list_call_, get_call_;
  Json list_;  // [{name, arch, licence, bytes, address, cached}]
  QString trouble_;
  bool own_file_ = false;  // the file's field is wanted though it is still empty
};

}  // namespace trainyard::ui
