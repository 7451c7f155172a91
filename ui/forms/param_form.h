#pragma once
// A form made from the catalogue's tables. It shows and edits values of the window's RecipeDocument and owns none.
#include <QPushButton>
#include <QSet>
#include <QVBoxLayout>
#include <QWidget>
#include <map>

#include "ui/forms/param_row.h"

namespace trainyard::ui {

class ParamForm : public QWidget {
  Q_OBJECT
 public:
  explicit ParamForm(RecipeDocument* document, QWidget* parent = nullptr, bool compact = false);

  // One key of a section, such as "train.epochs". `make` replaces the usual field. Keys that the catalogue does not know are left out.
  void addKey(const QString& key, MakeField make = {});
  // The choice of a section's entry ("optimizer") and, below it, the parameters of the chosen entry.
  void addChoice(const QString& section);
  // Only the parameters of the chosen entry, for pages that choose in their own way.
  void addChosenParams(const QString& section);
  void build();  // after the last add…; again whenever another entry is chosen (by itself)

  void setNote(const QString& key, const QString& note);
  void setHidden(const QString& key, bool hidden);  // a key that makes no difference now
  bool reveal(const QString& key);                  // unfolds and focuses; false when the form has no such row
  ParamRow* row(const QString& key) const;
  bool empty() const { return rows_.empty(); }
  void retranslate();

 Q_SIGNALS:
  void built();

 private:
  struct Item {
    QString key;  // "train.epochs"; of a choice: the section
    bool choice = false, chosen = false;
    MakeField make;
  };
  void addRow(const QString& key, const catalogue::ParamSpec& spec, const MakeField& make);
  void addChoiceRow(const catalogue::Section& section);
  void place(ParamRow* row, bool advanced);
  void refresh();
  bool visible(const ParamRow* row) const;
  QStringList chosen() const;
  void fold(bool open);

  RecipeDocument* document_;
  const bool compact_;
  std::vector<Item> items_;
  QStringList built_for_;
  std::vector<ParamRow*> rows_;
  std::map<QString, QString> notes_;
  QSet<QString> hidden_;
  QVBoxLayout *plain_, *advanced_rows_;
  QWidget* advanced_;
  QPushButton* unfold_;
};

}  // namespace trainyard::ui
