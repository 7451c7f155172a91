#pragma once
// The choice on top of the Train page: Quick, Balanced, Best; none of them down where a recipe was made by hand.
#include <optional>

#include "ui/context.h"
#include "ui/forms/choice_fields.h"
#include "ui/pages/train/presets.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class PresetBar : public Card {
  Q_OBJECT
 public:
  explicit PresetBar(Context& context, QWidget* parent = nullptr);
  void retranslate();
  std::optional<Preset> current() const;
  Segments* segments() const { return segments_; }

 private:
  PresetFacts facts() const;
  void choose(int index);
  void refresh();

  Context& context_;
  Segments* segments_;
  QLabel *state_, *note_;
  // What a preset was last put on, so that the next one starts there again and leaves nothing of this one behind.
  Json before_, after_;
};

}  // namespace trainyard::ui
