#pragma once
// Fields of one line or one box: numbers, texts, paths, yes or no.
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/forms/field.h"

namespace trainyard::ui {

// A line whose undo is the recipe's: Ctrl+Z goes to the window, not to the letters of this line.
class RecipeEdit : public QLineEdit {
  Q_OBJECT
 public:
  using QLineEdit::QLineEdit;

 protected:
  bool event(QEvent* event) override;
};

// A line with a faint unit at its right end.
class UnitEdit : public RecipeEdit {
  Q_OBJECT
 public:
  using RecipeEdit::RecipeEdit;
  void setUnit(const QString& unit);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString unit_;
};

// Integer and Real. Up and Down step (whole numbers by 1, page keys double and halve; rates 1-2-5; shares by 0.05).
class NumberField : public Field {
  Q_OBJECT
 public:
  NumberField(const catalogue::ParamSpec& spec, QWidget* parent);
  void setValue(const Json& value) override;
  void setInvalid(bool invalid) override;
  void retranslate() override;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  Json read() const;
  void step(int direction, bool page);

  const catalogue::ParamSpec& spec_;
  UnitEdit* edit_;
};

// Text, and Path with a button that chooses.
class TextField : public Field {
  Q_OBJECT
 public:
  TextField(const catalogue::ParamSpec& spec, QWidget* parent);
  void setValue(const Json& value) override;
  void setInvalid(bool invalid) override;
  void retranslate() override;

 private:
  void browse();

  const catalogue::ParamSpec& spec_;
  QLineEdit* edit_;
  QPushButton* browse_ = nullptr;
};

class BooleanField : public Field {
  Q_OBJECT
 public:
  BooleanField(const catalogue::ParamSpec& spec, QWidget* parent);
  void setValue(const Json& value) override;
  void setInvalid(bool) override {}
  void retranslate() override;

 private:
  QCheckBox* box_;
};

// List of numbers or texts, separated by commas or spaces.
class ListField : public Field {
  Q_OBJECT
 public:
  ListField(const catalogue::ParamSpec& spec, QWidget* parent);
  void setValue(const Json& value) override;
  void setInvalid(bool invalid) override;
  void retranslate() override;

 private:
  const catalogue::ParamSpec& spec_;
  UnitEdit* edit_;
};

// A list of tables, such as the steps inside another step: their titles. They are edited where the outer ones are.
class TablesField : public Field {
  Q_OBJECT
 public:
  TablesField(const catalogue::ParamSpec& spec, QWidget* parent);
  void setValue(const Json& value) override;
  void setInvalid(bool invalid) override;
  void retranslate() override { setValue(value_); }

 private:
  const catalogue::ParamSpec& spec_;
  Json value_;
  QLabel* titles_;
};

// A number as the recipe stores it: whole numbers as integers where `whole` wants them; text that is no number stays text.
Json numberJson(const QString& text, bool whole);

}  // namespace trainyard::ui
