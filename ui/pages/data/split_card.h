#pragma once
// Sizes and colours of the pictures as the scan saw them, and how the data is split and read.
#include "ui/context.h"
#include "ui/forms/param_form.h"
#include "ui/pages/data/normalise.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class SplitCard : public Card {
  Q_OBJECT
 public:
  explicit SplitCard(Context& context, QWidget* parent = nullptr);
  void refresh();
  ParamForm* form() const { return form_; }
  QPushButton* useNormalisation() const { return use_; }
  void retranslate();

 private:
  QLayout* makeFacts();
  QString sizes() const;
  ColourStatistics colours() const;
  bool table() const;

  Context& context_;
  QLabel *sizes_title_, *sizes_, *normalise_title_, *normalise_;
  QPushButton* use_;
  ParamForm* form_;
};

}  // namespace trainyard::ui
