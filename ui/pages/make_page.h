#pragma once
// The one list of pages by id.
#include "ui/pages/page.h"

namespace trainyard::ui {

// nullptr for an id that is none.
Page* makePage(const QString& id, Context& context, QWidget* parent);

}  // namespace trainyard::ui
