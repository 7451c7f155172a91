#include "ui/shell/rail.h"

#include <QEvent>
#include <QVBoxLayout>

#include "ui/icons/icons.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kWidth = 88;
constexpr int kIcon = 20;
constexpr int kButtonHeight = 52;

struct Entry {
  const char* id;
  const char* title;
  bool line_before = false, space_before = false;
};

// Pages in groups: where to begin; the recipe; results; the machine and the window.
const Entry kEntries[] = {
    {"home", QT_TRANSLATE_NOOP("trainyard::ui::Rail", "Home")},
    {"data", QT_TRANSLATE_NOOP("trainyard::ui::Rail", "Data"), true},
    {"input", QT_TRANSLATE_NOOP("trainyard::ui::Rail", "Input")},
    {"model", QT_TRANSLATE_NOOP("trainyard::ui::Rail", "Model")},
    {"train", QT_TRANSLATE_NOOP("trainyard::ui::Rail", "Train")},
    {"runs", QT_TRANSLATE_NOOP("trainyard::ui::Rail", "Runs"), true},
    {"computer", QT_TRANSLATE_NOOP("trainyard::ui::Rail", "Computer"), false, true},
    {"settings", QT_TRANSLATE_NOOP("trainyard::ui::Rail", "Settings")},
};

}  // namespace

const QStringList& Rail::pages() {
  static const QStringList kPages = [] {
    QStringList ids;
    for (const auto& entry : kEntries) ids << entry.id;
    return ids;
  }();
  return kPages;
}

Rail::Rail(QWidget* parent) : QFrame(parent), group_(new QButtonGroup(this)) {
  setProperty("rail", true);
  setFixedWidth(kWidth);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 8, 6, 8);
  column->setSpacing(2);
  int number = 0;
  for (const auto& entry : kEntries) {
    if (entry.line_before) {
      auto* holder = new QWidget(this);
      auto* row = new QVBoxLayout(holder);
      row->setContentsMargins(10, 6, 10, 6);
      row->addWidget(makeLine(holder));
      column->addWidget(holder);
    }
    if (entry.space_before) column->addStretch(1);
    auto* button = new QToolButton(this);
    button->setProperty("rail", true);
    button->setCheckable(true);
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIcon(icon(entry.id));
    button->setIconSize({kIcon, kIcon});
    button->setFixedHeight(kButtonHeight);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFocusPolicy(Qt::TabFocus);
    button->setShortcut(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + number)));
    group_->addButton(button, number++);
    column->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, id = entry.id] { Q_EMIT chosen(id); });
  }
  retranslate();
}

void Rail::setCurrent(const QString& page) {
  const int number = int(pages().indexOf(page == "run" ? QStringLiteral("runs") : page));
  if (QAbstractButton* button = group_->button(number)) button->setChecked(true);
}

void Rail::retranslate() {
  for (int i = 0; i < pages().size(); ++i) {
    QAbstractButton* button = group_->button(i);
    const QKeySequence keys = button->shortcut();
    button->setText(tr(kEntries[i].title));
    // Setting a text clears the shortcut.
    button->setShortcut(keys);
    button->setToolTip(QString("%1  (%2)").arg(button->text(), keys.toString(QKeySequence::NativeText)));
  }
}

void Rail::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QFrame::changeEvent(event);
}

}  // namespace trainyard::ui
