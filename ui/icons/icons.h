#pragma once
// The window's icons: drawings on a grid of 20, 1.5-px strokes, tinted from the palette when they are painted, so that a change of theme
// needs no new icons. GUI thread.
#include <QIcon>
#include <QPalette>

namespace trainyard::ui {

// `name`: a file of resources/icons without its ending. Unchecked icons take `role`'s colour, checked ones the accent.
QIcon icon(const QString& name, QPalette::ColorRole role = QPalette::WindowText);

// The same with a colour of its own.
QIcon icon(const QString& name, const QColor& color);

}  // namespace trainyard::ui
