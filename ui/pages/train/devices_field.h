#pragma once
// Where to train: automatic, the processor, or any of the GPUs that this computer has.
#include <QStringList>

#include "ui/forms/choice_fields.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {

class DevicesField : public Field {
  Q_OBJECT
 public:
  DevicesField(RecipeDocument* recipe, QWidget* parent);
  void setValue(const Json& value) override;
  void setInvalid(bool) override {}
  void retranslate() override;

 private:
  void lookForGpus();
  void choose(int index);

  RecipeDocument* recipe_;
  Segments* segments_;
  QStringList devices_ = {"auto", "cpu"};  // ids, one a segment
  Json value_;
};

}  // namespace trainyard::ui
