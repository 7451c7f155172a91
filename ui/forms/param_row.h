#pragma once
// One line of a form: a plain title with a dot when the value is not the default, the field, and behind it a note (unit and help, or what
// is wrong).
#include <QLabel>
#include <QWidget>
#include <functional>

#include "ui/forms/field.h"
#include "ui/recipe_document.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

using MakeField = std::function<Field*(QWidget* parent)>;

class ParamRow : public QWidget {
  Q_OBJECT
 public:
  // `key`: of the recipe. `title` and `help`: source texts of the catalogue. `compact`: the note stands below the field.
  ParamRow(RecipeDocument* document, QString key, std::string title, std::string help, const MakeField& make, bool compact, QWidget* parent);

  const QString& key() const { return key_; }
  Field* field() const { return field_; }
  QString noteText() const { return note_->text(); }
  bool marked() const { return dot_->tone() != Dot::Tone::None; }
  void setNote(const QString& note);  // instead of the help; empty: the help
  void refresh();                     // value, dot and note from the document
  void retranslate();

 Q_SIGNALS:
  void edited(const QString& key, const trainyard::Json& value);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void explain(const QPoint& where);
  QString explanation() const;

  RecipeDocument* document_;
  QString key_;
  std::string title_source_, help_source_;
  QString custom_note_;
  QLabel *title_, *note_;
  Dot* dot_;
  Field* field_;
};

}  // namespace trainyard::ui
