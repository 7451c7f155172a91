#pragma once
// Editors for one value of a recipe, one per kind of ParamSpec. A field shows what it is given and says what people entered; it never
// corrects them: a wrong value goes into the recipe, whose check explains it beside the field. GUI thread.
#include <QWidget>
#include <functional>

#include "core/catalogue/param_spec.h"

namespace trainyard::ui {

class Field : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  virtual void setValue(const Json& value) = 0;  // never causes edited()
  virtual void setInvalid(bool invalid) = 0;
  virtual void retranslate() {}

 Q_SIGNALS:
  void edited(const trainyard::Json& value);  // null: emptied, so the default counts
};

// Never nullptr.
Field* makeField(const catalogue::ParamSpec& spec, QWidget* parent);

// Options up to this many, with short titles, are shown side by side.
constexpr size_t kMostSegments = 4;

}  // namespace trainyard::ui
